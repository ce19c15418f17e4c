import { setTimeout as sleep } from "node:timers/promises";
import { systemErrorCode } from "../../core/base/file.ts";
import { createMutex } from "../../core/base/mutex.ts";
import { type CommitLog, createCommitLog } from "./commit-log.ts";
import type { Sql } from "./connection.ts";
import type { Database } from "./database.ts";
import { Fault } from "./faults.ts";
import { openRecordSpool } from "./record-spool.ts";
import { createWritePace } from "./write-pace.ts";

/**
 * Records on their way to the database. Those that come within `GATHER_MS`, or while a batch is written, form the next
 * batch. When the database does not answer in time, batches go to files and are delivered later, by the next start if
 * need be. Nobody who adds a record waits for the database.
 */
interface RecordQueue<R> {
  /** @returns true once the record is in the database or in a file; false if it was dropped */
  add(record: R): Promise<boolean>;
  /** Writes what has gathered at once, for a reader who waits for it. */
  flush(): void;
  readonly counts: Readonly<RecordCounts>;
  /** The number of records in memory and of bytes in files. */
  waiting(): { records: number; fileBytes: number };
  /** Writes what is in memory to the database or to files. */
  close(): Promise<void>;
}

interface RecordCounts {
  inserted: number;
  spooled: number;
  /** Records of files that were delivered. */
  delivered: number;
  /** Lost because memory and files were full, or a file could not be written. */
  dropped: number;
  /** Refused by the database, each on its own. */
  refused: number;
  /** Lines of files that were not whole. */
  damaged: number;
}

interface RecordQueueOptions<R> {
  readonly dir: string;
  /** Inserts records; those that are there already must be left alone (`on conflict do nothing`). */
  insert(sql: Sql, records: readonly R[]): Promise<unknown>;
  /** An estimate of the memory that a record takes. (bytes) */
  sizeOf(record: R): number;
  readonly onError: (what: string, error?: unknown) => void;
  readonly commits?: Pick<CommitLog, "report">;
  readonly maxMemoryBytes?: number;
  readonly maxFileBytes?: number;
}

interface Waiting<R> {
  readonly record: R;
  readonly bytes: number;
  readonly done: (kept: boolean) => void;
}

const MAX_MEMORY_BYTES = 32 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Minimum time between the beginnings of two batches. In a larger batch each record takes less time. (ms) */
const GATHER_MS = 50;
const BATCH_RECORDS = 500;
const BATCH_BYTES = 256 * 1024;
/** How long a record waits for the database before it goes to a file. (ms) */
const INSERT_TIMEOUT_MS = 500;
const DELIVERY_TIMEOUT_MS = 5000;
const DELIVERY_PAUSE_MS = 250;

