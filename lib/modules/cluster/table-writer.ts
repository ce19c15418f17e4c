import { planChanges } from "../../core/store/plan-changes.ts";
import type { RowChange, RowEdit } from "../../core/store/store.ts";
import { type CommitLog, createCommitLog } from "./commit-log.ts";
import type { Sql } from "./connection.ts";
import type { Database } from "./database.ts";
import { Fault } from "./faults.ts";
import { nextRevision } from "./revision.ts";
import { type Changes, putRows, readRows, removeRows, rowKey, type SharedTable } from "./shared-table.ts";
import type { Overlay, View } from "./view.ts";

type Key = readonly string[];

/**
 * Changes rows of a shared table. A change is visible in the view at once and decided by the database: it locks the
 * topic, reads the rows, and calls the edit again with them, so no writer loses what another one wrote.
 */
export interface TableWriter<Row> {
  /**
   * Changes rows; each key is named once. If the edit leaves the rows of the view alone, the database is not asked.
   *
   * @returns the changes of the rows that were written, in the order of the keys
   * @throws what the edit throws; Fault cluster_database_away
   */
  change(keys: readonly Key[], edit: RowEdit<Row, Key>): Promise<RowChange<Row>[]>;
  /** Removes rows, also those that this replica does not know yet. */
  remove(keys: readonly Key[]): Promise<void>;
  /** Removes every row whose first key column has this value, also rows that this replica does not know yet. */
  removeAll(first: string): Promise<void>;
  /** The number of changes that are not committed yet. */
  readonly waiting: number;
  /** Resolves when every earlier change is committed or has failed. */
  idle(): Promise<void>;
}

interface Job<Row> {
  readonly keys: readonly Key[];
  readonly first: string | undefined;
  readonly edit: RowEdit<Row, Key>;
  readonly overlay: Overlay<Row>;
  readonly done: (changes: RowChange<Row>[]) => void;
  readonly fail: (error: unknown) => void;
}

type Outcome<Row> =
  | { readonly changes: RowChange<Row>[]; readonly written: Changes<Row> }
  | { readonly error: unknown };

/** The topic is locked while the edits of a batch run, so a batch stays small. */
const BATCH_ROWS = 1000;
const WRITE_TIMEOUT_MS = 2000;

export function createTableWriter<Row>(
  database: Database,
  table: SharedTable<Row>,
  view: View<Row>,
  commits: Pick<CommitLog, "report"> = createCommitLog(),
): TableWriter<Row> {
  let waiting: Job<Row>[] = [];
  let count = 0;
  let writing: Promise<void> | undefined;

  const writeBatch = async (batch: readonly Job<Row>[]): Promise<void> => {
    try {
      const began = performance.now();
      const { rev, outcomes } = await database.transact((sql) => applyJobs(sql, table, batch), {
        timeoutMs: WRITE_TIMEOUT_MS,
      });
      commits.report({ durationMs: performance.now() - began, writes: batch.length, lost: 0 });
      for (const [index, { overlay, done, fail }] of batch.entries()) {
        const outcome = outcomes[index]!;
        if ("error" in outcome) {
          overlay.drop();
          fail(outcome.error);
        } else {
          overlay.committed(rev, outcome.written);
          done(outcome.changes);
        }
      }
    } catch (error) {
      // A row that cannot be stored must not be the end of the changes beside it.
      if (batch.length > 1 && !(error instanceof Fault)) for (const job of batch) await writeBatch([job]);
      else {
        commits.report({ durationMs: 0, writes: 0, lost: batch.length });
        for (const { overlay, fail } of batch) {
          overlay.drop();
          fail(error);
        }
      }
    }
  };
  const write = async () => {
    // What is requested in one turn of the loop goes in one transaction.
    await new Promise((next) => setImmediate(next));
    while (waiting.length > 0) {
      const batch = takeJobs(waiting);
      waiting = waiting.slice(batch.length);
      await writeBatch(batch);
      count -= batch.length;
    }
    writing = undefined;
  };
  const add = (job: Pick<Job<Row>, "keys" | "first" | "edit">, laid: Changes<Row>): Promise<RowChange<Row>[]> => {
    const overlay = view.lay(laid);
    count++;
    return new Promise((done, fail) => {
      waiting.push({ ...job, overlay, done, fail });
      writing ??= write();
    });
  };

  return {
    async change(keys, edit) {
      const planned = planChanges(keys, (key) => view.get(...key), edit);
      if (planned.length === 0) return [];
      const laid = planned.flatMap(({ key, after }) => changesOf(table, key, after && { ...after }));
      return await add({ keys, first: undefined, edit }, laid);
    },
    async remove(keys) {
      const laid = keys.flatMap((key) => (view.get(...key) === undefined ? [] : [[rowKey(key), undefined] as const]));
      await add({ keys, first: undefined, edit: () => "remove" }, laid);
    },
    async removeAll(first) {
      const known = view.keys().filter((key) => key === first || key.startsWith(rowKey([first, ""])));
      const laid = known.map((key) => [key, undefined] as const);
      await add({ keys: [], first, edit: () => "remove" }, laid);
    },
    get waiting() {
      return count;
    },
    async idle() {
      await writing;
    },
  };
}

