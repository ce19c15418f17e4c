import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#lib/core/base/clock.ts";
import type { TallyBy } from "#lib/core/schema/activity.ts";
import { openStore } from "#lib/core/store/open-store.ts";
import type { Store } from "#lib/core/store/store.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { heardLog } from "#test/kit/log.ts";
import { activityRecord } from "#test/kit/store.ts";

const DAY_MS = 86_400_000;
const SIZES = { "100k": 100_000, "1m": 1_000_000 };
const BY: Record<string, TallyBy> = { summary: {}, usage: { durations: true } };

/** CPU of counting all records of 30 days, as the first asker pays it (ms), and the longest piece without a turn. */
export async function benchCounts(): Promise<Record<string, number>> {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const store = await openStore({ dir, clock: systemClock, log: heardLog("error"), sqlite: await loadSqlite() });
  const figures: Record<string, number> = {};
  const now = Date.now();
  let rows = 0;
  try {
    for (const [size, wanted] of Object.entries(SIZES)) {
      for (; rows < wanted; rows += 5000) await fill(store, rows, now);
      for (const [name, by] of Object.entries(BY)) {
        const { cpuMs, longestMs } = await count(store, now - 30 * DAY_MS, by);
        figures[`${name}_${size}_cpu_ms`] = Math.round(cpuMs);
        figures[`${name}_${size}_longest_ms`] = Math.round(longestMs * 10) / 10;
      }
    }
  } finally {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  }
  return figures;
}

async function count(store: Store, after: number, by: TallyBy) {
  const before = process.cpuUsage();
  let last = process.cpuUsage(before);
  let longestMs = 0;
  for await (const _ of store.activity.tally({ after }, by)) {
    const { user, system } = process.cpuUsage(before);
    longestMs = Math.max(longestMs, (user + system - last.user - last.system) / 1000);
    last = { user, system };
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, longestMs };
}

/** 5,000 records of 50 servers and 500 tools, spread over 28 days. */
async function fill(store: Store, from: number, now: number): Promise<void> {
  const added: Promise<void>[] = [];
  for (let i = from; i < from + 5000; i++)
    added.push(
      store.activity.add(
        activityRecord({
          at: now - 29 * DAY_MS + ((i * 2_654_435_761) % (28 * DAY_MS)),
          server_name: `s${i % 50}`,
          tool_name: `t${i % 500}`,
          duration_ms: i % 900,
        }),
      ),
    );
  await Promise.all(added);
}
