import type { SharedClock } from "../../core/store/store.ts";
import type { Sql } from "./connection.ts";
import type { Database } from "./database.ts";
import { monotonicMs } from "./lease.ts";

/** By how much the clock of this machine differs from the database's, which counts for all replicas. */
export interface DatabaseClock extends SharedClock {
  /** Asks the database for its time. */
  measure(database: Pick<Database, "run">, signal?: AbortSignal): Promise<void>;
}

/** A smaller difference is left as it is, so that synchronised clocks are not changed by each measurement. (ms) */
const TOLERANCE_MS = 1000;
/** Synchronised clocks differ by milliseconds. A difference of this length is reported. (ms) */
const WRONG_CLOCK_MS = 5000;

/** @param onWrong called when the clock has become wrong */
export function createDatabaseClock({
  now = Date.now,
  onWrong = () => {},
}: {
  now?: () => number;
  onWrong?: (offsetMs: number) => void;
}): DatabaseClock {
  let last = { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY };
  let used = 0;
  let isWrong = false;
  return {
    async measure(database, signal) {
      const measured = await database.run((sql) => compareClocks(sql, now), { signal });
      // A slow answer says too little, unless there is no other.
      if (measured.errorMs > TOLERANCE_MS && last.errorMs < measured.errorMs) return;
      last = measured;
      if (Math.abs(measured.offsetMs - used) > TOLERANCE_MS)
        used = Math.abs(measured.offsetMs) > TOLERANCE_MS ? Math.round(measured.offsetMs) : 0;
      const wasWrong = isWrong;
      isWrong = isClockWrong(measured);
      if (isWrong && !wasWrong) onWrong(measured.offsetMs);
    },
    measured: () => last,
    offsetMs: () => used,
  };
}

/** Whether somebody should correct the clock of this machine. */
export function isClockWrong({ offsetMs, errorMs }: ReturnType<SharedClock["measured"]>): boolean {
  return Math.abs(offsetMs) - errorMs > WRONG_CLOCK_MS;
}

async function compareClocks(sql: Sql, now: () => number) {
  const began = { wall: now(), monotonic: monotonicMs() };
  const [row] = await sql<{ now: number }>("select extract(epoch from clock_timestamp())::float8 * 1000 as now");
  // The answer was made at some moment in between.
  const halfMs = (monotonicMs() - began.monotonic) / 2;
  return { offsetMs: row!.now - (began.wall + halfMs), errorMs: halfMs };
}

/** Says by how much a clock is wrong. */
export function clockDifference(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1000);
  return `${seconds} s ${offsetMs > 0 ? "behind" : "ahead of"} that of the database`;
}
