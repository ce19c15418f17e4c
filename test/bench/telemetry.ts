import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { load, type Target } from "./load.ts";
import { medianRange, type Range } from "./median-range.ts";
import { mainThreadTimeUs, processorTimeUs } from "./processor-time.ts";
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
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20);
const CONCURRENCIES = [1, 16];
/**
 * Calls after a change of the configuration that are not measured: V8 compiles again what it had compiled for the other
 * setting, which a program that is not reconfigured does not pay.
 */
const SETTLING_CALLS = Number(process.env.BENCH_SETTLING ?? 3000);
/**
 * Calls of a slice. With 10 percent recorded they have 512 spans, which is one message to the collector: it is sent when
 * about 2300 of them are done, so each slice pays for the message that its calls fill.
 */
const CALLS = Number(process.env.BENCH_CALLS ?? 2560);

/** Figures of one call, or ratios between two settings. */
const FIGURES = ["p50", "cpu", "mainThread", "collector", "upstream"] as const;
type Figures<T> = Readonly<Record<(typeof FIGURES)[number], T>>;

/**
 * Measures what metrics and traces cost: the same calls with them and without, alternating every second. All calls go
 * through one process, which is reconfigured in between: two processes of the same program differ by up to a fifth, for
 * as long as they run. Each slice is compared with the mean of the slices without both before and after it, so that slow
 * changes of the machine cancel out; the row "off" compares slices without both with each other, so it shows what is left
 * of them. With `taskset`, the proxy has one processor, and the other programs share the rest.
 *
 * `npm run bench -- telemetry traces-10 16` measures one row at one concurrency. `BENCH_BUNDLE=/path/to/proxy.cjs`
 * measures the bundle of another commit. Nothing else may run on the machine.
 *
 * @returns by concurrency: µs of a call without both, and by row the ratios to it. `collector` and `upstream` are the
 *   processor time of those programs, in µs of a call
 */
export async function benchTelemetry(rows: readonly string[]): Promise<Record<string, object>> {
  const stop: Stop[] = [];
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  try {
    const upstream = await startProgram(["test/programs/upstream-http.mjs", "--port", "0"], stop);
    const collector = await startProgram(["test/bench/relays/sink.mjs"], stop);
    const { url, pid } = await startProxy({
      dir,
      servers: [httpServer("http", upstream.url)],
      stop,
      program: [process.execPath, process.env.BENCH_BUNDLE ?? "dist/proxy.cjs"],
    });
    const params = { name: "http__echo", arguments: { message: "hello" } };
    const target: Target = { url: `${url}/mcp/all`, headers: HEADERS, params };
    const pids = { proxy: pid, collector: collector.pid, upstream: upstream.pid };
    pin(pids);
    const all: Readonly<Record<string, TelemetrySettings>> = { off: OFF, ...TELEMETRY(collector.url) };
    const names = TELEMETRY_ROWS.filter((name) => rows.includes(name));
    const chosen = names.length > 0 ? names : TELEMETRY_ROWS;
    const numbers = CONCURRENCIES.filter((one) => rows.includes(String(one)));
    for (const name of ["off", ...chosen]) {
      await configureTelemetry(url, all[name]!);
      await load(target, 16, WARM_UP_CALLS);
    }
    const measure = async (name: string, concurrency: number) => {
      await configureTelemetry(url, all[name]!);
      await load(target, concurrency, SETTLING_CALLS);
      await checkMetrics(url, all[name]!);
      return slice(target, concurrency, pids);
    };
    const result: Record<string, object> = {};
    for (const concurrency of numbers.length > 0 ? numbers : CONCURRENCIES) {
      const without = [await measure("off", concurrency)];
      const pairs = new Map<string, Figures<number>[]>();
      for (let i = 0; i < ROUNDS; i++)
        for (const k of chosen.keys()) {
          const name = chosen[(i + k) % chosen.length]!;
          const one = await measure(name, concurrency);
          const before = without.at(-1)!;
          const after = await measure("off", concurrency);
          pairs.set(name, [...(pairs.get(name) ?? []), beside(one, before, after)]);
          without.push(after);
        }
      const off = without.slice(1, -1).map((one, i) => beside(one, without[i]!, without[i + 2]!));
      result[`${concurrency} concurrent`] = {
        without: ranges(without),
        off: ranges(off),
        ...Object.fromEntries([...pairs].map(([name, found]) => [name, ranges(found)])),
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

interface Pids {
  readonly proxy: number;
  readonly collector: number;
  readonly upstream: number;
}

/** Gives the proxy a processor of its own, so that the other programs do not push it from one to the other. */
function pin({ proxy, collector, upstream }: Pids): void {
  const count = availableParallelism();
  if (count < 2) return;
  const pinned = (pid: number, cpus: string) => spawnSync("taskset", ["-acp", cpus, String(pid)]);
  pinned(proxy, "0");
  for (const pid of [process.pid, collector, upstream]) pinned(pid, count === 2 ? "1" : `1-${count - 1}`);
}

/** Ratios to the mean of two slices without both; the other programs in µs of a call. */
function beside(one: Figures<number>, before: Figures<number>, after: Figures<number>): Figures<number> {
  const ratio = (of: keyof Figures<number>) => one[of] / ((before[of] + after[of]) / 2);
  const { collector, upstream } = one;
  return { p50: ratio("p50"), cpu: ratio("cpu"), mainThread: ratio("mainThread"), collector, upstream };
}

function ranges(list: readonly Figures<number>[]): Figures<Range> {
  return Object.fromEntries(FIGURES.map((of) => [of, medianRange(list.map((one) => one[of]))])) as Figures<Range>;
}

/** @returns µs of a call */
async function slice(target: Target, concurrency: number, pids: Pids): Promise<Figures<number>> {
  const times = () => ({
    cpu: processorTimeUs(pids.proxy),
    mainThread: mainThreadTimeUs(pids.proxy),
    collector: processorTimeUs(pids.collector),
    upstream: processorTimeUs(pids.upstream),
  });
  const before = times();
  const { p50_ms } = await load(target, concurrency, CALLS);
  const after = times();
  const spent = (of: keyof typeof before) => (after[of] - before[of]) / CALLS;
  return {
    p50: p50_ms * 1000,
    cpu: spent("cpu"),
    mainThread: spent("mainThread"),
    collector: spent("collector"),
    upstream: spent("upstream"),
  };
}
