import { copyFile, mkdtemp, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../base/fault.ts";
import { codeOf } from "../base/file.ts";
import { DATABASE } from "./evidence.ts";

/** A checkpoint of a running proxy may fall between the two copies. */
const ATTEMPTS = 5;
/** Of the journal; another one is written with every checkpoint. (bytes) */
const JOURNAL_HEADER = 32;

/**
 * Copies the database and its journal as they are at one moment, whether or not a proxy is writing, and removes the copy
 * after `use`. The original is not opened, because opening it would write the journal back.
 *
 * @throws Fault no_such_record without a database
 */
export async function withSnapshot<T>(dir: string, use: (file: string) => Promise<T>): Promise<T> {
  const file = join(dir, DATABASE);
  if ((await stat(file).catch(() => undefined)) === undefined)
    throw new Fault("no_such_record", { what: "database", id: file });
  const folder = await mkdtemp(join(dir, "db-copy-"));
  try {
    const copy = join(folder, DATABASE);
    for (let attempt = 1; ; attempt++) {
      const before = await momentOf(file);
      await copyFile(file, copy);
      await rm(`${copy}-wal`, { force: true });
      await copyFile(`${file}-wal`, `${copy}-wal`).catch((error: unknown) => {
        if (codeOf(error) !== "ENOENT") throw error;
      });
      if ((await momentOf(file)) === before || attempt === ATTEMPTS) break;
    }
    return await use(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Equal before and after: the database was not written meanwhile; a journal only grew. */
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
