import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { load, type Target } from "./load.ts";
import { httpServer, type Stop, startProgram, startProxy } from "./programs.ts";
import { configureTelemetry, HEADERS, OFF, TELEMETRY, TELEMETRY_ROWS } from "./telemetry-settings.ts";

const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 10_000);
const SETTLING_CALLS = 500;
const CALLS = Number(process.env.BENCH_CALLS ?? 8000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

/**
 * Bytes that a call allocates with metrics and traces, and without: V8's own count between two collections. Two
 * measurements of the same program differ by less than one percent, also on a busy machine, so this decides what a change of
 * the call path is worth before `telemetry` measures its time.
 */
export async function benchTelemetryBytes(rows: readonly string[]): Promise<Record<string, number[]>> {
  const stop: Stop[] = [];
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  try {
    const node = execFileSync(process.execPath, ["build/bare-node.mjs"], { encoding: "utf8" }).trim();
    const upstream = await startProgram(["test/programs/upstream-http.mjs", "--port", "0"], stop);
    const collector = await startProgram(["test/bench/relays/sink.mjs"], stop);
    const log = join(dir, "gc.log");
    const flags = ["--expose-gc", "--trace-gc-nvp", "-r", resolve("test/bench/collect-on-signal.cjs")];
    const bundle = process.env.BENCH_BUNDLE ?? "dist/proxy.cjs";
    // V8 writes to the standard output, which the shell turns into a file.
    const program = ["sh", "-c", `exec "$0" "$@" > '${log}'`, node, ...flags, bundle];
    const servers = [httpServer("http", upstream.url)];
    const { url, pid } = await startProxy({ dir, servers, stop, program });
    const params = { name: "http__echo", arguments: { message: "hello" } };
    const target: Target = { url: `${url}/mcp/all`, headers: HEADERS, params };
    const all = { off: OFF, ...TELEMETRY(collector.url) };
    const chosen = TELEMETRY_ROWS.filter((name) => rows.includes(name));
    const names = ["off", ...(chosen.length > 0 ? chosen : TELEMETRY_ROWS)];
    const figures: Record<string, number[]> = {};
    for (const name of names) {
      await configureTelemetry(url, all[name as keyof typeof all]);
      await load(target, 16, WARM_UP);
    }
    for (let i = 0; i < ROUNDS; i++)
      for (const name of names) {
        await configureTelemetry(url, all[name as keyof typeof all]);
        await load(target, 16, SETTLING_CALLS);
        const before = await allocated(pid, log);
        await load(target, 16, CALLS);
        const bytes = (await allocated(pid, log)) - before;
        figures[name] = [...(figures[name] ?? []), Math.round(bytes / CALLS)];
      }
    return figures;
  } finally {
    await Promise.all(stop.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Has the proxy collect its garbage. @returns the bytes that it has allocated since its start */
async function allocated(pid: number, log: string): Promise<number> {
  const collections = () => readFileSync(log, "utf8").split("collected on signal\n");
  const count = collections().length;
  process.kill(pid, "SIGUSR2");
  for (const end = Date.now() + 20_000; collections().length === count; await new Promise((r) => setTimeout(r, 20)))
    if (Date.now() > end) throw new Error("the proxy did not collect its garbage");
  const done = collections().slice(0, -1).join("");
  return [...done.matchAll(/ allocated=(\d+) /g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}
