import { copyFile, mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../base/fault.ts";
import { systemErrorCode } from "../base/file.ts";
import { DATABASE_FILE } from "./database-identity.ts";

/** Number of attempts: a running proxy may move the journal into the database between the copies of the two files. */
const ATTEMPTS = 5;
/** Size of the journal's header, which changes with every checkpoint. (bytes) */
const JOURNAL_HEADER = 32;

/**
 * Makes a consistent copy of the database and its journal, even while a proxy writes to them, and removes the copy
 * after `use`. The original is not opened, because opening it would write the journal back.
 *
 * @param places folders for the copy, in order of preference; beside the database unless its disk is full or read-only
 * @throws Fault no_such_record if there is no database
 */
export async function withDatabaseSnapshot<T>(
  dir: string,
  use: (file: string) => Promise<T>,
  places: readonly string[] = [dir, tmpdir()],
): Promise<T> {
  const file = join(dir, DATABASE_FILE);
  if ((await stat(file).catch(() => undefined)) === undefined)
    throw new Fault("no_such_record", { what: "database", id: file });
  const folder = await copied(file, places);
  try {
    return await use(join(folder, DATABASE_FILE));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the folder of the copy, which only this user can read */
async function copied(file: string, [place = "", ...others]: readonly string[]): Promise<string> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(place, "db-copy-"));
    await copyAtOneMoment(file, join(folder, DATABASE_FILE));
    return folder;
  } catch (error) {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    if (others.length === 0) throw error;
    return await copied(file, others);
  }
}

async function copyAtOneMoment(file: string, copy: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await momentOf(file);
    await copyFile(file, copy);
    await rm(`${copy}-wal`, { force: true });
    await copyFile(`${file}-wal`, `${copy}-wal`).catch((error: unknown) => {
      if (systemErrorCode(error) !== "ENOENT") throw error;
    });
    if ((await momentOf(file)) === before || attempt === ATTEMPTS) return;
  }
}

/**
 * Returns a text that is equal before and after copying if the database was not written meanwhile; the journal may have
 * grown.
 */
async function momentOf(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file);
  return `${size} ${mtimeMs} ${await headOf(`${file}-wal`)}`;
}

async function headOf(path: string): Promise<string> {
  const handle = await open(path, "r").catch(() => undefined);
  if (!handle) return "";
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(JOURNAL_HEADER), 0, JOURNAL_HEADER, 0);
    return buffer.toString("hex", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
