import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "#lib/core/store/open-store.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";

/** Overwrites the pages of a closed database that hold a text. @returns their number */
export function damagePagesWith(dir: string, text: string): number {
  const file = join(dir, DATABASE_FILE);
  const bytes = readFileSync(file);
  const size = pageSize(bytes);
  const pages = new Set<number>();
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) pages.add(Math.floor(at / size));
  for (const page of pages) bytes.fill(0xff, page * size, page * size + 64);
  writeFileSync(file, bytes);
  return pages.size;
}

/** Overwrites the first page of a table or an index of a closed database. */
export async function damageRootOf(dir: string, name: string): Promise<void> {
  const root = (await query(dir, "select rootpage from sqlite_schema where name = ?", name))[0]?.rootpage;
  const file = join(dir, DATABASE_FILE);
  const bytes = readFileSync(file);
  const size = pageSize(bytes);
  bytes.fill(0xff, (Number(root) - 1) * size, (Number(root) - 1) * size + 64);
  writeFileSync(file, bytes);
}

/** Runs a statement in a closed database. */
export async function query(dir: string, sql: string, ...inputs: string[]) {
  const { DatabaseSync } = await loadSqlite();
  const db = new DatabaseSync(join(dir, DATABASE_FILE));
  try {
    db.exec("PRAGMA locking_mode=EXCLUSIVE");
    return db.prepare(sql).all(...inputs);
  } finally {
    db.close();
  }
}

/** The page size in the header of an SQLite file, where 1 stands for 65,536. */
function pageSize(bytes: Buffer): number {
  const size = bytes.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}
