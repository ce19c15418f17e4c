import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "#test/kit/free-port.ts";

/** Ends one of the programs that a measurement has started. */
export type Stop = () => Promise<void>;

/** The administrator's key of every proxy that is measured. */
export const KEY = "bench-key-0123456789abcdef0123456789abcdef";

const { SSL_CERT_FILE: _, SSL_CERT_DIR: __, NODE_EXTRA_CA_CERTS: ___, ...plain } = process.env;
/** Without the authorities that this machine may name: they take 20 ms and several MB, wherever they are read. */
export const PLAIN_ENV: NodeJS.ProcessEnv = plain;

const trusted = { enabled: true, quarantined: false, trust_mode: "auto" };

export const httpServer = (name: string, url: string) => ({ name, url, protocol: "streamable-http", ...trusted });

export const stdioServer = (name: string, args: readonly string[]) => ({
  name,
  command: process.execPath,
  args,
  working_dir: process.cwd(),
  ...trusted,
});

/**
 * Copies the upstream over standard streams to a folder of its own and returns its path. The proxy examines the package
 * that a server belongs to, which would be this whole repository.
 */
export function stdioProgram(dir: string): string {
  const folder = join(dir, "stdio-upstream");
  mkdirSync(folder, { recursive: true });
  for (const file of ["upstream-stdio.mjs", "core.mjs"]) copyFileSync(join("test/programs", file), join(folder, file));
  return join(folder, "upstream-stdio.mjs");
}

const START_TIMEOUT_MS = 240_000;

interface ProxyOptions {
  dir: string;
  servers: readonly object[];
  stop: Stop[];
  /** What starts the proxy; the bundle under this Node unless given. */
  program?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Further keys of the configuration. */
  settings?: object;
}

/** Starts a proxy and waits until it has the tools of all servers. */
export async function startProxy(options: ProxyOptions) {
  const { ready, ...proxy } = await launchProxy(options);
  await ready();
  return proxy;
}

/** Starts a proxy. `ready` asks it again and again until it has the tools of all servers, which costs it time, too. */
export async function launchProxy({ dir, servers, stop, program, env, settings }: ProxyOptions) {
  const port = await freePort();
  const config = { listen: `127.0.0.1:${port}`, api_key: KEY, enable_socket: false, ...settings, mcpServers: servers };
  writeFileSync(join(dir, "mcp_config.json"), JSON.stringify(config), { mode: 0o600 });
  const [command = "", ...before] = program ?? [process.execPath, "dist/proxy.cjs"];
  const child = spawn(command, [...before, "serve", "--data-dir", dir, "--log-level", "error"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...PLAIN_ENV, ...env },
  });
  let said = "";
  child.stderr!.on("data", (chunk) => {
    said = (said + chunk).slice(-2000);
  });
  stop.push(() => ended(child));
  const url = `http://127.0.0.1:${port}`;
  const ready = async () => {
    let listed = 0;
    // The list of many servers is work that the start would wait for.
    const pauseMs = Math.max(10, servers.length);
    const end = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        const list = await fetch(`${url}/api/v1/servers`, { headers: { "x-api-key": KEY } });
        const { data } = (await list.json()) as { data: { servers: { tool_count: number }[] } };
        listed = data.servers.filter((s) => s.tool_count > 0).length;
        if (listed === data.servers.length) return;
      } catch {
        // Not listening yet.
      }
      if (performance.now() > end || child.exitCode !== null)
        throw new Error(`the proxy did not become ready; it has the tools of ${listed} servers: ${said}`);
      await new Promise((r) => setTimeout(r, pauseMs));
    }
  };
  return { url, pid: child.pid!, ready };
}

/** Starts a program of Node that prints its address, and waits for that. */
export function startProgram(
  args: readonly string[],
  stop: Stop[],
  node = process.execPath,
): Promise<{ url: string; pid: number }> {
  // The SDK's relay is warned of the listeners that it gathers, a line a call.
  const env = { ...PLAIN_ENV, NODE_NO_WARNINGS: "1" };
  const child: ChildProcess = spawn(node, args, { stdio: ["ignore", "pipe", "inherit"], env });
  stop.push(() => ended(child));
  return new Promise((done, fail) => {
    child.stdout?.once("data", (line) => done({ url: JSON.parse(String(line)).url, pid: child.pid! }));
    child.once("exit", (code) => fail(new Error(`${args[0]} ended with ${code}`)));
  });
}

/** Ends a process, and with it what it still writes to its folder. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  await gone;
}
