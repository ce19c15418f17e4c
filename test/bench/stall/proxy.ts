import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "#test/kit/free-port.ts";

const LF = 10;
const KEY = "bench-key-0123456789abcdef0123456789abcdef";

/** What happened in the proxy's process while something was done to it. */
export interface Stalls {
  /** Worst wait of the event loop for its next turn, by the main thread's own processor time (ms). */
  stall_ms: number;
  /** How much of the worst was garbage collection, by the clock (ms). */
  gc_ms: number;
  /** How many took more than 20 ms. */
  over_20: number;
  /** The worst by the clock, in which others on the machine count, too (ms). */
  wall_ms: number;
  cpu_ms: number;
  took_ms: number;
  rss_mb: number;
  peak_mb: number;
  /** Where asked for: a minute later. */
  later_mb?: number;
  note?: string;
}

export interface Measured {
  /** The data directory. */
  dir: string;
  rss_mb: number;
  /** When the process was started (ms, as `performance.now()`). */
  startedAt: number;
  stop(): Promise<void>;
  /** Of a request by REST as an administrator: its status and how many bytes came. */
  rest(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A JSON-RPC message to an MCP path, as text. */
  mcp(path: string, message: string): Promise<Answer>;
  /** A JSON-RPC request on standard input, and its response on standard output. */
  line(message: string): Promise<Answer>;
  measure(work: () => Promise<string | undefined>, when?: When): Promise<Stalls>;
  memory(): Promise<NodeJS.MemoryUsage>;
  /** Resolves once the process has had nothing to do for a second. */
  quiet(): Promise<void>;
}

export interface When {
  /** Begins while the proxy may still be busy, rather than once it is at rest. */
  atOnce?: boolean;
  /** Asks for the memory once more, so long after the end. */
  laterMs?: number;
}

export interface Answer {
  status: number;
  bytes: number;
  /** The first 64 KiB. */
  text: string;
}

/** Prints the functions of the worst stall of each row; the profiler itself makes them longer. */
const PROFILED = process.env.STALL_PROFILE === "1";

/** Further flags of Node, whose output is then shown, such as `--trace-gc`. */
const FLAGS = process.env.STALL_FLAGS?.split(" ") ?? [];

/** Time within which a started proxy must answer on /healthz. */
const START_TIMEOUT_MS = 60_000;

interface Start {
  /** Called with the data directory before the start. */
  prepare?: (dir: string) => Promise<void>;
  /** The data directory of an earlier run; by default a new one, which is removed at the end. */
  usedDir?: string;
  /** Serves MCP on standard input and output, too. */
  stdio?: boolean;
}

/** Starts the bundled proxy with the probe in it. */
export async function startMeasured(
  node: string,
  config: Record<string, unknown>,
  { prepare, usedDir, stdio = false }: Start = {},
): Promise<Measured> {
  const dir = usedDir ?? mkdtempSync(join(tmpdir(), "proxy-bench-"));
  // A start in `prepare` writes a configuration with a port of its own, so this one is written after it.
  await prepare?.(dir);
  const port = await freePort();
  const listen = `127.0.0.1:${port}`;
  writeFileSync(
    join(dir, "mcp_config.json"),
    JSON.stringify({ listen, api_key: KEY, enable_socket: false, ...config }),
  );
  const probe = resolve("test/bench/stall/probe.cjs");
  const argv = [
    ...FLAGS,
    "--require",
    probe,
    resolve("dist/proxy.cjs"),
    "serve",
    "--data-dir",
    dir,
    "--log-level",
    "error",
    ...(stdio ? ["--stdio", "--listen", listen] : []),
  ];
  // Authorities that the environment names are read once, in 20 ms; that is no matter of these rows.
  const { SSL_CERT_FILE: _, SSL_CERT_DIR: __, ...env } = process.env;
  const startedAt = performance.now();
  const child = spawn(node, argv, {
    stdio: [stdio ? "pipe" : "ignore", stdio ? "pipe" : FLAGS.length > 0 ? 2 : "ignore", "pipe", "ipc"],
    env,
  });
  let said = "";
  child.stderr!.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  const ask = <T>(what: string) =>
    new Promise<T>((done, fail) => {
      const ended = () => fail(new Error(`the proxy ended: ${said}`));
      child.once("exit", ended);
      child.once("message", (answer) => {
        child.off("exit", ended);
        done(answer as T);
      });
      child.send({ ask: what });
    });
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<Answer>((done, fail) => {
      const all = { ...headers, ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }) };
      const req = request({ host: "127.0.0.1", port, path, method, headers: all, agent: false }, (res) => {
        let bytes = 0;
        const start: Buffer[] = [];
        res.on("data", (chunk: Buffer) => {
          if (bytes < 65_536) start.push(chunk);
          bytes += chunk.length;
        });
        res.on("end", () => done({ status: res.statusCode ?? 0, bytes, text: Buffer.concat(start).toString() }));
        res.on("error", fail);
      });
      req.on("error", fail);
      req.end(body);
    });
  const sendLine = (message: string) =>
    new Promise<Answer>((done) => {
      let bytes = 0;
      let start: Buffer[] = [];
      const take = (chunk: Buffer) => {
        if (bytes < 65_536) start.push(chunk);
        bytes += chunk.length;
        if (chunk.at(-1) !== LF) return;
        const text = Buffer.concat(start).toString();
        if (text.includes('"id":')) {
          child.stdout!.off("data", take);
          return done({ status: 200, bytes, text });
        }
        // Only notifications so far.
        bytes = 0;
        start = [];
      };
      child.stdout!.on("data", take);
      child.stdin!.write(`${message}\n`);
    });
  const json = { "content-type": "application/json" };
  const self: Measured = {
    dir,
    rss_mb: 0,
    startedAt,
    async stop() {
      child.kill("SIGTERM");
      await gone;
      if (usedDir === undefined && existsSync(dir)) rmSync(dir, { recursive: true, force: true });
    },
    rest: (method, path, body) =>
      send(method, path, { ...json, "x-api-key": KEY }, body === undefined ? undefined : JSON.stringify(body)),
    mcp: (path, message) =>
      send("POST", path, { ...json, accept: "application/json, text/event-stream", "x-api-key": KEY }, message),
    line: sendLine,
    async measure(work, { atOnce = false, laterMs } = {}) {
      if (!atOnce) await self.quiet();
      await ask("begin");
      const from = performance.now();
      const note = await work();
      const took = performance.now() - from;
      const found = await ask<
        Record<"cpu" | "gc" | "wall" | "over" | "rss" | "peak" | "total", number> & { spent?: object }
      >("end");
      if (PROFILED) console.error(found.spent);
      const mb = (bytes: number) => Math.round(bytes / (1 << 20));
      let later: number | undefined;
      if (laterMs !== undefined) {
        await new Promise((done) => setTimeout(done, laterMs));
        const memory = await self.memory();
        later = mb(memory.rss);
        if (PROFILED) console.error(memory);
      }
      return {
        stall_ms: Math.round(found.cpu * 10) / 10,
        gc_ms: Math.round(found.gc * 10) / 10,
        over_20: found.over,
        wall_ms: Math.round(found.wall * 10) / 10,
        cpu_ms: Math.round(found.total),
        took_ms: Math.round(took),
        rss_mb: mb(found.rss),
        peak_mb: mb(found.peak),
        ...(later !== undefined && { later_mb: later }),
        ...(note !== undefined && { note }),
      };
    },
    memory: () => ask<NodeJS.MemoryUsage>("memory"),
    async quiet() {
      let before = await ask<{ used: number }>("used");
      for (let calm = 0; calm < 3; ) {
        await new Promise((done) => setTimeout(done, 300));
        const now = await ask<{ used: number }>("used");
        calm = now.used - before.used < 60 ? calm + 1 : 0;
        before = now;
      }
    },
  };
  for (;;) {
    const up = await send("GET", "/healthz", {}).catch(() => undefined);
    if (up?.status === 200) break;
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}: ${said}`);
    if (performance.now() - startedAt > START_TIMEOUT_MS) {
      await self.stop();
      throw new Error(`the proxy does not answer on ${listen}: ${said}`);
    }
    await new Promise((done) => setTimeout(done, 5));
  }
  return self;
}
