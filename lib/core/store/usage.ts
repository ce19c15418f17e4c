import type { DatabaseConnection } from "./database-connection.ts";
import { gatherWrites } from "./gather-writes.ts";
import type { UsageStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

interface Day {
  readonly tool: string;
  readonly day: number;
  readonly calls: number;
  readonly lastUsed: number;
}

const DAY_MS = 86_400_000;
const DAYS = 30;

/** Counts calls per tool and day (UTC). A call only changes memory; the next commit writes the totals. */
export function createUsageStore(connection: DatabaseConnection, queue: WriteQueue): UsageStore {
  let kept: Map<string, Map<number, Day>> | undefined;
  let newestDay = 0;
  queue.onRefused(() => {
    kept = undefined;
  });
  const counts = gatherWrites<Day>(queue, (days) => {
    for (const { tool, day, calls, lastUsed } of days) connection.prepare(ADD).run(tool, day, calls, lastUsed);
  });

  const byTool = (): Map<string, Map<number, Day>> => {
    if (kept) return kept;
    queue.flush();
    kept = new Map();
    const rows = connection.read(() => connection.prepare("select * from usage").all());
    for (const { tool, day, calls, last_used } of rows)
      add(kept, { tool, day, calls, lastUsed: last_used } as unknown as Day);
    return kept;
  };
  const forgetBefore = (day: number) => {
    for (const days of kept?.values() ?? []) for (const old of days.keys()) if (old < day) days.delete(old);
    return queue.put("soon", () => {
      connection.prepare("delete from usage where day < ?").run(day);
    });
  };

  return {
    count(tool, at) {
      const day = Math.floor(at / DAY_MS);
      const one = { tool, day, calls: 1, lastUsed: at };
      const durable = counts.put(`${day} ${tool}`, (waiting) => sum(waiting, one));
      if (kept) add(kept, one);
      const isNewDay = day > newestDay;
      newestDay = Math.max(newestDay, day);
      return isNewDay ? Promise.all([durable, forgetBefore(day - DAYS)]).then(() => {}) : durable;
    },
    last30Days(now) {
      const since = Math.floor(now / DAY_MS) - DAYS;
      const totals = new Map<string, { count: number; lastUsed: number }>();
      for (const [tool, days] of byTool()) {
        let count = 0;
        let lastUsed = 0;
        for (const { day, calls, lastUsed: at } of days.values()) {
          if (day <= since) continue;
          count += calls;
          lastUsed = Math.max(lastUsed, at);
        }
        if (count > 0) totals.set(tool, { count, lastUsed });
      }
      return totals;
    },
  };
}

const ADD = `insert into usage (tool, day, calls, last_used) values (?, ?, ?, ?)
  on conflict do update set calls = calls + excluded.calls, last_used = max(last_used, excluded.last_used)`;

function add(tools: Map<string, Map<number, Day>>, one: Day) {
  const days: Map<number, Day> = tools.get(one.tool) ?? new Map();
  tools.set(one.tool, days.set(one.day, sum(days.get(one.day), one)));
}

function sum(a: Day | undefined, b: Day): Day {
  return a ? { ...b, calls: a.calls + b.calls, lastUsed: Math.max(a.lastUsed, b.lastUsed) } : b;
}
