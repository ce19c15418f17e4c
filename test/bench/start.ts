import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { processFacts, round } from "./load.ts";
import { PLAIN_ENV } from "./programs.ts";

const RUNS = Number(process.env.BENCH_START_RUNS ?? 15);
/** After its first answer a program still does what can wait. (ms) */
const SETTLE_MS = 1500;
/** Whoever asks too often takes the processor from whom it asks. (ms) */
const POLL_MS = 3;

interface Figures {
  ms: number;
  /** Of the same run's bare Node start. */
  ratio: number;
  /** The quickest of all: what others on the machine did in the meantime shows least in it. */
  best_ms: number;
  best_ratio: number;
}

export interface Start {
  bare_node_ms: number;
  bare_node_best_ms: number;
  version: Figures;
  help: Figures;
  status: Figures;
  /** From the start of the process to its first 200 on /healthz, with a data directory that was used before. */
  first_200: Figures;
  /** The same with a new data directory: tables and key are made. */
  first_200_new: Figures;
  idle_rss_mb: number;
  bare_rss_mb: number;
}

/**
 * Start times of the executable and of the bundle under the same Node, against that Node with an empty program. Medians
 * of alternating runs; the ratios count.
 */
export async function benchStart(): Promise<Record<string, Start | string>> {
  const node = execFileSync(process.execPath, ["build/bare-node.mjs"], { encoding: "utf8" }).trim();
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  try {
    const executable = resolve("dist/proxy");
    if (!existsSync(executable)) return { executable: "not built: npm run build" };
    if (statSync(executable).mtimeMs < statSync("dist/proxy.cjs").mtimeMs - 600_000)
      console.error("dist/proxy is much older than dist/proxy.cjs: npm run build");
    return {
      executable: await measure([executable], node, dir),
      bundle: await measure([node, resolve("dist/proxy.cjs")], node, dir),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(program: string[], node: string, dir: string): Promise<Start> {
  const empty = join(dir, "empty.cjs");
  writeFileSync(empty, "0");
  const used = join(dir, `used-${program.length}`);
  await answered(program, used);
  const ways: Record<string, (i: number) => Promise<number>> = {
    bare: () => timed([node, empty]),
    version: () => timed([...program, "--version"]),
    help: () => timed([...program, "--help"]),
    status: () => timed([...program, "status", "-d", join(dir, "none")]),
    used: () => answered(program, used),
    fresh: (i) => answered(program, join(dir, `new-${program.length}-${i}`)),
  };
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let i = 0; i < RUNS; i++) for (const [name, way] of Object.entries(ways)) times[name]!.push(await way(i));
  const ms = (name: string) => median(times[name]!);
  const best = (name: string) => Math.min(...times[name]!);
  const figures = (name: string): Figures => ({
    ms: round(ms(name)),
    ratio: round(ms(name) / ms("bare")),
    best_ms: round(best(name)),
    best_ratio: round(best(name) / best("bare")),
  });
  const serving = await serve(program, used);
  await new Promise((done) => setTimeout(done, SETTLE_MS));
  const idle = processFacts(serving.pid).rss_mb;
  await serving.stop();
  return {
    bare_node_ms: round(ms("bare")),
    bare_node_best_ms: round(best("bare")),
    version: figures("version"),
    help: figures("help"),
    status: figures("status"),
    first_200: figures("used"),
    first_200_new: figures("fresh"),
    idle_rss_mb: idle,
    bare_rss_mb: await restingNode(node),
  };
}

/** Of a Node that only listens. */
async function restingNode(node: string): Promise<number> {
  const child = spawn(node, ["-e", "require('http').createServer().listen(0, '127.0.0.1')"], { stdio: "ignore" });
  await new Promise((done) => setTimeout(done, SETTLE_MS));
  const { rss_mb } = processFacts(child.pid!);
  child.kill();
  return rss_mb;
}

async function answered(program: string[], dir: string): Promise<number> {
  const { ms, stop } = await serve(program, dir);
  await stop();
  return ms;
}

async function serve([command = "", ...before]: string[], dir: string) {
  const port = await freePort();
  const from = performance.now();
  const argv = [...before, "serve", "--listen", `127.0.0.1:${port}`, "--data-dir", dir, "--log-level", "error"];
  const child = spawn(command, argv, { stdio: "ignore", env: PLAIN_ENV });
  while (!(await healthy(port))) await new Promise((done) => setTimeout(done, POLL_MS));
  const ms = performance.now() - from;
  const gone = new Promise<void>((done) => child.on("exit", () => done()));
  const stop = () => {
    child.kill("SIGTERM");
    return gone;
  };
  return { ms, pid: child.pid!, stop };
}

function healthy(port: number): Promise<boolean> {
  return new Promise((done) => {
    get({ host: "127.0.0.1", port, path: "/healthz", agent: false }, (res) => done(res.resume().statusCode === 200)).on(
      "error",
      () => done(false),
    );
  });
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}

function timed([command = "", ...args]: string[]): Promise<number> {
  const from = performance.now();
  return new Promise((done) =>
    spawn(command, args, { stdio: "ignore" }).on("exit", () => done(performance.now() - from)),
  );
}

function median(list: number[]): number {
  return list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
}
