import { constants, existsSync } from "node:fs";
import { LRUCache } from "lru-cache";
import type { Files } from "../../sqlite/files.ts";
import type { DatabaseSync, Sqlite, StatementSync } from "../../sqlite/types.ts";
import { Fault } from "../base/fault.ts";
import { type DiskFault, diskFault, isDamage } from "./disk-fault.ts";
import { migrate, stepsDone } from "./migrate.ts";

/** The database as the tables see it. After a failure of the disk it is opened anew at the next use. */
export interface DatabaseConnection {
  /** The statement for this text, prepared once; to be used within `read` and `write` only. */
  prepare(sql: string): StatementSync;
  /** @throws Fault disk_failed for whatever the disk refuses in `act`, database_damaged where the file itself is broken */
  read<T>(act: () => T): T;
  /** As `read`, and all or nothing. */
  write(act: () => void): void;
  /**
   * Resolves when every write that has returned is on the disk.
   *
   * @throws Fault disk_failed; the writes since the last success may or may not be there
   */
  sync(): Promise<void>;
  /** A fault for content that cannot be read, though SQLite reads it; it is remembered. */
  damaged(reason: string): DiskFault;
  /** The first damage that was met since the start. Only another file mends it, so it stays. */
  damage(): string | undefined;
  close(): void;
}

interface DatabaseOptions {
  readonly file: string;
  readonly sqlite: Sqlite;
  readonly files: Files;
  readonly steps: readonly string[];
}

/** More than the store has statements and likely filters. */
const CACHED_STATEMENTS = 200;

// Exclusive before WAL, since the engine has no memory to share between processes. Nothing here writes, so that a full
// disk can still be read. At NORMAL a commit syncs nothing and so never holds up the event loop: sync() does it in the thread pool, and no
// writer is answered before. That is as durable as FULL (docs/internals/storage.md).
const PRAGMAS = `
  PRAGMA locking_mode=EXCLUSIVE;
  PRAGMA journal_mode=WAL;
  PRAGMA synchronous=NORMAL;
  PRAGMA temp_store=MEMORY;
  PRAGMA journal_size_limit=16777216;
  PRAGMA cache_size=-8000`;

/**
 * Opens the database and brings its tables up to date.
 *
 * @throws Fault database_newer, with the file left as it is; database_damaged; disk_failed
 */
export function connectDatabase({ file, sqlite, files, steps }: DatabaseOptions): DatabaseConnection {
  const statements = new LRUCache<string, StatementSync>({
    max: CACHED_STATEMENTS,
    dispose: (statement) => statement.finalize?.(),
  });
  let db: DatabaseSync | undefined;
  let journal = -1;
  let syncing: Promise<void> | undefined;
  let doubtful = false;
  let closed = false;
  // A journal begun anew would hide that the last writes went with the old one.
  let journalLost = false;
  let damage: string | undefined;
  const lostJournal = () =>
    new Fault("disk_failed", { reason: `${file}-wal was deleted, and the latest changes with it; restart the proxy` });

  const open = () => {
    const opening = new sqlite.DatabaseSync(file);
    try {
      opening.exec("PRAGMA locking_mode=EXCLUSIVE");
      const done = stepsDone(opening, file, steps.length);
      // It counts only before the first table, and would be written again at every start.
      if (done === 0) opening.exec("PRAGMA auto_vacuum=INCREMENTAL");
      opening.exec(PRAGMAS);
      migrate(opening, steps, done);
      journal = files.open(`${file}-wal`, constants.O_RDWR, 0o600);
      db = opening;
    } catch (error) {
      const fault = diskFault(error, file, opening);
      opening.close();
      throw fault ?? error;
    }
  };

  const shut = () => {
    statements.clear();
    const [database, fd] = [db, journal];
    [db, journal] = [undefined, -1];
    try {
      database?.close();
    } finally {
      // The thread pool may be at it still, and the number could be given to another file. Whoever waits for that sync
      // is told of its failure; closing a file that was only synced has none of its own.
      if (fd >= 0)
        Promise.allSettled([syncing])
          .then(() => files.close(fd))
          .catch(() => {});
    }
  };

  const faultOf = (error: unknown): DiskFault | undefined => {
    const fault = diskFault(error, file, db);
    if (fault?.code === "database_damaged") damage ??= fault.message;
    return fault;
  };

  const failed = (error: unknown): unknown => {
    const fault = faultOf(error);
    if (!fault) return error;
    doubtful = true;
    try {
      shut();
    } catch {
      // What failed before may fail again while closing; the first reason is the one to tell.
    }
    return fault;
  };

  const live = (): DatabaseSync => {
    if (closed) throw new Fault("disk_failed", { reason: "the store is closed" });
    if (journalLost) throw lostJournal();
    if (!db) {
      // A new file under the old name would look like one that has lost everything.
      if (!existsSync(file)) throw new Fault("disk_failed", { reason: `${file} is missing; restart the proxy` });
      open();
    }
    return db!;
  };

  /** What the journal holds reads well, but may be gone from the disk; in the database it is written and synced anew. */
  const settleDoubt = () => {
    const done = connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    if (done?.busy !== 0) throw new Fault("disk_failed", { reason: `${file}: the journal cannot be written back` });
    doubtful = false;
  };

  const connection: DatabaseConnection = {
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement = live().prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    read(act) {
      try {
        live();
        return act();
      } catch (error) {
        // What is damaged stays so, however often it is opened; the rest can be read.
        if (isDamage(error)) throw faultOf(error);
        throw failed(error);
      }
    },
    write(act) {
      try {
        const database = live();
        if (doubtful) settleDoubt();
        connection.prepare("BEGIN IMMEDIATE").run();
        try {
          act();
          connection.prepare("COMMIT").run();
        } catch (error) {
          try {
            database.exec("ROLLBACK");
          } catch {
            // After some failures SQLite has rolled back by itself, and then refuses.
          }
          throw error;
        }
      } catch (error) {
        throw failed(error);
      }
    },
    async sync() {
      const fd = journal;
      try {
        if (fd < 0) throw new Fault("disk_failed", { reason: `${file} had to be closed before the write was safe` });
        syncing = files.syncLater(fd);
        await syncing;
        // A deleted file takes writes like any other.
        if (!existsSync(file)) throw new Fault("disk_failed", { reason: `${file} was deleted; restart the proxy` });
        journalLost = files.facts(fd).nlink === 0;
        if (journalLost) throw lostJournal();
      } catch (error) {
        throw failed(error);
      } finally {
        syncing = undefined;
      }
    },
    damaged(reason) {
      const fault = new Fault("database_damaged", { file, reason });
      damage ??= fault.message;
      return fault;
    },
    damage: () => damage,
    close() {
      if (closed) return;
      shut();
      closed = true;
    },
  };
  try {
    open();
  } catch (error) {
    throw diskFault(error, file) ?? error;
  }
  return connection;
}
