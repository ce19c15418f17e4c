import { existsSync } from "node:fs";
import { asset } from "../base/asset.ts";
import { createFileDurably } from "../base/file.ts";
import { diskFault } from "./disk-fault.ts";

/**
 * Creates the database with its current tables, if there is none: a copy of the one that the build has made with all
 * migrations (`make-database.ts`). To run them one by one would take 30 ms of the event loop and more of other threads.
 *
 * @throws Fault disk_failed
 */
export async function createDatabase(file: string): Promise<void> {
  // SQLite would apply a journal that an earlier database has left to the new one.
  if ([file, `${file}-wal`, `${file}-journal`].some((path) => existsSync(path))) return;
  try {
    await createFileDurably(file, asset("new-database.db"));
  } catch (error) {
    throw diskFault(error, file) ?? error;
  }
}
