import { databaseClass } from "./database.ts";
import type { Files } from "./files.ts";
import type { Sqlite } from "./types.ts";
import { loadEngine } from "./wasm.ts";

/**
 * Loads SQLite with the interface of `node:sqlite`, on every version of Node and every platform: sql.js with file
 * system calls of the host. Call it on first use, because starting the engine takes about 20 ms.
 *
 * Differences to `node:sqlite`: `errcode` is the primary code, double-quoted text may be a string, there is no FTS5.
 */
export async function loadSqlite(files?: Files): Promise<Sqlite> {
  return { DatabaseSync: databaseClass(await loadEngine(), files) };
}
