import { createMutex } from "../../core/base/mutex.ts";
import type { Database } from "./database.ts";
import { type Changes, readChanges, rowKey, type SharedTable } from "./shared-table.ts";

/** The rows of a shared table in memory. Reads are synchronous and never wait for the database. */
export interface View<Row> {
  readonly topic: string;
  /** Every write up to this revision is in the view. */
  revision(): number;
  get(...key: readonly string[]): Row | undefined;
  all(): Row[];
  /** The keys of all rows, as `rowKey` makes them. */
  keys(): string[];
  /**
   * Shows a replica its own writes before they are committed. They lie over the rows until their revision has come
   * back, or until they are dropped because the write failed.
   */
  lay(changes: Changes<Row>): Overlay<Row>;
  /** Brings the view up to the database. Calls run one after the other. */
  update(options?: { whole?: boolean }): Promise<void>;
  /**
   * Calls `listener` with the keys of rows that changed, whoever changed them; without keys if the whole table was read,
   * so that any row may have changed. @returns a function that unsubscribes
   */
  onChange(listener: ChangeListener): () => void;
  /**
   * Calls `listener` like `onChange`, but only where the rows of the database replace what the view had: for changes of
   * other replicas and for writes that failed.
   */
  onRead(listener: ChangeListener): () => void;
}

type ChangeListener = (keys: readonly string[] | undefined) => void;

export interface Overlay<Row> {
  /**
   * The write was committed with this revision.
   *
   * @param changes what was written, if it may differ from what was laid; a key without a change shows the database's row
   */
  committed(rev: number, changes?: Changes<Row>): void;
  /** The write failed, or its outcome is unknown: what the database has counts. */
  drop(): void;
}

interface Laid<Row> {
  row: Row | undefined;
  rev: number;
}

/** More changes than this are read into a new map beside the old one. */
const MAX_CHANGES = 5000;
const READ_TIMEOUT_MS = 5000;

export function createView<Row>(database: Database, table: SharedTable<Row>): View<Row> {
  const laid = new Map<string, Laid<Row>[]>();
  const listeners = new Set<ChangeListener>();
  const readListeners = new Set<ChangeListener>();
  const reading = createMutex();
  let rows = new Map<string, Row>();
  let known = 0;

  const page = (from: Parameters<typeof readChanges>[2]) =>
    database.run((sql) => readChanges(sql, table, from), { timeoutMs: READ_TIMEOUT_MS });
  const emit = (keys: readonly string[] | undefined) => {
    if (keys?.length !== 0) for (const listener of listeners) listener(keys);
  };
  const emitRead = (keys: readonly string[] | undefined) => {
    emit(keys);
    if (keys?.length !== 0) for (const listener of readListeners) listener(keys);
  };
  const settle = () => {
    for (const [key, stack] of laid) {
      const left = stack.filter(({ rev }) => rev > known);
      if (left.length === 0) laid.delete(key);
      else if (left.length < stack.length) laid.set(key, left);
    }
  };

  /** @returns false if the changes cannot be told from what is known: the whole table must be read */
  const readNewer = async (): Promise<boolean> => {
    const found: (readonly [string, Row | undefined])[] = [];
    for (let next = await page({ after: known }); ; next = await page({ page: next.next })) {
      if (next.rev < known || next.horizon > known) return false;
      found.push(...next.changes);
      if (found.length > MAX_CHANGES) return false;
      if (next.next) continue;
      for (const [key, row] of found) {
        if (row === undefined) rows.delete(key);
        else rows.set(key, row);
      }
      known = next.rev;
      settle();
      emitRead(found.map(([key]) => key));
      return true;
    }
  };
  const readWhole = async () => {
    const fresh = new Map<string, Row>();
    const first = await page({ after: -1 });
    for (let next = first; ; next = await page({ page: next.next })) {
      // The database was restored, or removed rows were purged, while it was read.
      if (next.rev < first.rev || next.horizon > first.rev)
        throw new Error(`"${table.topic}" changed while it was read`);
      for (const [key, row] of next.changes) {
        if (row === undefined) fresh.delete(key);
        else fresh.set(key, row);
      }
      if (next.next) continue;
      rows = fresh;
      known = next.rev;
      settle();
      emitRead(undefined);
      return;
    }
  };

  const merged = (): ReadonlyMap<string, Row> => {
    if (laid.size === 0) return rows;
    const all = new Map(rows);
    for (const [key, stack] of laid) {
      const { row } = stack.at(-1)!;
      if (row === undefined) all.delete(key);
      else all.set(key, row);
    }
    return all;
  };

  return {
    topic: table.topic,
    revision: () => known,
    get(...parts) {
      const key = rowKey(parts);
      const stack = laid.get(key);
      return stack ? stack.at(-1)!.row : rows.get(key);
    },
    all: () => [...merged().values()],
    keys: () => [...merged().keys()],
    lay(changes) {
      const mine = changes.map(([key, row]) => [key, { row, rev: Number.POSITIVE_INFINITY } as Laid<Row>] as const);
      for (const [key, one] of mine) laid.set(key, [...(laid.get(key) ?? []), one]);
      emit(mine.map(([key]) => key));
      const end = (rev: number) => {
        for (const [, one] of mine) one.rev = rev;
        settle();
      };
      return {
        committed(rev, written) {
          if (written) {
            const rowsOf = new Map(written);
            for (const [key, one] of mine)
              if (rowsOf.has(key)) one.row = rowsOf.get(key);
              else one.rev = Number.NEGATIVE_INFINITY;
          }
          for (const [, one] of mine) if (one.rev > 0) one.rev = rev;
          settle();
          if (written) emit(mine.map(([key]) => key));
        },
        drop() {
          end(Number.NEGATIVE_INFINITY);
          // Code that read the rows of this failed write reads them again.
          emitRead(mine.map(([key]) => key));
        },
      };
    },
    async update({ whole = false } = {}) {
      const release = await reading.hold();
      try {
        if (whole || !(await readNewer())) await readWhole();
      } finally {
        release();
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onRead(listener) {
      readListeners.add(listener);
      return () => readListeners.delete(listener);
    },
  };
}