function takeJobs<Row>(waiting: readonly Job<Row>[]): readonly Job<Row>[] {
  let rows = 0;
  const past = waiting.findIndex(({ keys }, index) => {
    rows += keys.length;
    return index > 0 && (index >= BATCH_ROWS || rows > BATCH_ROWS);
  });
  return past < 0 ? waiting : waiting.slice(0, past);
}

/** Runs the edits in their order on the rows of the database and writes the result under one revision. */
async function applyJobs<Row>(
  sql: Sql,
  table: SharedTable<Row>,
  jobs: readonly Job<Row>[],
): Promise<{ rev: number; outcomes: Outcome<Row>[] }> {
  // Taken first: it locks the topic, so that the rows stay as they are read.
  const rev = await nextRevision(sql, table.topic);
  const rows = await readRows(sql, table, {
    keys: jobs.flatMap(({ keys }) => keys),
    firsts: jobs.flatMap(({ first }) => first ?? []),
  });
  const changed = new Map<string, Key>();
  const outcomes = jobs.map((job): Outcome<Row> => {
    try {
      const { first } = job;
      const keys =
        first === undefined ? job.keys : [...rows.values()].map(table.keyOf).filter(([own]) => own === first);
      const planned = planChanges(keys, (key) => rows.get(rowKey(key)), job.edit);
      const written = planned.flatMap(({ key, after }) => changesOf(table, key, after));
      for (const { key, after } of planned)
        for (const parts of after ? [key, table.keyOf(after)] : [key]) changed.set(rowKey(parts), parts);
      for (const [key, row] of written)
        if (row === undefined) rows.delete(key);
        else rows.set(key, row);
      return { changes: planned.map(({ before, after }) => ({ before, after })), written };
    } catch (error) {
      return { error };
    }
  });
  const puts = [...changed.keys()].flatMap((key) => rows.get(key) ?? []);
  const removed = [...changed].flatMap(([key, parts]) => (rows.has(key) ? [] : [parts]));
  await putRows(sql, table, puts, rev);
  await removeRows(sql, table, removed, rev);
  return { rev, outcomes };
}

/** The change of one row; if the edit gave the row another key, the old one is removed. */
function changesOf<Row>(table: SharedTable<Row>, key: Key, after: Row | undefined): Changes<Row> {
  const name = rowKey(key);
  if (after === undefined) return [[name, undefined]];
  const own = rowKey(table.keyOf(after));
  return own === name
    ? [[name, after]]
    : [
        [name, undefined],
        [own, after],
      ];
}
