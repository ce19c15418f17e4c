import { type FileHandle, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../core/base/folder.ts";
import { readSpoolLines, spoolLine } from "./spool-lines.ts";

/** Records in files until the database takes them. The folder belongs to one process at a time. */
interface RecordSpool<R> {
  /** True if files wait. */
  readonly filled: boolean;
  readonly bytes: number;
  /** Writes records durably. @returns false if the spool has no room for them */
  write(records: readonly R[]): Promise<boolean>;
  /** Reads the oldest file, which `removeOldest` then deletes; undefined if there is none. */
  readOldest(): Promise<{ records: R[]; damaged: number } | undefined>;
  removeOldest(): Promise<void>;
  close(): Promise<void>;
}

interface SpoolFile {
  readonly path: string;
  bytes: number;
}

/** A file is parsed at once, so it stays small. */
const MAX_FILE_BYTES = 512 * 1024;
const SUFFIX = ".spool";

/** Opens the spool of a folder with the files that an earlier process left. */
export async function openRecordSpool<R>(dir: string, maxBytes: number): Promise<RecordSpool<R>> {
  makeFolder(dir);
  const names = (await readdir(dir)).filter((name) => name.endsWith(SUFFIX)).sort();
  const files: SpoolFile[] = await Promise.all(
    names.map(async (name) => ({ path: join(dir, name), bytes: (await stat(join(dir, name))).size })),
  );
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  let current: { file: SpoolFile; handle: FileHandle } | undefined;
  let made = 0;

  const finish = async () => {
    const { handle } = current ?? {};
    current = undefined;
    await handle?.close();
  };
  const begin = async () => {
    const name = `${String(Date.now()).padStart(15, "0")}-${process.pid}-${String(made++).padStart(6, "0")}${SUFFIX}`;
    const file = { path: join(dir, name), bytes: 0 };
    const opened = { file, handle: await open(file.path, "ax", 0o600) };
    files.push(file);
    current = opened;
    return opened;
  };

  return {
    get filled() {
      return files.length > 0;
    },
    get bytes() {
      return bytes;
    },
    async write(records) {
      const text = Buffer.from(records.map(spoolLine).join(""));
      if (bytes + text.length > maxBytes) return false;
      if (current && current.file.bytes + text.length > MAX_FILE_BYTES) await finish();
      const { file, handle } = current ?? (await begin());
      // Counted first: a write that fails may have written a part.
      file.bytes += text.length;
      bytes += text.length;
      try {
        await handle.appendFile(text);
        await handle.datasync();
      } catch (error) {
        // A half-written line must not be the start of the next one.
        await finish();
        throw error;
      }
      return true;
    },
    async readOldest() {
      const [oldest] = files;
      if (!oldest) return undefined;
      if (oldest === current?.file) await finish();
      return readSpoolLines<R>(await readFile(oldest.path, "utf8"));
    },
    async removeOldest() {
      const oldest = files.shift();
      if (!oldest) return;
      bytes -= oldest.bytes;
      await rm(oldest.path, { force: true });
    },
    close: finish,
  };
}
