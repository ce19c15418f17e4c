import { databaseClass } from "./database.ts";
import type { Files } from "./files.ts";
import type { Sqlite } from "./types.ts";
import { loadEngine } from "./wasm.ts";

/**
 * SQLite by the interface of `node:sqlite`, on every Node and platform alike: sql.js with its file system calls served
 * by the host. Loaded on first use, since starting the engine takes some 20 ms.
 *
 * What differs from `node:sqlite`: `errcode` is the primary code, double-quoted text may be a string, there is no FTS5.
 */
export async function loadSqlite(files?: Files): Promise<Sqlite> {
  return { DatabaseSync: databaseClass(await loadEngine(), files) };
}
