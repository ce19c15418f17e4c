import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Slice, slice, type Way } from "./calls.ts";
import { load, round } from "./load.ts";
import { httpServer, KEY, type Stop, startProgram, startProxy } from "./programs.ts";

const WARM_UP_CALLS = 6000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30);
/** Calls of a round, by concurrency: short, so that whatever else runs on the machine meets all settings. */
const CALLS: Readonly<Record<number, number>> = { 1: 200, 16: 1000 };
/** Calls after a change of the configuration that are not measured. */
const SETTLING_CALLS = 300;

interface Settings {
  readonly metrics: { readonly enabled: boolean };
  readonly otlp: object;
}

const OFF: Settings = { metrics: { enabled: false }, otlp: { endpoint: "", metrics: false } };

/** What is switched on, by the name of the row. */
const SETTINGS = (collector: string): Readonly<Record<string, Settings>> => {
  const traces = (ratio: number) => ({ ...OFF, otlp: { endpoint: collector, metrics: false, sample_ratio: ratio } });
  return {
    "off, once more": OFF,
    metrics: { ...OFF, metrics: { enabled: true } },
    "traces, none recorded": traces(0),
    "traces, 10 % recorded": traces(0.1),
    "traces, all recorded": traces(1),
  };
};

/** Figures beside those without metrics and traces, by concurrency. */
interface Cost {
  readonly p50: Readonly<Record<string, number>>;
  readonly cpu: Readonly<Record<string, number>>;
}

/**
 * Measures what metrics and traces cost: the same call with them and without, alternating. All calls go through one
 * process, which is reconfigured in between: two processes of the same program differ by up to a fifth, for as long as
 * they run. Other work on the machine only adds time, so the lower quartiles of all rounds are compared; "off, once more"
 * shows how much they differ by chance. `BENCH_BUNDLE=/path/to/proxy.cjs` measures the bundle of another commit.
 */
export async function benchTelemetry(): Promise<Record<string, Cost>> {
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
    const way: Way = { target: { url: `${url}/mcp/all`, headers: HEADERS, params }, pid };
    const settings = Object.entries({ off: OFF, ...SETTINGS(collector.url) });
    for (const [, one] of settings) {
      await configure(url, one);
      await load(way.target, 16, WARM_UP_CALLS);
    }
    const found = new Map<string, Slice[]>();
    for (let i = 0; i < ROUNDS; i++)
      for (const k of settings.keys()) {
        const [name, one] = settings[(i + k) % settings.length]!;
        await configure(url, one);
        await load(way.target, 16, SETTLING_CALLS);
        await checkMetrics(url, one);
        for (const [concurrency, calls] of Object.entries(CALLS)) {
          const key = `${name} ${concurrency}`;
          found.set(key, [...(found.get(key) ?? []), await slice(way, Number(concurrency), calls)]);
        }
      }
    const { messages } = (await (await fetch(collector.url)).json()) as { messages: number };
    if (messages === 0) throw new Error("the collector received nothing");
    const costs = settings.slice(1).map(([name]): [string, Cost] => {
      const beside = (of: "p50" | "cpu") =>
        Object.fromEntries(
          Object.keys(CALLS).map((c) => [
            c,
            round(lowerQuartile(found.get(`${name} ${c}`)!, of) / lowerQuartile(found.get(`off ${c}`)!, of)),
          ]),
        );
      return [name, { p50: beside("p50"), cpu: beside("cpu") }];
    });
    return Object.fromEntries(costs);
  } finally {
    await Promise.all(stop.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
  }
}

const HEADERS = { "x-api-key": KEY };

async function configure(url: string, settings: Settings): Promise<void> {
  const headers = { ...HEADERS, "content-type": "application/json" };
  const init = { method: "PATCH", headers, body: JSON.stringify(settings) };
  const { status } = await fetch(`${url}/api/v1/config`, init);
  if (status !== 200) throw new Error(`the configuration is not changed: status ${status}`);
}

async function checkMetrics(url: string, { metrics }: Settings): Promise<void> {
  const { ok, status } = await fetch(`${url}/metrics`, { headers: HEADERS });
  if (ok !== metrics.enabled) throw new Error(`GET /metrics answers ${status}`);
}

function lowerQuartile(slices: readonly Slice[], of: "p50" | "cpu"): number {
  const sorted = slices.map((one) => one[of]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 4)]!;
}
