import type { Database } from "./database.ts";
import { purgeRemoved, type SharedTable } from "./shared-table.ts";
import type { View } from "./view.ts";

/** Deletes the marks of rows that were removed a day ago, which every replica has read by then. */
interface MarkPurge {
  /**
   * Remembers the revisions of the views, and deletes the marks up to those that are a day old.
   *
   * @param nowMs by a clock that never goes back
   */
  tick(nowMs: number, signal?: AbortSignal): Promise<void>;
}

interface Remembered {
  readonly at: number;
  readonly revisions: readonly number[];
}

/** A replica that was away for longer reads the whole table. (ms) */
const KEPT_MS = 86_400_000;

/** @param tables tables with any rows; only their names and revisions are used */
export function createMarkPurge(
  database: Database,
  tables: readonly {
    readonly table: Pick<SharedTable<never>, "topic" | "table">;
    readonly view: Pick<View<never>, "revision">;
  }[],
): MarkPurge {
  let remembered: Remembered[] = [];
  return {
    async tick(nowMs, signal) {
      remembered.push({ at: nowMs, revisions: tables.map(({ view }) => view.revision()) });
      const due = remembered.findLast(({ at }) => at <= nowMs - KEPT_MS);
      if (!due) return;
      for (const [index, { table }] of tables.entries())
        await database.transact((sql) => purgeRemoved(sql, table, due.revisions[index]!), { signal });
      remembered = remembered.filter(({ at }) => at > due.at);
    },
  };
}
