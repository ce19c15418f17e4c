import { constants, existsSync } from "node:fs";
import { LRUCache } from "lru-cache";
import type { Files } from "../../sqlite/files.ts";
import type { DatabaseSync, Sqlite, StatementSync } from "../../sqlite/types.ts";
import { Fault } from "../base/fault.ts";
import { applyMigrations, stepsDone } from "./apply-migrations.ts";
import { type DiskFault, diskFault, isDamage } from "./disk-fault.ts";

/** The connection to the database. After a disk failure, the next use opens the database again. */
export interface DatabaseConnection {
  /** A prepared statement, cached by its text; use it only inside `read` and `write`. */
  prepare(sql: string): StatementSync;
  /**
   * Runs code that reads the database. @throws Fault disk_failed if the disk fails during `act`, database_damaged if
   * the file is damaged
   */
  read<T>(act: () => T): T;
  /** Runs `act` like `read`, in one transaction. */
  write(act: () => void): void;
  /**
   * Resolves when all completed writes are on the disk.
   *
   * @throws Fault disk_failed; it is then unknown which writes since the last success are on the disk
   */
  sync(): Promise<void>;
  /** Approximate number of pages in the journal that are not in the database yet. */
  journalPages(): number;
  /**
   * Copies the journal into the database, so that the next write begins it anew. Does nothing if a write is not on the
   * disk yet. Only the copying blocks the event loop; the sync of the database does not.
   *
   * @throws Fault disk_failed; nothing is lost, because the journal stays
   */
  checkpoint(): Promise<void>;
  /** Makes and remembers a fault about a value that SQLite can read but that is not valid. */
  damaged(reason: string): DiskFault;
  /**
   * Describes the first damage found since the start. It never becomes undefined again, because only another file
   * repairs the damage.
   */
  damage(): string | undefined;
  close(): void;
}

interface DatabaseOptions {
  readonly file: string;
  readonly sqlite: Sqlite;
  readonly files: Files;
  readonly steps: readonly string[];
}

/** Maximum number of cached statements. The store has fewer, with the usual filters. */
const CACHED_STATEMENTS = 200;

const PAGE_BYTES = 4096;
/**
 * Number of pages in the journal at which SQLite itself copies it into the database, with two syncs that block the event
 * loop. Checkpoints of the queue come before.
 */
const MAX_JOURNAL_PAGES = 8000;

// Exclusive mode must be set before WAL, because the engine cannot share memory between processes. None of these
// pragmas writes, so a database on a full disk can still be read. With NORMAL, a commit does not sync and never blocks
// the event loop; `sync` runs in the thread pool, and a write is acknowledged only after it. That is as durable as FULL
// (docs/internals/storage.md).
const PRAGMAS = `
  PRAGMA locking_mode=EXCLUSIVE;
  PRAGMA journal_mode=WAL;
  PRAGMA synchronous=NORMAL;
  PRAGMA temp_store=MEMORY;
  PRAGMA journal_size_limit=16777216;
  PRAGMA cache_size=-8000;
  PRAGMA wal_autocheckpoint=${MAX_JOURNAL_PAGES}`;

/**
 * Opens the database and migrates its tables to the current version.
 *
 * @throws Fault database_newer, and the file stays as it is
 * @throws Fault database_damaged, disk_failed
 */
