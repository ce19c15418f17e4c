import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "#lib/core/base/clock.ts";
import { createSandbox, type Sandbox } from "#lib/modules/code/sandbox/sandbox.ts";
import { round } from "./load.ts";

const RUNS = Number(process.env.BENCH_SANDBOX_RUNS ?? 10_000);

/**
 * Code execution without upstreams: what one script costs, what its calls cost, what threads hold, and what spinning
 * scripts do to everybody else in the process.
 */
export async function benchSandbox(): Promise<Record<string, number>> {
  const sandbox = createSandbox({ size: () => 10, clock: systemClock });
  const out: Record<string, number> = {};
  try {
    const rssBefore = rss();
    out.cold_ms = await took(() => run(sandbox, "1 + 1"));
    out.warm_ms = await median(200, () => run(sandbox, "1 + 1"));
    out.typescript_cold_ms = await took(() => run(sandbox, "const a: number = 1; a", "typescript"));
    out.typescript_warm_ms = await median(50, () => run(sandbox, "const a: number = 1; a", "typescript"));
    const calls = 5000;
    const all = await took(() => run(sandbox, `for (let i = 0; i < ${calls}; i++) call_tool('s', 't', { i })`));
    out.call_tool_us = round((all / calls) * 1000);
    const batch = "call_tools(Array.from({ length: 100 }, (_, i) => ({ server: 's', tool: 't', args: { i } }))).length";
    out.batch_100_ms = await median(50, () => run(sandbox, batch));
    out.ten_at_once_ms = await took(() => Promise.all(Array.from({ length: 10 }, () => run(sandbox, "1 + 1"))));
    const { idle } = sandbox.facts();
    out.idle_workers = idle;
    out.mb_per_idle_worker = round((rss() - rssBefore) / Math.max(1, idle));
    const flat = rss();
    for (let i = 0; i < RUNS; i++) await run(sandbox, "[1, 2, 3].map((x) => x * 2)");
    out[`rss_growth_after_${RUNS}_mb`] = round(rss() - flat);
    Object.assign(out, await neighbours(sandbox));
  } finally {
    await sandbox.close();
  }
  return out;
}

/** p99 of a small HTTP answer of this process, quiet and while four scripts spin (ms). */
async function neighbours(sandbox: Sandbox): Promise<Record<string, number>> {
  const server = createServer((_, res) => res.end("ok"));
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const { port } = server.address() as AddressInfo;
  const ask = () =>
    new Promise<void>((done, fail) => {
      request({ host: "127.0.0.1", port, path: "/" }, (res) => res.resume().on("end", done))
        .on("error", fail)
        .end();
    });
  const p99 = async () => {
    const times: number[] = [];
    for (let i = 0; i < 1000; i++) times.push(await took(ask));
    return times.sort((a, b) => a - b)[989]!;
  };
  const quiet = await p99();
  const spinning = Promise.all(Array.from({ length: 4 }, () => run(sandbox, "for (;;);", "javascript", 3000)));
  const busy = await p99();
  await spinning;
  server.close();
  return { p99_quiet_ms: quiet, p99_while_four_spin_ms: busy };
}

async function run(
  sandbox: Sandbox,
  source: string,
  language: "javascript" | "typescript" = "javascript",
  timeoutMs = 60_000,
) {
  const ended = await sandbox.run({
    source,
    holder: { key: "bench", admin: true },
    language,
    filename: "bench.js",
    input: "{}",
    timeoutMs,
    queueTimeoutMs: 30_000,
    signal: new AbortController().signal,
    onCall: async (kind) =>
      kind === 0 ? '{"ok":true,"result":{}}' : `[${'{"ok":true,"result":{}},'.repeat(99)}{"ok":true}]`,
    onLog: () => {},
  });
  if (!ended.ok && ended.code !== "TIMEOUT") throw new Error(`${source}: ${ended.message}`);
}

async function took(what: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await what();
  return round(performance.now() - from);
}

async function median(times: number, what: () => Promise<unknown>): Promise<number> {
  const list: number[] = [];
  for (let i = 0; i < times; i++) list.push(await took(what));
  return list.sort((a, b) => a - b)[Math.floor(times / 2)]!;
}

const rss = () => process.memoryUsage.rss() / 1024 / 1024;
