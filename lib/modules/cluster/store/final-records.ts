import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";

/** Returns a number up to which the records are final: no record with a smaller number is added later. */
export type FinalRecords = (signal?: AbortSignal) => Promise<number>;

/** How often and how long transactions are waited for that may still add a record (ms). */
const ATTEMPTS = 10;
const PAUSE_MS = 10;

/**
 * Numbers are not in the order of commits. A record gets its number in a transaction that has its own number already
 * (`insertActivity`). Transaction numbers only rise. So when every transaction with a smaller number than that of a later
 * look has ended, the records that this look found are final.
 */
export function createFinalRecords(database: Database): FinalRecords {
  let final = 0;
  /** The newest record of an earlier look, and the number of its transaction. */
  let look = { seq: 0, transaction: 0 };
  return async (signal) => {
    for (let attempt = 1; ; attempt++) {
      const [row] = await database.run((sql) => sql<Row>(LOOK, [final]), { signal });
      const { seq } = row!;
      const [oldest, transaction] = [Number(row!.oldest), Number(row!.transaction)];
      // A number that went back is that of a restored database.
      const restored = seq < final || (transaction > 0 && transaction < look.transaction);
      if (restored) {
        final = 0;
        look = { seq: 0, transaction: 0 };
      }
      if (oldest >= look.transaction) {
        final = Math.max(final, look.seq);
        if (transaction > 0) look = { seq, transaction };
      }
      if (transaction > 0 && oldest >= transaction) final = seq;
      if ((final >= seq && !restored) || attempt === ATTEMPTS) return final;
      await sleep(PAUSE_MS, undefined, { signal });
    }
  };
}

interface Row {
  seq: number;
  /** Every transaction with a smaller number has ended. */
  oldest: string;
  /** The number of this transaction; null if no record is newer than $1. */
  transaction: string | null;
}

/**
 * One statement, because its snapshot is older than its transaction's number. The end of the snapshot
 * (`pg_snapshot_xmax`) would not do: it is the number after the last transaction that ended, and one under way may have it.
 */
const LOOK = `select seq, pg_snapshot_xmin(pg_current_snapshot())::text as oldest,
  case when seq > $1 then pg_current_xact_id()::text end as transaction
  from (select coalesce(max(seq), 0) as seq from activity) as newest`;
