import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, round, type Target } from "./load.ts";
import { peers, startPeer } from "./peers.ts";
import { processorTimeUs } from "./processor-time.ts";
import { httpServer, KEY, type Stop, startProgram, startProxy, stdioProgram, stdioServer } from "./programs.ts";

/** How much is measured. */
export interface CallsEffort {
  /** Calls of each program before it is measured: V8 compiles for the first 20,000. */
  warmUp: number;
  rounds: number;
  /** Calls of a round, by concurrency. */
  calls: Readonly<Record<number, number>>;
  stdio: boolean;
  peers: boolean;
}

/** Slow programs make fewer calls, so that one that takes 10 ms for each does not make the run last half an hour. */
const WARM_UP_LIMIT_MS = 20_000;
const SLICE_LIMIT_MS = 3_000;

export const FULL: CallsEffort = {
  warmUp: 25_000,
  rounds: 9,
  calls: { 1: 600, 16: 3000, 64: 4000 },
  stdio: true,
  peers: true,
};
export const SHORT: CallsEffort = { warmUp: 20_000, rounds: 9, calls: { 16: 1000 }, stdio: false, peers: false };

/** Medians over the rounds, each beside the byte relay of the same round. */
export interface CallRatios {
  /** By concurrency. */
  calls: Record<number, number>;
  cpu: Record<number, number>;
  p50: Record<number, number>;
  p99: Record<number, number>;
  /** Processor time of the first 1,000 calls after the start, beside as many warm ones. */
  firstCalls: number;
}

/**
 * The same echo call through the byte relay and the proxy, with policy, masking and activity records on. Everybody is warm
 * and takes turns, so that whatever else runs on the machine meets all of them.
 *
 * `BENCH_BEFORE=/path/to/proxy.cjs` takes another bundle into the comparison, such as that of the commit before.
 *
 * @param node runs the relays and the proxy
 */
export async function measureCalls(node: string, effort: CallsEffort) {
  const stop: Stop[] = [];
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  try {
    const upstream = await startProgram(["test/programs/upstream-http.mjs", "--port", "0"], stop);
    const stdio = [stdioProgram(dir)];
    const servers = [httpServer("http", upstream.url), ...(effort.stdio ? [stdioServer("stdio", stdio)] : [])];
    const proxy = await startProxy({ dir, servers, stop, program: [node, "dist/proxy.cjs"] });
    const relay = await startProgram(["test/bench/relays/bare.mjs", "--upstream", upstream.url], stop, node);
    const through = ({ url, pid }: Running, server: string): Way => ({
      target: { url: `${url}/mcp/all`, headers: { "x-api-key": KEY }, params: echo(`${server}__echo`) },
      pid,
    });
    const others = effort.peers ? peers(upstream.url) : [];
    const started: [string, Way][] = [];
    for (const peer of others) {
      const { url, pid } = await startPeer(peer, stop);
      const target = { url, params: echo(peer.tool), eventStream: peer.eventStream };
      await answers(target);
      started.push([peer.name, { target, pid }]);
    }
    const { BENCH_BEFORE } = process.env;
    if (BENCH_BEFORE) {
      const folder = mkdtempSync(join(dir, "before-"));
      const before = await startProxy({ dir: folder, servers, stop, program: [node, BENCH_BEFORE] });
      started.push(["before", through(before, "http")]);
    }
    const http = await ratios(
      { relay: bare(relay), proxy: through(proxy, "http"), ...Object.fromEntries(started) },
      effort,
    );
    if (!effort.stdio) return { http };
    const pipes = await startProgram(
      ["test/bench/relays/bare-stdio.mjs", "--", process.execPath, ...stdio],
      stop,
      node,
    );
    return { http, stdio: await ratios({ relay: bare(pipes), proxy: through(proxy, "stdio") }, effort) };
  } finally {
    await Promise.all(stop.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
  }
}

const FIRST_ANSWER_LIMIT_MS = 30_000;

/** Waits until a call succeeds: some programs listen before they have connected to their servers. */
async function answers(target: Target) {
  for (const end = Date.now() + FIRST_ANSWER_LIMIT_MS; ; await new Promise((done) => setTimeout(done, 200))) {
    const fault = await load(target, 1, 1).then(
      () => undefined,
      (error) => error as Error,
    );
    if (!fault) return;
    if (Date.now() > end) throw fault;
  }
}

interface Running {
  url: string;
  pid: number;
}

export interface Way {
  target: Target;
  pid: number;
}

const echo = (name: string) => ({ name, arguments: { message: "hello" } });
const bare = ({ url, pid }: Running): Way => ({ target: { url, params: echo("echo") }, pid });

/** Figures of every way beside those of `relay`, by name. */
export async function ratios(
  ways: Record<string, Way>,
  { warmUp, rounds, calls }: CallsEffort,
): Promise<Record<string, CallRatios>> {
  const first: Record<string, number> = {};
  for (const [name, way] of Object.entries(ways)) {
    first[name] = (await slice(way, 16, 1000)).cpu;
    await load(way.target, 16, warmUp, WARM_UP_LIMIT_MS);
  }
  const found: Record<string, Record<string, Slice[]>> = {};
  const names = Object.keys(ways);
  for (const concurrency of Object.keys(calls))
    for (let i = 0; i < rounds; i++)
      for (const k of names.keys()) {
        const name = names[(i + k) % names.length]!;
        const one = await slice(ways[name]!, Number(concurrency), calls[Number(concurrency)]!);
        found[name] ??= {};
        found[name][concurrency] ??= [];
        found[name][concurrency].push(one);
      }
  const figures = (name: string): CallRatios => {
    const beside = (of: keyof Slice) =>
      Object.fromEntries(
        Object.keys(calls).map((c) => [
          c,
          round(median(found[name]![c]!.map((one, i) => one[of] / found.relay![c]![i]![of]))),
        ]),
      );
    const warm = median(found[name]!["16"]!.map((one) => one.cpu));
    return {
      calls: beside("calls"),
      cpu: beside("cpu"),
      p50: beside("p50"),
      p99: beside("p99"),
      firstCalls: round(first[name]! / warm),
    };
  };
  return Object.fromEntries(names.filter((name) => name !== "relay").map((name) => [name, figures(name)]));
}

export interface Slice {
  /** A second. */
  calls: number;
  /** Processor time of a call (µs). */
  cpu: number;
  p50: number;
  p99: number;
}

export async function slice({ target, pid }: Way, concurrency: number, calls: number): Promise<Slice> {
  const before = processorTimeUs(pid);
  const { calls_per_s, p50_ms, p99_ms, calls: made } = await load(target, concurrency, calls, SLICE_LIMIT_MS);
  return {
    calls: calls_per_s,
    cpu: (processorTimeUs(pid) - before) / made,
    p50: p50_ms,
    p99: p99_ms,
  };
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
