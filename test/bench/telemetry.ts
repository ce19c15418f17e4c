import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallRatios, type CallsEffort, ratios, type Way } from "./calls.ts";
import { load } from "./load.ts";
import { httpServer, KEY, type Stop, startProgram, startProxy } from "./programs.ts";

const EFFORT: CallsEffort = {
  warmUp: 6000,
  rounds: Number(process.env.BENCH_ROUNDS ?? 9),
  calls: { 1: 600, 16: 3000 },
  stdio: false,
  peers: false,
};

/** Calls after a change of the configuration that are not measured. */
const SETTLING_CALLS = 500;

interface Settings {
  readonly metrics: { readonly enabled: boolean };
  readonly otlp: object;
}

const OFF: Settings = { metrics: { enabled: false }, otlp: { endpoint: "", metrics: false } };

/** What is switched on, by the name of the row. */
const SETTINGS = (collector: string): Readonly<Record<string, Settings>> => {
  const traces = (ratio: number) => ({ ...OFF, otlp: { endpoint: collector, metrics: false, sample_ratio: ratio } });
  return {
    metrics: { ...OFF, metrics: { enabled: true } },
    "traces, none recorded": traces(0),
    "traces, 10 % recorded": traces(0.1),
    "traces, all recorded": traces(1),
  };
};

/**
 * Measures what metrics and traces cost: the same call with them and without, alternating. All calls go through one
 * process, which is reconfigured in between: two processes of the same program differ by up to a fifth, for as long as
 * they run. `BENCH_BUNDLE=/path/to/proxy.cjs` measures the bundle of another commit.
 */
export async function benchTelemetry(): Promise<Record<string, CallRatios>> {
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
    const headers = { "x-api-key": KEY };
    const params = { name: "http__echo", arguments: { message: "hello" } };
    const target = { url: `${url}/mcp/all`, headers, params };
    const way = (settings: Settings): Way => ({
      target,
      pid,
      async prepare() {
        const init = { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(settings) };
        const { status } = await fetch(`${url}/api/v1/config`, { method: "PATCH", ...init });
        if (status !== 200) throw new Error(`the configuration is not changed: status ${status}`);
        await load(target, 16, SETTLING_CALLS);
        const scraped = await fetch(`${url}/metrics`, { headers });
        if (scraped.ok !== settings.metrics.enabled) throw new Error(`GET /metrics answers ${scraped.status}`);
      },
    });
    const ways: Record<string, Way> = { relay: way(OFF) };
    for (const [name, settings] of Object.entries(SETTINGS(collector.url))) ways[name] = way(settings);
    const found = await ratios(ways, EFFORT);
    const { messages } = (await (await fetch(collector.url)).json()) as { messages: number };
    if (messages === 0) throw new Error("the collector received nothing");
    return found;
  } finally {
    await Promise.all(stop.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
  }
}