export async function openRecordQueue<R>(database: Database, options: RecordQueueOptions<R>): Promise<RecordQueue<R>> {
  const { dir, insert, sizeOf, onError, maxMemoryBytes = MAX_MEMORY_BYTES, maxFileBytes = MAX_FILE_BYTES } = options;
  const { commits = createCommitLog() } = options;
  const spool = await openRecordSpool<R>(dir, maxFileBytes);
  const spoolMutex = createMutex();
  const counts: RecordCounts = { inserted: 0, spooled: 0, delivered: 0, dropped: 0, refused: 0, damaged: 0 };
  const end = new AbortController();
  let waiting: Waiting<R>[] = [];
  let memoryBytes = 0;
  let away = false;
  const pace = createWritePace(GATHER_MS);
  let writing: Promise<void> | undefined;

  /** @returns how many were inserted; the others were refused one by one */
  const insertAll = async (
    records: readonly R[],
    limits: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<number> => {
    try {
      const began = performance.now();
      await database.run((sql) => insert(sql, records), limits);
      commits.report({ durationMs: performance.now() - began, writes: records.length, lost: 0 });
      return records.length;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (records.length === 1) {
        counts.refused++;
        onError("the database refuses a record", error);
        return 0;
      }
      const half = records.length >> 1;
      const first = await insertAll(records.slice(0, half), limits);
      return first + (await insertAll(records.slice(half), limits));
    }
  };
  const toFile = async (batch: readonly Waiting<R>[]): Promise<boolean> => {
    const release = await spoolMutex.hold();
    try {
      const kept = await spool.write(batch.map(({ record }) => record));
      if (kept) counts.spooled += batch.length;
      else drop(batch.length, "the files of records that wait for the database are full");
      return kept;
    } catch (error) {
      drop(batch.length, "records cannot be written to a file", error);
      return false;
    } finally {
      release();
    }
  };
  const drop = (count: number, why: string, error?: unknown) => {
    if (counts.dropped === 0) onError(`${why}; records are dropped`, error);
    counts.dropped += count;
    commits.report({ durationMs: 0, writes: 0, lost: count });
  };
  const writeBatch = async (batch: readonly Waiting<R>[]): Promise<boolean> => {
    if (!away)
      try {
        counts.inserted += await insertAll(
          batch.map(({ record }) => record),
          { timeoutMs: INSERT_TIMEOUT_MS },
        );
        return true;
      } catch (error) {
        away = true;
        onError("the database does not take records; they are written to files", error);
      }
    // A batch whose commit is unknown may be inserted a second time, which changes nothing.
    return toFile(batch);
  };
  const write = async () => {
    while (waiting.length > 0) {
      // A full batch gains nothing from waiting.
      if (waiting.length >= BATCH_RECORDS) pace.hurry();
      await pace.next();
      const batch = takeBatch(waiting);
      waiting = waiting.slice(batch.length);
      const kept = await writeBatch(batch);
      for (const { bytes, done } of batch) {
        memoryBytes -= bytes;
        done(kept);
      }
    }
    writing = undefined;
  };

  /** Delivers the oldest file. @returns false if there was none */
  const deliverOldest = async (): Promise<boolean> => {
    const release = await spoolMutex.hold();
    let oldest: Awaited<ReturnType<typeof spool.readOldest>>;
    try {
      oldest = await spool.readOldest();
    } finally {
      release();
    }
    if (!oldest) return false;
    for (let from = 0; from < oldest.records.length; from += BATCH_RECORDS) {
      counts.delivered += await insertAll(oldest.records.slice(from, from + BATCH_RECORDS), {
        timeoutMs: DELIVERY_TIMEOUT_MS,
        signal: end.signal,
      });
      away = false;
    }
    if (oldest.damaged > 0) onError(`${oldest.damaged} records of a file were damaged and are lost`);
    counts.damaged += oldest.damaged;
    // It is the oldest still: files are only added behind it.
    const again = await spoolMutex.hold();
    await spool.removeOldest().finally(again);
    return true;
  };
  const deliver = async () => {
    let failing = false;
    while (!end.signal.aborted) {
      try {
        while (!end.signal.aborted && (await deliverOldest()));
        // Nothing waits, so a batch that goes to the database finds out whether it answers.
        away = false;
        failing = false;
      } catch (error) {
        if (!failing && !end.signal.aborted) onError("records in files cannot be delivered yet", error);
        failing = true;
      }
      await sleep(DELIVERY_PAUSE_MS, undefined, { signal: end.signal, ref: false }).catch(() => {});
    }
  };
  const delivering = deliver();

  return {
    counts,
    waiting: () => ({ records: waiting.length, fileBytes: spool.bytes }),
    add(record) {
      const bytes = sizeOf(record);
      if (end.signal.aborted || memoryBytes + bytes > maxMemoryBytes) {
        drop(1, "too many records wait");
        return Promise.resolve(false);
      }
      memoryBytes += bytes;
      return new Promise((done) => {
        waiting.push({ record, bytes, done });
        if (waiting.length === BATCH_RECORDS) pace.hurry();
        writing ??= write();
      });
    },
    flush() {
      if (writing) pace.hurry();
    },
    async close() {
      end.abort();
      pace.hurry();
      await writing;
      await delivering;
      await spool.close();
    },
  };
}

function takeBatch<R>(waiting: readonly Waiting<R>[]): readonly Waiting<R>[] {
  let bytes = 0;
  const past = waiting.findIndex((one, index) => {
    bytes += one.bytes;
    return index >= BATCH_RECORDS || (index > 0 && bytes > BATCH_BYTES);
  });
  return past < 0 ? waiting : waiting.slice(0, past);
}

/** True if the content of a record is the cause: data errors (class 22) and violated constraints (class 23). */
function isRefusal(error: unknown): boolean {
  return !(error instanceof Fault) && /^2[23][0-9A-Z]{3}$/.test(systemErrorCode(error));
}
