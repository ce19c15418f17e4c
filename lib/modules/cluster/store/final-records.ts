import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";

/** Returns a number up to which the records are final: no record with a smaller number is added later. */
export type FinalRecords = (signal?: AbortSignal) => Promise<number>;

/** How often and how long transactions are waited for that may still add a record (ms). */
const ATTEMPTS = 10;
const PAUSE_MS = 10;

/**
 * Numbers are not in the order of commits. A number is taken by a transaction that has its own number already
 * (`insertActivity`), so when every transaction that was under way at a moment has ended, the records up to the newest one
 * of that moment are final.
 */
export function createFinalRecords(database: Database): FinalRecords {
  let final = 0;
  /** The newest record of a moment, and the number of the first transaction that began later. */
  let moment = { seq: 0, next: 0 };
  return async (signal) => {
    for (let attempt = 1; ; attempt++) {
      const [row] = await database.run((sql) => sql<{ seq: number; next: string; oldest: string }>(NOW), { signal });
      const now = { seq: row!.seq, next: Number(row!.next) };
      const oldest = Number(row!.oldest);
      // A number that went back is that of a restored database.
      if (now.seq < final || now.next < moment.next) final = 0;
      else if (oldest >= moment.next) final = Math.max(final, moment.seq);
      if (oldest >= now.next) final = now.seq;
      else if (oldest >= moment.next || now.next < moment.next) moment = now;
      if (final >= now.seq || attempt === ATTEMPTS) return final;
      await sleep(PAUSE_MS, undefined, { signal });
    }
  };
}

/** One statement, because both must be of the same snapshot. */
const NOW = `select coalesce(max(seq), 0) as seq, pg_snapshot_xmax(pg_current_snapshot())::text as next,
  pg_snapshot_xmin(pg_current_snapshot())::text as oldest from activity`;
