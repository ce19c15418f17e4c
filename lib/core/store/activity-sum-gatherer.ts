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

/** Records that are read in one slice at most: each may be a sum of its own. */
const MAX_READ = 250;
/** Batches of new records that are kept in memory until they are written; records beyond them are read again. */
const MAX_WAITING = 8;

/** Records that one write inserted. */
export interface AddedRecords {
  readonly heads: RecordHeads;
  /** The number of the last of them; the others have those right before it. */
  readonly lastSeq: number;
  /** As `removals()` of the sums said within the write. */
  readonly removals: number;
}

/** Gathers records in batches, in memory as they become durable, or else from the database, and has them written. */
export interface ActivitySumGatherer {
  /** Grows with each removal, so that what was read before one is not written after it. */
  removals(): number;
  removed(): void;
  /** Records were added, and are on the disk. */
  added(records: AddedRecords): void;
  /** Whether enough is there to be written. */
  isWorthwhile(): boolean;
  /**
   * Writes what memory has, or reads some records into a batch and writes that once it is full.
   *
   * @param lastSeq every record up to this number; without it, what is left for a full batch may stay in memory
   * @returns whether more may be left to do
   */
  addSlice(lastSeq?: number): Promise<boolean>;
  /** Nothing will be written any more. */
  giveUp(): void;
}

/** @param write adds a batch to the sums */
export function createActivitySumGatherer(
  all: QueryAll,
  write: (batch: ActivitySumBatch) => Promise<void>,
): ActivitySumGatherer {
  let removals = 0;
  /** Records that were read and not written yet. */
  let batch: ActivitySumBatch | undefined;
  /** New records that were not read: batches that are full, in the order of their records, and the one that grows. */
  let waiting: ActivitySumBatch[] = [];
  let growing: ActivitySumBatch | undefined;
  /** Records up to this number were read: memory does not take them. */
  let readTo = 0;
  let pending = 0;
  let isOver = false;
  let slice = FIRST_SLICE;

  /**
   * Takes the batch that follows a record out of memory, and drops those that are of no use any more.
   *
   * @param isAll the one that grows as well
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

  /** What memory has comes after this record. */
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
      if (!growing) pending = 0;
      return false;
    },
    giveUp() {
      isOver = true;
      waiting = [];
      growing = undefined;
    },
  };
}
