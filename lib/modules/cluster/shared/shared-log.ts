import { randomBytes } from "node:crypto";
import type { Database } from "../database.ts";
import { databaseText, textOfDatabase } from "../database-text.ts";
import type { followRevisions } from "../follow-revisions.ts";
import { nextRevision } from "../revision.ts";

/** An entry of a log, with its number. */
export interface LogEntry {
  readonly number: number;
  /** The program that wrote it. */
  readonly program: string;
  readonly kind: string;
  readonly body: string;
}

/**
 * A log that all replicas write and read in one order. It has the newest entries only; a replica that could not read for
 * too long learns that it missed some.
 */
export interface SharedLog {
  /**
   * Adds an entry. Never throws, never waits. If too many wait because the database is away, the oldest are dropped, and
   * an entry of the kind `omitted` says how many.
   *
   * @param haste `unhurried`: it may gather longer, for entries that come with each call
   */
  append(entry: Pick<LogEntry, "kind" | "body">, haste?: "unhurried"): void;
  /** The entries that are in memory, oldest first, without gaps in their numbers. */
  entries(): readonly LogEntry[];
  /** The number of the latest entry. */
  readonly last: number;
  /** Another one after the numbers went back, as after a restored backup. */
  readonly epoch: string;
  /** Calls `listener` with new entries, in order; `isWhole` is false if entries before them were missed. */
  onEntries(listener: (entries: readonly LogEntry[], isWhole: boolean) => void): () => void;
  /** Writes what waits, if the database answers. */
  close(): Promise<void>;
}

interface LogOptions {
  readonly database: Database;
  readonly follower: Pick<ReturnType<typeof followRevisions>, "follow">;
  /** Its entries have the topic `log <name>`. */
  readonly name: string;
  readonly program: string;
  /** Number of entries that are kept. */
  readonly keep?: number;
  readonly onError: (what: string, error?: unknown) => void;
}

/** The kind of the entry that says how many were dropped. */
export const OMITTED = "omitted";

const KEEP = 2048;
/** How long entries gather before they are written together. Each write notifies all replicas. (ms) */
const GATHER_MS = 50;
const UNHURRIED_MS = 250;
/** Older entries are deleted when so many more were written, not at each write. */
const PURGE_EVERY = 128;
const BATCH = 500;
const READ = 500;
const WRITE_TIMEOUT_MS = 2000;
const RETRY_MS = 500;

