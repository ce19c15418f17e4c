import { link, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { loadSqlite } from "../../sqlite/load.ts";
import type { DatabaseSync, Sqlite } from "../../sqlite/types.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { createFileDurably, systemErrorCode } from "../base/file.ts";
import type { DatabaseCondition, DatabaseRecovery, TableCondition } from "../schema/database-condition.ts";
import { applyMigrations, stepsDone } from "./apply-migrations.ts";
import { DATABASE_FILE, DATABASE_MARKER_FILE } from "./database-identity.ts";
import { lockFolder } from "./lock.ts";
import { MIGRATIONS } from "./migrations.ts";
import { isTableIntact, quotedIdentifier, type SalvagedRow, salvageTable, tablesOf } from "./salvage.ts";
import { withDatabaseSnapshot } from "./snapshot.ts";

/** Tables whose loss could allow something that was blocked before. */
const GUARDING = new Set(["approvals", "known_servers", "users", "meta"]);
/** Not copied, because the next start computes them from the remaining records. */
const DERIVED = new Set(["activity_groups", "activity_sums", "activity_summed"]);
/** Tables in which a row with a damaged value is dropped, because it could not be used. */
const WORTHLESS_IF_DAMAGED = new Set(["meta", "scans"]);

/**
 * Checks a copy of the database in a data directory. A proxy may run on that directory meanwhile.
 *
 * @throws Fault no_such_record, database_unreadable, database_newer
 */
export function checkDatabase(dir: string): Promise<DatabaseCondition> {
  return withDatabaseSnapshot(dir, async (copy) => {
    const file = join(dir, DATABASE_FILE);
    const db = await opened(copy, file);
    try {
      // Whether a newer version's tables are complete, only that version knows.
      stepsDone(db, file, MIGRATIONS.length);
      const tables: TableCondition[] = [];
      for (const table of tablesOf(db)) tables.push(await salvageTable(db, table, () => {}));
      return conditionOf(dir, tables);
    } finally {
      db.close();
    }
  });
}

/**
 * Replaces a damaged database with a new one that contains every readable row, and keeps the damaged one beside it. An
 * intact database is not changed. Tools whose approval could not be read count as not approved.
 *
 * @param now becomes part of the name under which the damaged database is kept
 * @throws Fault database_locked while a proxy runs; no_such_record, database_unreadable, database_newer, disk_failed
 */
export async function recoverDatabase(dir: string, now: number): Promise<DatabaseRecovery> {
  const lock = await lockFolder(dir);
  const fresh = join(dir, `${DATABASE_FILE}.recovered`);
  try {
    await removeDatabase(fresh);
    const tables = await withDatabaseSnapshot(dir, (copy) => copyReadable(copy, fresh, join(dir, DATABASE_FILE)));
    const condition = conditionOf(dir, tables);
    if (condition.whole) return { ...condition, approvals_needed: false };
    const guarding = tables.filter(({ table }) => GUARDING.has(table));
    const approvalsNeeded = guarding.length < GUARDING.size || !guarding.every(isTableIntact);
    // Without a marker, the next start would not notice that approvals are missing.
    if (approvalsNeeded)
      await createFileDurably(join(dir, DATABASE_MARKER_FILE), `${JSON.stringify({ database: "damaged" })}\n`);
    const kept = await replace(dir, fresh, now);
    return { ...condition, kept_as: kept, approvals_needed: approvalsNeeded };
  } catch (error) {
    if (error instanceof Fault || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new Fault("disk_failed", { reason: `${dir}: ${reasonOf(error)}` }, { cause: error });
  } finally {
    await removeDatabase(fresh);
    await lock.release();
  }
}

const removeDatabase = (file: string) => Promise.all([file, `${file}-wal`].map((path) => rm(path, { force: true })));

const conditionOf = (dir: string, tables: readonly TableCondition[]): DatabaseCondition => ({
  file: join(dir, DATABASE_FILE),
  whole: tables.every(isTableIntact),
  tables,
});

async function opened(copy: string, original: string): Promise<DatabaseSync> {
  const sqlite: Sqlite = await loadSqlite();
  let db: DatabaseSync | undefined;
  try {
    db = new sqlite.DatabaseSync(copy);
    db.exec("PRAGMA locking_mode=EXCLUSIVE");
    tablesOf(db);
    return db;
  } catch (error) {
    db?.close();
    throw new Fault("database_unreadable", { file: original, reason: reasonOf(error) }, { cause: error });
  }
}

async function copyReadable(copy: string, fresh: string, original: string): Promise<TableCondition[]> {
  const sqlite = await loadSqlite();
  const from = await opened(copy, original);
  const to = new sqlite.DatabaseSync(fresh);
  try {
    const steps = stepsDone(from, original, MIGRATIONS.length);
    to.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL");
    applyMigrations(to, MIGRATIONS.slice(0, steps), 0);
    const known = new Set(tablesOf(to).map(({ name }) => name));
    const tables: TableCondition[] = [];
    const newId = to.prepare("select value from meta where key = 'database.id'").get()?.value;
    for (const table of tablesOf(from)) {
      const insert = known.has(table.name) && !DERIVED.has(table.name) ? inserter(to, table.name) : () => {};
      tables.push(await salvageTable(from, table, insert));
    }
    // If the id differs from the marker's, the next start treats missing approvals as not approved.
    if (!tables.filter(({ table }) => GUARDING.has(table)).every(isTableIntact) && newId !== undefined)
      to.prepare("insert or replace into meta (key, value) values ('database.id', ?)").run(newId);
    return tables;
  } finally {
    to.close();
    from.close();
  }
}

function inserter(to: DatabaseSync, table: string) {
  return (rows: readonly SalvagedRow[]) => {
    to.exec("BEGIN");
    for (const { row, damaged } of rows) {
      if (damaged > 0 && WORTHLESS_IF_DAMAGED.has(table)) continue;
      const columns = Object.keys(row);
      const names = columns.map(quotedIdentifier).join(", ");
      const marks = columns.map(() => "?").join(", ");
      attempt(() =>
        to
          .prepare(`insert or replace into ${quotedIdentifier(table)} (${names}) values (${marks})`)
          .run(...Object.values(row)),
      );
    }
    to.exec("COMMIT");
  };
}

/** A row that violates a constraint of its table, such as a null in a text column, counts as lost. */
function attempt(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!RULES.includes(Number((error as { errcode?: unknown }).errcode) & 255)) throw error;
  }
}

/** SQLITE_CONSTRAINT, SQLITE_MISMATCH */
const RULES = [19, 20];

/**
 * Renames the files in such an order that after a crash either the old or the new database is in place, and no database
 * has the journal of another one.
 */
async function replace(dir: string, fresh: string, now: number): Promise<string> {
  const file = join(dir, DATABASE_FILE);
  const kept = `${file}.damaged-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, "")}`;
  await synced(fresh);
  await link(file, kept);
  await rename(`${file}-wal`, `${kept}-wal`).catch((error: unknown) => {
    if (systemErrorCode(error) !== "ENOENT") throw error;
  });
  await rename(fresh, file);
  if (process.platform !== "win32") await synced(dir);
  return kept;
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
