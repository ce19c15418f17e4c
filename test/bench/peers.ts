import { spawn } from "node:child_process";
import { freePort } from "#test/kit/free-port.ts";
import type { Stop } from "./programs.ts";

/** Another proxy to compare with, named by the environment. */
export interface Peer {
  name: "go" | "javascript" | "mcpproxy-go";
  command: string;
  /** Path of its MCP endpoint. */
  path: string;
  /** The name under which it offers the upstream's `echo`. */
  tool: string;
  upstream: string;
  /** Whether it offers only the HTTP+SSE transport. */
  eventStream: boolean;
}

const VARIABLES = { go: "BENCH_PEER_GO", javascript: "BENCH_PEER_JS", "mcpproxy-go": "BENCH_PEER_MCPPROXY" } as const;

/**
 * Those that the environment names. `BENCH_PEER_GO='program --port {port} --upstream {upstream}'` starts one;
 * `BENCH_PEER_GO_TOOL` (default `echo`) and `BENCH_PEER_GO_PATH` (default `/mcp`) say how it is called;
 * `BENCH_PEER_GO_EVENTS=1` that it offers only the HTTP+SSE transport.
 */
export function peers(upstream: string): Peer[] {
  return Object.entries(VARIABLES).flatMap(([name, variable]) => {
    const {
      [variable]: command,
      [`${variable}_TOOL`]: tool = "echo",
      [`${variable}_PATH`]: path = "/mcp",
      [`${variable}_EVENTS`]: events,
    } = process.env;
    const eventStream = events === "1";
    return command ? [{ name: name as Peer["name"], command, path, tool, upstream, eventStream }] : [];
  });
}

const START_LIMIT_MS = 30_000;
const END_LIMIT_MS = 3_000;

export async function startPeer({ name, command, path, upstream }: Peer, stop: Stop[]) {
  const port = await freePort();
  const line = command.replaceAll("{port}", String(port)).replaceAll("{upstream}", upstream);
  const child = spawn("sh", ["-c", `exec ${line}`], { stdio: "ignore" });
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  stop.push(async () => {
    child.kill("SIGTERM");
    const killed = setTimeout(() => child.kill("SIGKILL"), END_LIMIT_MS);
    await gone;
    clearTimeout(killed);
  });
  const url = `http://127.0.0.1:${port}${path}`;
  for (const end = Date.now() + START_LIMIT_MS; ; ) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer) return { url, pid: child.pid! };
    if (Date.now() > end || child.exitCode !== null) throw new Error(`${name} did not start: ${line}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
