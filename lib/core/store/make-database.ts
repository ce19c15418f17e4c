import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSqlite } from "../../sqlite/load.ts";
import { applyMigrations } from "./apply-migrations.ts";
import { MIGRATIONS } from "./migrations.ts";

/** Makes the file of a new database with all tables, for the build. It has no id: each data directory gets its own. */
export async function makeDatabase(): Promise<Uint8Array> {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  try {
    const file = join(dir, "new.db");
    const { DatabaseSync } = await loadSqlite();
    const db = new DatabaseSync(file);
    db.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL");
    applyMigrations(db, MIGRATIONS, 0);
    db.exec("delete from meta where key = 'database.id'");
    db.exec("VACUUM");
    db.close();
    return readFileSync(file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
