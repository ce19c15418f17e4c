import type { QueryAll } from "./activity-row.ts";
import { readSumsReach } from "./activity-spans.ts";
import {
  type ActivitySumBatch,
  gatherHeads,
  isFullBatch,
  newActivitySumBatch,
  type RecordHeads,
  readIntoBatch,
  WORTHWHILE,
} from "./activity-sum-batch.ts";
import { FIRST_SLICE, nextSliceSize } from "./slice-size.ts";

/** Maximum number of records read in one slice; each of them may make a new sum. */
const MAX_READ = 250;
/**
 * Maximum number of batches of new records kept in memory until they are written. Further records are read from the
 * database again.
 */
const MAX_WAITING = 8;

/** Records that one write inserted. */
export interface AddedRecords {
  readonly heads: RecordHeads;
  /** The number of the last record; the numbers of the others directly precede it. */
  readonly lastSeq: number;
  /** The result of `removals()` during the write. */
  readonly removals: number;
}

/**
 * Collects records in batches and has the batches written. New records are collected in memory when they are durable;
 * all
 * others are read from the database.
 */
export interface ActivitySumGatherer {
  /** Number of removals so far. A batch that was begun before a removal is not written after it. */
  removals(): number;
  removed(): void;
  /** Call when records were added and are on the disk. */
  added(records: AddedRecords): void;
  /** True if there are enough records for a write. */
  isWorthwhile(): boolean;
  /**
   * Writes a batch from memory, or reads some records into a batch and writes that when it is full.
   *
   * @param lastSeq write all records up to this number; without it, records that do not fill a batch may stay in memory
   * @returns true if there may be more to write
   */
  addSlice(lastSeq?: number): Promise<boolean>;
  /** Stops collecting; nothing is written from now on. */
  giveUp(): void;
}

/** Makes the gatherer. @param write adds a batch to the sums in the database */
export function createActivitySumGatherer(
  all: QueryAll,
  write: (batch: ActivitySumBatch) => Promise<void>,
): ActivitySumGatherer {
  let removals = 0;
  /** The batch of records that were read from the database. */
  let batch: ActivitySumBatch | undefined;
  /**
   * Batches of new records that are only in memory: `waiting` has the full ones in order, `growing` is being filled.
   */
  let waiting: ActivitySumBatch[] = [];
  let growing: ActivitySumBatch | undefined;
  /** Records up to this number were read from the database, so they are not collected in memory. */
  let readTo = 0;
  let pending = 0;
  let isOver = false;
  let slice = FIRST_SLICE;

  /**
   * Removes the batch that follows the record `throughSeq` from memory and returns it. Drops batches that can no longer
   * be written.
   *
   * @param isAll whether to return the batch that is being filled, too
   */
  const takeWaiting = (throughSeq: number, isAll: boolean): ActivitySumBatch | undefined => {
    const isOfUse = (one: ActivitySumBatch) => one.removals === removals && one.fromSeq >= throughSeq;
    waiting = waiting.filter(isOfUse);
    if (growing && !isOfUse(growing)) growing = undefined;
    if (waiting[0]) return waiting[0].fromSeq === throughSeq ? waiting.shift() : undefined;
    if (!isAll || growing?.fromSeq !== throughSeq) return undefined;
    const taken = growing;
    growing = undefined;
    return taken;
  };

  /** The batches in memory start after this record. */
  const waitingFrom = () => (waiting[0] ?? growing)?.fromSeq;

  const remember = (heads: RecordHeads, firstSeq: number, lastSeq: number) => {
    if (growing && (growing.removals !== removals || growing.throughSeq !== firstSeq - 1)) growing = undefined;
    if (!growing && waiting.length >= MAX_WAITING) return;
    growing ??= newActivitySumBatch(removals, firstSeq - 1);
    gatherHeads(growing, heads);
    growing.throughSeq = lastSeq;
    if (!isFullBatch(growing)) return;
    waiting.push(growing);
    growing = undefined;
  };
  const put = (read: ActivitySumBatch): Promise<void> => {
    pending = Math.max(0, pending - read.count);
    return write(read);
  };

  return {
    removals: () => removals,
    removed() {
      removals++;
      readTo = 0;
    },
    added({ heads, lastSeq, removals: before }) {
      pending += heads.length;
      const firstSeq = lastSeq - heads.length + 1;
      if (before === removals && !isOver && firstSeq > readTo) remember(heads, firstSeq, lastSeq);
    },
    isWorthwhile: () => pending >= WORTHWHILE || waiting.length > 0,
    async addSlice(lastSeq) {
      const state = readSumsReach(all);
      if (!state || (lastSeq !== undefined && state.throughSeq >= lastSeq)) return false;
      if (batch && (batch.removals !== removals || batch.fromSeq !== state.throughSeq)) batch = undefined;
      const known = batch ? undefined : takeWaiting(state.throughSeq, lastSeq !== undefined);
      if (known) {
        await put(known);
        return true;
      }
      batch ??= newActivitySumBatch(removals, state.throughSeq);
      const upTo = waitingFrom() ?? Number.MAX_SAFE_INTEGER;
      const started = performance.now();
      const count = readIntoBatch(batch, all, upTo, slice);
      readTo = batch.throughSeq;
      const isWhole = count === slice;
      if (isWhole) slice = Math.min(MAX_READ, nextSliceSize(slice, performance.now() - started));
      if (isWhole && !isFullBatch(batch)) return true;
      const read = batch;
      batch = undefined;
      if (read.count > 0) {
        await put(read);
        return true;
      }
      // Everything else is in the sums, also records that were read before `added` counted them.
      pending = growing?.count ?? 0;
      return false;
    },
    giveUp() {
      isOver = true;
      waiting = [];
      growing = undefined;
    },
  };
}
