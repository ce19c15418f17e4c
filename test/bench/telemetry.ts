import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallRatios, type CallsEffort, ratios, type Way } from "./calls.ts";
import { httpServer, KEY, type Stop, startProgram, startProxy } from "./programs.ts";

const EFFORT: CallsEffort = {
  warmUp: 10_000,
  rounds: Number(process.env.BENCH_ROUNDS ?? 9),
  calls: { 1: 600, 16: 3000 },
  stdio: false,
  peers: false,
};

/** What is switched on, by the name of the row. */
const SETTINGS = (collector: string): Readonly<Record<string, object>> => ({
  metrics: { metrics: { enabled: true } },
  "traces, 10 % recorded": { otlp: { endpoint: collector, metrics: false, sample_ratio: 0.1 } },
  "traces, all recorded": { otlp: { endpoint: collector, metrics: false, sample_ratio: 1 } },
});

/**
 * Measures what metrics and traces cost: the same call through a proxy with them, beside one without. One run, one
 * machine, alternating. `BENCH_BEFORE=/path/to/proxy.cjs` adds the bundle of another commit, without both.
 */
export async function benchTelemetry(): Promise<Record<string, CallRatios>> {
  const stop: Stop[] = [];
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  try {
    const upstream = await startProgram(["test/programs/upstream-http.mjs", "--port", "0"], stop);
    const collector = await startProgram(["test/bench/relays/sink.mjs"], stop);
    const way = async (settings: object, bundle = "dist/proxy.cjs"): Promise<Way> => {
      const { url, pid } = await startProxy({
        dir: mkdtempSync(join(dir, "proxy-")),
        servers: [httpServer("http", upstream.url)],
        stop,
        program: [process.execPath, bundle],
        settings,
      });
      const params = { name: "http__echo", arguments: { message: "hello" } };
      return { target: { url: `${url}/mcp/all`, headers: { "x-api-key": KEY }, params }, pid };
    };
    const ways: Record<string, Way> = { relay: await way({}) };
    for (const [name, settings] of Object.entries(SETTINGS(collector.url))) ways[name] = await way(settings);
    const { BENCH_BEFORE } = process.env;
    if (BENCH_BEFORE) ways.before = await way({}, BENCH_BEFORE);
    return await ratios(ways, EFFORT);
  } finally {
    await Promise.all(stop.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
  }
}
