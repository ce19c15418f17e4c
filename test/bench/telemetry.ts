import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { load, openLoadClient, type Target } from "./load.ts";
import { medianRange, type Range } from "./median-range.ts";
import { processorTimeUs } from "./processor-time.ts";
import { httpServer, type Stop, startProgram, startProxy } from "./programs.ts";
import {
  checkMetrics,
  configureTelemetry,
  HEADERS,
  OFF,
  TELEMETRY,
  TELEMETRY_ROWS,
  type TelemetrySettings,
} from "./telemetry-settings.ts";

const WARM_UP_CALLS = 25_000;
/** Pairs of rounds, in the second of which the two programs have exchanged their settings. */
const PAIRS = Number(process.env.BENCH_PAIRS ?? 16);
const CONCURRENCIES = [1, 16];
/**
 * Calls after a change of the configuration that are not measured: V8 compiles again what it had compiled for the other
 * setting, which a program that is not reconfigured does not pay.
 */
const SETTLING_CALLS = Number(process.env.BENCH_SETTLING ?? 3000);
/**
 * Calls that each program gets in a round. With 10 percent recorded they have 512 spans, which is one message to the
 * collector: it is sent when about 2300 of them are done, so each round pays for the message that its calls fill.
 */
const CALLS = Number(process.env.BENCH_CALLS ?? 2560);
/** Calls of one program before it is the other one's turn: 20 to 30 ms. */
const BLOCK_CALLS = 64;

/** Figures of one call. */
interface Figures<T> {
  /** µs, or a ratio */
  readonly p50: T;
  readonly cpu: T;
}

/**
 * Measures what metrics and traces cost: two processes of the same program get the same calls in turn, 64 at a time, one
 * with the setting and one without both, so that the load of the machine meets both alike. Two processes of one
 * program differ by up to a fifth for as long as they run. In the next round they have therefore exchanged their settings, and the
 * geometric mean of both ratios is free of this difference. The row "off" compares the programs without both in the same
 * way, so it shows how exact the others are. With `taskset`, the two have one processor, and the other programs share
 * the rest.
 *
 * `npm run bench -- telemetry traces-10 16` measures one row at one concurrency. `BENCH_BUNDLE=/path/to/proxy.cjs`
 * measures the bundle of another commit. Nothing else may run on the machine.
 *
 * @returns by concurrency: µs of a call without both, and by row the ratios to it
 */
export async function benchTelemetry(rows: readonly string[]): Promise<Record<string, object>> {
  const stop: Stop[] = [];
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  try {
    const upstream = await startProgram(["test/programs/upstream-http.mjs", "--port", "0"], stop);
    const collector = await startProgram(["test/bench/relays/sink.mjs"], stop);
    const start = (name: string) => {
      const data = join(dir, name);
      mkdirSync(data);
      const program = [process.execPath, process.env.BENCH_BUNDLE ?? "dist/proxy.cjs"];
      return startProxy({ dir: data, servers: [httpServer("http", upstream.url)], stop, program });
    };
    const programs = [await start("a"), await start("b")] as const;
    pin({ proxies: programs.map(({ pid }) => pid), others: [process.pid, collector.pid, upstream.pid] });
    const all: Readonly<Record<string, TelemetrySettings>> = { off: OFF, ...TELEMETRY(collector.url) };
    const names = TELEMETRY_ROWS.filter((name) => rows.includes(name));
    const chosen = ["off", ...(names.length > 0 ? names : TELEMETRY_ROWS)];
    const numbers = CONCURRENCIES.filter((one) => rows.includes(String(one)));
    for (const { url } of programs)
      for (const name of chosen) {
        await configureTelemetry(url, all[name]!);
        await load(targetOf(url), 16, WARM_UP_CALLS);
      }
    const result: Record<string, object> = {};
    for (const concurrency of numbers.length > 0 ? numbers : CONCURRENCIES) {
      const without: Figures<number>[] = [];
      const ratios = new Map<string, Figures<number>[]>();
      for (let i = 0; i < PAIRS; i++)
        for (const k of chosen.keys()) {
          const name = chosen[(i + k) % chosen.length]!;
          const [a, b] = await round(programs, [all[name]!, OFF], concurrency);
          const [c, d] = await round(programs, [OFF, all[name]!], concurrency);
          const ratio = (of: keyof Figures<number>) => Math.sqrt((a[of] / b[of]) * (d[of] / c[of]));
          ratios.set(name, [...(ratios.get(name) ?? []), { p50: ratio("p50"), cpu: ratio("cpu") }]);
          without.push(b, c);
        }
      result[`${concurrency} concurrent`] = {
        without: ranges(without),
        ...Object.fromEntries([...ratios].map(([name, found]) => [name, ranges(found)])),
      };
    }
    const { messages } = (await (await fetch(collector.url)).json()) as { messages: number };
    if (messages === 0 && chosen.some((name) => /traces-[1-9]/.test(name)))
      throw new Error("the collector received nothing");
    return result;
  } finally {
    await Promise.all(stop.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Program {
  readonly url: string;
  readonly pid: number;
}

function targetOf(url: string): Target {
  return { url: `${url}/mcp/all`, headers: HEADERS, params: { name: "http__echo", arguments: { message: "hello" } } };
}

/** Gives the proxies a processor of their own, so that the other programs do not push them from one to the other. */
function pin({ proxies, others }: Readonly<Record<"proxies" | "others", readonly number[]>>): void {
  const count = availableParallelism();
  if (count < 2) return;
  const pinned = (pid: number, cpus: string) => spawnSync("taskset", ["-acp", cpus, String(pid)]);
  for (const pid of proxies) pinned(pid, "0");
  for (const pid of others) pinned(pid, count === 2 ? "1" : `1-${count - 1}`);
}

type Pair<T> = readonly [T, T];

/** @returns the figures of both programs, in µs of a call */
async function round(
  programs: Pair<Program>,
  settings: Pair<TelemetrySettings>,
  concurrency: number,
): Promise<Pair<Figures<number>>> {
  const begin = async (i: 0 | 1) => {
    const { url, pid } = programs[i];
    await configureTelemetry(url, settings[i]);
    await checkMetrics(url, settings[i]);
    const client = await openLoadClient(targetOf(url), concurrency);
    return { client, pid, times: [] as number[], cpuUs: 0 };
  };
  const both = [await begin(0), await begin(1)] as const;
  for (let calls = 0; calls < SETTLING_CALLS; calls += BLOCK_CALLS)
    for (const { client } of both) await client.call(BLOCK_CALLS);
  for (const one of both) one.cpuUs = -processorTimeUs(one.pid);
  for (let calls = 0; calls < CALLS; calls += BLOCK_CALLS)
    for (const { client, times } of both) times.push(...(await client.call(BLOCK_CALLS)));
  for (const one of both) one.cpuUs += processorTimeUs(one.pid);
  for (const { client } of both) await client.close();
  const figures = (i: 0 | 1) => {
    const { times, cpuUs } = both[i];
    return { p50: medianOf(times) * 1000, cpu: cpuUs / times.length };
  };
  return [figures(0), figures(1)];
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function ranges(list: readonly Figures<number>[]): Figures<Range> {
  return { p50: medianRange(list.map(({ p50 }) => p50)), cpu: medianRange(list.map(({ cpu }) => cpu)) };
}
