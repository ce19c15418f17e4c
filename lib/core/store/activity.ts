import type { Row, SqlInput, StatementSync } from "../../sqlite/types.ts";
import type { Logger } from "../log/logger.ts";
import { createActivityCapacity } from "./activity-capacity.ts";
import { countAfterMark, followActivity, newestActivityMark } from "./activity-follow.ts";
import { getActivityRecord, walkActivity } from "./activity-read.ts";
import { type ActivityRows, INSERT_HEAD, INSERT_PAYLOAD, toActivityRows } from "./activity-row.ts";
import { selectActivity } from "./activity-select.ts";
import type { AddedRecords } from "./activity-sum-gatherer.ts";
import type { ActivitySums } from "./activity-sums.ts";
import { sweepActivity } from "./activity-sweep.ts";
import { tallyActivity, tallyActivitySlots } from "./activity-tally.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import type { ActivityStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Maximum number of records that share one job and one promise of the queue. The queue yields between jobs. */
const TOGETHER = 64;

interface Batch {
  readonly records: ActivityRows[];
  readonly durable: Promise<void>;
}

export function createActivityStore(
  connection: DatabaseConnection,
  queue: WriteQueue,
  sums: ActivitySums,
  log: Logger,
): ActivityStore {
  const room = createActivityCapacity(log);
  let open: Batch | undefined;
  queue.onRefused(() => {
    open = undefined;
  });
  const all = (sql: string, ...inputs: SqlInput[]): Row[] => {
    queue.flush();
    return connection.read(() => connection.prepare(sql).all(...inputs));
  };
  /** Inserts records and returns those that are new. */
  const insertAll = (records: readonly ActivityRows[]): AddedRecords => {
    const heads: SqlInput[][] = [];
    const [insertHead, insertPayload] = [connection.prepare(INSERT_HEAD), connection.prepare(INSERT_PAYLOAD)];
    for (const { head, payload } of records) {
      // If a record with its id exists already, nothing changes.
      if (changeRows(insertHead, head) === 0) continue;
      if (payload) changeRows(insertPayload, payload);
      heads.push(head);
    }
    const lastSeq = heads.length === 0 ? 0 : Number(connection.prepare(LAST_SEQ).get()!.seq);
    return { heads, lastSeq, removals: sums.removals() };
  };
  const begin = (): Batch => {
    const records: ActivityRows[] = [];
    let added: AddedRecords | undefined;
    const write = () => {
      if (open?.records === records) open = undefined;
      added = insertAll(records);
    };
    // The number of records is not known yet; with the largest one, the queue looks at the clock after each job.
    const durable = queue.put("soon", write, TOGETHER);
    durable.then(
      () => added && added.heads.length > 0 && sums.added(added),
      () => {},
    );
    const leave = () => {
      for (const { size } of records) room.release(size);
    };
    durable.then(leave, leave);
    return { records, durable };
  };

  return {
    add(record) {
      try {
        const rows = toActivityRows(record);
        room.reserve(rows.size);
        open ??= begin();
        const { records, durable } = open;
        records.push(rows);
        if (records.length === TOGETHER) open = undefined;
        return durable;
      } catch (error) {
        return Promise.reject(error);
      }
    },
    select: (filter, wanted, signal) => selectActivity(all, filter, wanted, signal),
    walk: (filter, onSkipped) => walkActivity(all, filter, onSkipped),
    newestMark: async () => newestActivityMark(all),
    follow: (after, limit, signal) => followActivity(all, after, limit, signal),
    countAfter: async (after) => countAfterMark(all, after),
    tally: (filter, by, signal) => tallyActivity(all, sums, filter, by, signal),
    tallySlots: (filter, slotMs, signal) => tallyActivitySlots(all, sums, filter, slotMs, signal),
    addUp: (signal) => sums.catchUp(signal),
    get: async (id) => getActivityRecord(all, id),
    sweep: (before, maxRecords, { maxBytes = 0, signal } = {}) =>
      sweepActivity({ connection, queue, sums, all }, { before, maxRecords, maxBytes }, signal),
  };
}

// The payload has the same number, so it does not matter which of the two rows was written last.
const LAST_SEQ = "select last_insert_rowid() as seq";

function changeRows(statement: StatementSync, inputs: SqlInput[]): number {
  return statement.change ? statement.change(inputs) : Number(statement.run(...inputs).changes);
}