/** Opens a log and reads its newest entries. */
export async function openSharedLog(options: LogOptions): Promise<SharedLog> {
  const { database, follower, name, program, keep = KEEP, onError } = options;
  const topic = `log ${name}`;
  const listeners = new Set<Parameters<SharedLog["onEntries"]>[0]>();
  let waiting: Pick<LogEntry, "kind" | "body">[] = [];
  let dropped = 0;
  let timer: { readonly dueAt: number; readonly handle: NodeJS.Timeout } | undefined;
  let writing: Promise<void> | undefined;
  let isFailing = false;
  let isClosed = false;
  let held: LogEntry[] = [];
  let last = 0;
  let epoch = "";

  const write = async (): Promise<void> => {
    try {
      while (waiting.length > 0) {
        if (dropped > 0) waiting.unshift({ kind: OMITTED, body: JSON.stringify({ count: dropped }) });
        dropped = 0;
        const batch = waiting.slice(0, BATCH);
        await database.transact((sql) => insertEntries(sql, { topic, program, batch, keep }), {
          timeoutMs: WRITE_TIMEOUT_MS,
        });
        // Some of the batch may have been dropped while it was written.
        const written = new Set(batch);
        waiting = waiting.filter((entry) => !written.has(entry));
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isClosed) onError(`the log "${name}" cannot be written`, error);
      isFailing = true;
    } finally {
      writing = undefined;
      if (waiting.length > 0 && !isClosed) schedule(RETRY_MS);
    }
  };
  const schedule = (ms: number) => {
    if (writing) return;
    const dueAt = performance.now() + ms;
    if (timer) {
      if (timer.dueAt <= dueAt) return;
      clearTimeout(timer.handle);
    }
    const begin = () => {
      timer = undefined;
      writing = write();
    };
    timer = { dueAt, handle: setTimeout(begin, ms).unref() };
  };
  const take = (found: readonly LogEntry[], isWhole: boolean) => {
    held = isWhole ? [...held, ...found].slice(-keep) : [...found];
    last = found.at(-1)?.number ?? last;
    for (const listener of listeners) listener(found, isWhole);
  };
  const readAll = async () => {
    const rows = await database.run((sql) => readEntries(sql, topic, { after: 0, newest: keep }));
    last = 0;
    take(rows, false);
  };
  const readNewer = async () => {
    for (;;) {
      const rows = await database.run((sql) => readEntries(sql, topic, { after: last, newest: undefined }));
      if (rows.length === 0) return;
      if (rows[0]!.number !== last + 1) return await readAll();
      take(rows, true);
      if (rows.length < READ) return;
    }
  };
  /** Whether the database still has the latest entry that was read. */
  const isSameLog = async (): Promise<boolean> => {
    const latest = held.at(-1);
    if (!latest) return last === 0;
    const [row] = await database.run((sql) =>
      readEntries(sql, topic, { after: latest.number - 1, newest: undefined, limit: 1 }),
    );
    return row?.number === latest.number && row.program === latest.program && row.body === latest.body;
  };
  const openEpoch = async (former: string) => {
    const fresh = randomBytes(6).toString("hex");
    const [row] = await database.transact(async (sql) => {
      await sql(NEW_EPOCH, [topic, fresh]);
      // Of several replicas that notice that the log went back, one begins an epoch.
      await sql(REPLACE_EPOCH, [topic, former, fresh]);
      return await sql<{ epoch: string }>("select epoch from log_epoch where topic = $1", [topic]);
    });
    epoch = row!.epoch;
  };

  await openEpoch("");
  await follower.follow({
    topic,
    revision: () => last,
    async update({ whole = false } = {}) {
      if (!whole) return await readNewer();
      if (last > 0 && (await isSameLog())) return await readNewer();
      if (last > 0) await openEpoch(epoch);
      await readAll();
    },
  });
  return {
    append(entry, haste) {
      waiting.push(entry);
      if (waiting.length > keep) {
        const { kind, body } = waiting.shift()!;
        dropped += kind === OMITTED ? (JSON.parse(body) as { count: number }).count : 1;
      }
      schedule(haste === "unhurried" ? UNHURRIED_MS : GATHER_MS);
    },
    entries: () => held,
    get last() {
      return last;
    },
    get epoch() {
      return epoch;
    },
    onEntries(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer?.handle);
      await writing;
      await write();
    },
  };
}

type Sql = Parameters<Parameters<Database["run"]>[0]>[0];

const NEW_EPOCH = "insert into log_epoch (topic, epoch) values ($1, $2) on conflict do nothing";
const REPLACE_EPOCH = "update log_epoch set epoch = $3 where topic = $1 and epoch = $2";
const INSERT = `insert into log_entry (topic, number, program, kind, body)
  select $1, $2::bigint + x.place, $3, x.kind, x.body
    from unnest($4::text[], $5::text[]) with ordinality as x (kind, body, place)`;
const PURGE = "delete from log_entry where topic = $1 and number <= $2";

async function insertEntries(
  sql: Sql,
  {
    topic,
    program,
    batch,
    keep,
  }: { topic: string; program: string; batch: readonly Pick<LogEntry, "kind" | "body">[]; keep: number },
): Promise<void> {
  const rev = await nextRevision(sql, topic, batch.length);
  const bodies = batch.map(({ body }) => databaseText(body));
  await sql(INSERT, [topic, rev - batch.length, program, batch.map(({ kind }) => kind), bodies]);
  const isDue = Math.floor(rev / PURGE_EVERY) > Math.floor((rev - batch.length) / PURGE_EVERY);
  if (isDue) await sql(PURGE, [topic, rev - keep]);
}

async function readEntries(
  sql: Sql,
  topic: string,
  { after, newest, limit = READ }: { after: number; newest: number | undefined; limit?: number },
): Promise<LogEntry[]> {
  const [order, count] = newest === undefined ? ["asc", limit] : ["desc", newest];
  const rows = await sql<LogEntry & Record<string, unknown>>(
    `select number, program, kind, body from log_entry where topic = $1 and number > $2
      order by number ${order} limit $3`,
    [topic, after, count],
  );
  const entries = rows.map((row) => ({ ...row, body: textOfDatabase(row.body) }));
  return newest === undefined ? entries : entries.reverse();
}