export function connectDatabase({ file, sqlite, files, steps }: DatabaseOptions): DatabaseConnection {
  const statements = new LRUCache<string, StatementSync>({
    max: CACHED_STATEMENTS,
    dispose: (statement) => statement.finalize?.(),
  });
  let db: DatabaseSync | undefined;
  let journal = -1;
  /** Another descriptor of the database, for syncs in the thread pool. */
  let main = -1;
  /** Number of writes so far, and at the last successful sync of the journal. */
  let [writes, syncedWrites] = [0, -1];
  /** True while pages of the last checkpoint may not be on the disk. The journal that holds them, too, must stay as it is. */
  let isMainUnsynced = false;
  let checkpointedBytes = 0;
  let syncing: Promise<void> | undefined;
  let isSyncUncertain = false;
  let closed = false;
  // If the journal's file was deleted, its last writes are lost. A new journal would hide that.
  let journalLost = false;
  let damage: string | undefined;
  const lostJournal = () =>
    new Fault("disk_failed", { reason: `${file}-wal was deleted, and the latest changes with it; restart the proxy` });

  const open = () => {
    const opening = new sqlite.DatabaseSync(file);
    try {
      opening.exec("PRAGMA locking_mode=EXCLUSIVE");
      const done = stepsDone(opening, file, steps.length);
      // The pragma has an effect only before the first table exists, and it would write to the file at every start.
      if (done === 0) opening.exec("PRAGMA auto_vacuum=INCREMENTAL");
      opening.exec(PRAGMAS);
      applyMigrations(opening, steps, done);
      journal = files.open(`${file}-wal`, constants.O_RDWR, 0o600);
      main = files.open(file, constants.O_RDWR, 0o600);
      checkpointedBytes = opening.writtenBytes ?? 0;
      isMainUnsynced = false;
      syncedWrites = -1;
      db = opening;
    } catch (error) {
      const fault = diskFault(error, file, opening);
      opening.close();
      throw fault ?? error;
    }
  };

  const shut = () => {
    statements.clear();
    const database = db;
    const descriptors = [journal, main].filter((fd) => fd >= 0);
    [db, journal, main] = [undefined, -1, -1];
    try {
      // Closing removes a journal that is completely in the database.
      if (isMainUnsynced) database?.keepJournal?.();
      database?.close();
    } finally {
      // The thread pool may still use the descriptors, whose numbers could be reused for other files if they were closed
      // now. Callers that wait for the sync get its error. Closing a file that was only synced does not fail.
      Promise.allSettled([syncing])
        .then(() => descriptors.forEach((fd) => void files.close(fd)))
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
    isSyncUncertain = true;
    try {
      shut();
    } catch {
      // Closing may fail for the same reason; only the first error is reported.
    }
    return fault;
  };

  const live = (): DatabaseSync => {
    if (closed) throw new Fault("disk_failed", { reason: "the store is closed" });
    if (journalLost) throw lostJournal();
    if (!db) {
      // A new file with the old name would look like a database that lost all its records.
      if (!existsSync(file)) throw new Fault("disk_failed", { reason: `${file} is missing; restart the proxy` });
      open();
    }
    return db!;
  };

  /**
   * After a failed sync, pages of the journal may be only in memory. The checkpoint writes them to the database and
   * syncs it.
   */
  const syncJournal = () => {
    const done = connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    if (done?.busy !== 0) throw new Fault("disk_failed", { reason: `${file}: the journal cannot be written back` });
    isSyncUncertain = false;
  };

  const syncMain = () => {
    // Each descriptor gets an error of the disk once, so the one in the thread pool must not take it away.
    const fd = files.open(file, constants.O_RDWR, 0o600);
    try {
      files.sync(fd);
    } finally {
      files.close(fd);
    }
    isMainUnsynced = false;
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
        // Opening the file again does not repair damage, and the rest of the file is still readable.
        if (isDamage(error)) throw faultOf(error);
        throw failed(error);
      }
    },
    write(act) {
      try {
        const database = live();
        // This write may begin the journal anew. It comes during the sync only if a read must see it.
        if (isMainUnsynced) syncMain();
        if (isSyncUncertain) syncJournal();
        connection.prepare("BEGIN IMMEDIATE").run();
        try {
          act();
          connection.prepare("COMMIT").run();
          writes++;
        } catch (error) {
          try {
            database.exec("ROLLBACK");
          } catch {
            // After some errors SQLite has already rolled back and rejects this statement.
          }
          throw error;
        }
      } catch (error) {
        throw failed(error);
      }
    },
    async sync() {
      const [fd, covered] = [journal, writes];
      try {
        if (fd < 0) throw new Fault("disk_failed", { reason: `${file} had to be closed before the write was safe` });
        syncing = files.syncLater(fd);
        await syncing;
        // Writes to a deleted file succeed, so its presence must be checked.
        if (!existsSync(file)) throw new Fault("disk_failed", { reason: `${file} was deleted; restart the proxy` });
        journalLost = files.facts(fd).nlink === 0;
        if (journalLost) throw lostJournal();
        syncedWrites = covered;
      } catch (error) {
        throw failed(error);
      } finally {
        syncing = undefined;
      }
    },
    journalPages: () => (((db?.writtenBytes ?? 0) - checkpointedBytes) / PAGE_BYTES) | 0,
    async checkpoint() {
      if (!db || isSyncUncertain || isMainUnsynced || writes !== syncedWrites) return;
      try {
        const database = live();
        // The journal is on the disk already, and this syncs the database itself.
        database.exec("PRAGMA synchronous=OFF");
        isMainUnsynced = true;
        try {
          connection.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
        } finally {
          database.exec("PRAGMA synchronous=NORMAL");
        }
        checkpointedBytes = database.writtenBytes ?? 0;
        syncing = files.syncLater(main);
        await syncing;
        isMainUnsynced = false;
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
      try {
        if (db && isMainUnsynced) syncMain();
      } catch {
        // The journal is kept, and the next start reads it.
      }
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
