import type { Row, SqlInput } from "../../sqlite/types.ts";
import type { Logger } from "../log/logger.ts";
import { createActivityCapacity } from "./activity-capacity.ts";
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
  /** @returns the number of the record; `undefined` if a record with its id exists already */
  const insert = ({ head, payload }: ActivityRows): number | undefined => {
    const { changes, lastInsertRowid } = connection.prepare(INSERT_HEAD).run(...head);
    if (!changes) return undefined;
    if (payload) connection.prepare(INSERT_PAYLOAD).run(...payload);
    return Number(lastInsertRowid);
  };
  /** Inserts records and returns those that are new. */
  const insertAll = (records: readonly ActivityRows[]): AddedRecords => {
    const heads: SqlInput[][] = [];
    let lastSeq = 0;
    for (const record of records) {
      const seq = insert(record);
      if (seq === undefined) continue;
      heads.push(record.head);
      lastSeq = seq;
    }
    return { heads, lastSeq, removals: sums.removals() };
  };
  const begin = (): Batch => {
    const records: ActivityRows[] = [];
    let added: AddedRecords | undefined;
    const durable = queue.put("soon", () => {
      if (open?.records === records) open = undefined;
      added = insertAll(records);
    });
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
    tally: (filter, by, signal) => tallyActivity(all, sums, filter, by, signal),
    tallySlots: (filter, slotMs, signal) => tallyActivitySlots(all, sums, filter, slotMs, signal),
    addUp: (signal) => sums.catchUp(signal),
    get: async (id) => getActivityRecord(all, id),
    sweep: (before, maxRecords, { maxBytes = 0, signal } = {}) =>
      sweepActivity({ connection, queue, sums, all }, { before, maxRecords, maxBytes }, signal),
  };
}
