import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "#lib/core/base/clock.ts";
import { recordId } from "#lib/core/base/id.ts";
import type { ActivityRecord } from "#lib/core/schema/activity.ts";
import { openStore } from "#lib/core/store/open-store.ts";
import type { Store } from "#lib/core/store/store.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import type { Sqlite } from "#lib/sqlite/types.ts";
import { heardLog } from "#test/kit/log.ts";
import { nodeSqlite } from "#test/kit/sqlite.ts";

const SINGLE = 500;
const GROUPED = 20_000;
const ROWS = 100_000;

/**
 * What the store costs: durable writes a second one after the other and 64 at a time, CPU and event loop delay of a
 * record, and how long a page takes with 100,000 records there. With node:sqlite in the runtime, the same on that
 * engine and the ratios (above 1: ours is slower).
 */
export async function benchStore(): Promise<Record<string, number>> {
  const ours = await measure(await loadSqlite());
  const own = nodeSqlite();
  if (!own) return ours;
  const theirs = await measure(own);
  const ratios = Object.entries(theirs).map(([name, value]) => {
    const slower = name.endsWith("_per_s") ? value / ours[name]! : ours[name]! / value;
    return [`ratio_${name}`, round(slower)] as const;
  });
  return { ...ours, ...Object.fromEntries(ratios) };
}

async function measure(sqlite: Sqlite): Promise<Record<string, number>> {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const started = performance.now();
  const store = await openStore({ dir, clock: systemClock, log: heardLog("error"), sqlite });
  const openMs = performance.now() - started;
  try {
    return { open_ms: round(openMs), ...(await single(store)), ...(await grouped(store)), ...(await pages(store)) };
  } finally {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function single(store: Store) {
  const started = performance.now();
  for (let i = 0; i < SINGLE; i++) await store.meta.set("n", i);
  return { single_per_s: round(SINGLE / seconds(started)) };
}

async function grouped(store: Store) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpu = process.cpuUsage();
  const started = performance.now();
  await fill(store, GROUPED);
  const spent = process.cpuUsage(cpu);
  delay.disable();
  return {
    grouped_per_s: round(GROUPED / seconds(started)),
    record_cpu_us: round((spent.user + spent.system) / GROUPED),
    loop_delay_p99_ms: round(delay.percentile(99) / 1e6),
  };
}

async function pages(store: Store) {
  await fill(store, ROWS - GROUPED);
  const time = async (filter: Parameters<Store["activity"]["select"]>[0], offset: number) => {
    const times: number[] = [];
    for (let i = 0; i < 9; i++) {
      const started = performance.now();
      await store.activity.select(filter, { limit: 50, offset });
      times.push(performance.now() - started);
    }
    return round(times.sort((a, b) => a - b)[4]!);
  };
  return {
    page_ms: await time({}, 0),
    page_deep_ms: await time({}, 90_000),
    page_server_ms: await time({ server: "server3" }, 0),
    page_request_ms: await time({ request_id: "nobody" }, 0),
  };
}

/** 64 writers, each with its next record as soon as the last one is durable. */
async function fill(store: Store, count: number) {
  let left = count;
  const writer = async () => {
    while (left > 0) await store.activity.add(record(left--));
  };
  await Promise.all(Array.from({ length: 64 }, writer));
}

function record(n: number): ActivityRecord {
  const at = Date.now();
  return {
    id: recordId(at),
    at,
    type: "tool_call",
    source: "mcp",
    status: n % 20 ? "success" : "error",
    server_name: `server${n % 7}`,
    tool_name: `tool${n % 31}`,
    session_id: `session-of-some-length-${n % 16}`,
    request_id: crypto.randomUUID(),
    actor: "admin",
    duration_ms: 1.5,
    arguments: { path: "/some/where", text: "x".repeat(100) },
    response: JSON.stringify({ content: [{ type: "text", text: "y".repeat(600) }] }),
    metadata: { client_name: "bench", intent: { operation_type: "read" } },
  };
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000;
}

function round(n: number): number {
  return Number(n.toPrecision(3));
}
