import type { Database } from "../database.ts";

/** A count that took longer than this is reused for a while (ms). */
const CHEAP_MS = 50;
/** A count is reused for this many times as long as it took, so that counting takes a few percent of the time. */
const AGE_PER_EFFORT = 20;
const COUNT_TIMEOUT_MS = 60_000;

/** Returns a function that counts all records of the activity. */
export function createRecordCount(database: Database): (signal?: AbortSignal) => Promise<number> {
  let last = { total: 0, until: Number.NEGATIVE_INFINITY };
  return async (signal) => {
    const began = performance.now();
    if (began < last.until) return last.total;
    const total = await database.transact(
      async (sql) => {
        await sql(`set local statement_timeout = '${COUNT_TIMEOUT_MS}ms'`);
        const [counted] = await sql<{ n: number }>("select count(*) as n from activity");
        return counted!.n;
      },
      { signal, timeoutMs: COUNT_TIMEOUT_MS },
    );
    const tookMs = performance.now() - began;
    last = { total, until: tookMs > CHEAP_MS ? began + tookMs * AGE_PER_EFFORT : Number.NEGATIVE_INFINITY };
    return total;
  };
}
