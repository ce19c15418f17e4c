import type { DatabaseConnection } from "./database-connection.ts";
import { gatherWrites } from "./gather-writes.ts";
import type { UsageStore } from "./store.ts";
import { addedUsage, DAY_MS, USAGE_DAYS, type UsageDay, UsageDays } from "./usage-days.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Counts calls per tool and day (UTC). A call only changes memory; the next commit writes the totals. */
export function createUsageStore(connection: DatabaseConnection, queue: WriteQueue): UsageStore {
  let kept: UsageDays | undefined;
  let newestDay = 0;
  queue.onRefused(() => {
    kept = undefined;
  });
  const counts = gatherWrites<UsageDay>(queue, (days) => {
    for (const { tool, day, calls, lastUsed } of days) connection.prepare(ADD).run(tool, day, calls, lastUsed);
  });

  const days = (): UsageDays => {
    if (kept) return kept;
    queue.flush();
    kept = new UsageDays();
    const rows = connection.read(() => connection.prepare("select * from usage").all());
    for (const { tool, day, calls, last_used } of rows)
      kept.add({ tool, day, calls, lastUsed: last_used } as unknown as UsageDay);
    return kept;
  };
  const forgetBefore = (day: number) => {
    kept?.forgetBefore(day);
    return queue.put("soon", () => {
      connection.prepare("delete from usage where day < ?").run(day);
    });
  };

  return {
    count(tool, at) {
      const day = Math.floor(at / DAY_MS);
      const one = { tool, day, calls: 1, lastUsed: at };
      const durable = counts.put(`${day} ${tool}`, (waiting) => addedUsage(waiting, one));
      kept?.add(one);
      const isNewDay = day > newestDay;
      newestDay = Math.max(newestDay, day);
      return isNewDay ? Promise.all([durable, forgetBefore(day - USAGE_DAYS)]).then(() => {}) : durable;
    },
    last30Days: (tool, now) => days().last30Days(tool, now),
  };
}

const ADD = `insert into usage (tool, day, calls, last_used) values (?, ?, ?, ?)
  on conflict do update set calls = calls + excluded.calls, last_used = max(last_used, excluded.last_used)`;
