import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, link, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Age after which a temporary file can only be a leftover of a killed process. (ms) */
const LEFTOVER_MS = 60_000;

/**
 * Replaces a file in one step and returns when the new content would survive a power cut: it writes a temporary file in
 * the same folder, calls fsync, renames it and calls fsync for the folder. A reader sees the old content or the new,
 * never a part. A symbolic link is kept, and the file that it points to is replaced. An existing file keeps its mode
 * and owner.
 *
 * @param newMode mode of a file that does not exist yet
 */
export async function writeFileDurably(path: string, content: string | Uint8Array, newMode = 0o600): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const before = await stat(target).catch(() => undefined);
  await throughTemp(target, content, { mode: before ? before.mode & 0o777 : newMode, before }, replace);
}

/** Like `writeFileDurably`, for a new file. Returns false, and leaves the file alone, if it exists already. */
export async function createFileDurably(path: string, content: string | Uint8Array, mode = 0o600): Promise<boolean> {
  try {
    await throughTemp(path, content, { mode, before: undefined }, place);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes temporary files that killed processes left beside `path`. Recent ones are kept, as they may be in use. */
export async function removeLeftoverFiles(path: string, now: number): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const folder = dirname(target);
  const prefix = `.${basename(target)}.`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !/^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length))) continue;
    const left = await stat(join(folder, name)).catch(() => undefined);
    if (left?.isFile() && now - left.mtimeMs > LEFTOVER_MS) await rm(join(folder, name), { force: true });
  }
}

/**
 * Reads a regular file, but never more than `limit` bytes of it. The file is opened only once.
 *
 * @throws the system's error; code EFBIG if the file is larger, EINVAL if it is not a regular file
 */
export async function readBoundedFile(path: string, limit: number): Promise<{ bytes: Buffer; stats: Stats }> {
  // Non-blocking, so that a named pipe is rejected instead of waited for if one has replaced the file.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw Object.assign(new Error(`${path} is not a regular file`), { code: "EINVAL" });
    const tooLarge = () => Object.assign(new Error(`${path} is larger than ${limit} bytes`), { code: "EFBIG" });
    if (stats.size > limit) throw tooLarge();
    const bytes = await readUpTo(file, stats.size, limit);
    if (bytes.length > limit) throw tooLarge();
    return { bytes, stats };
  } finally {
    await file.close();
  }
}

/** Reads to the end or one byte past the limit, since a file may grow after its size was read. */
async function readUpTo(file: FileHandle, expected: number, limit: number): Promise<Buffer> {
  let buffer = Buffer.alloc(Math.min(expected, limit) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > limit) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, limit + 1));
  }
}

async function throughTemp(
  target: string,
  content: string | Uint8Array,
  { mode, before }: { mode: number; before: Stats | undefined },
  put: (temp: string, target: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(target);
  const temp = join(folder, `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(temp, "wx", 0o600);
    try {
      await file.writeFile(content);
      if (process.platform !== "win32") await file.chmod(mode);
      // Only an administrator can change a file's owner. If an administrator writes another user's file, the owner
      // stays.
      if (before && before.uid !== process.geteuid?.()) await file.chown(before.uid, before.gid).catch(() => undefined);
      await file.sync();
    } finally {
      await file.close();
    }
    await put(temp, target);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/**
 * Gives the temporary file its final name and fails if that name exists. A hard link fails in this case, a rename does
 * not. On disks without hard links the existence is checked before the rename.
 */
async function place(temp: string, target: string): Promise<void> {
  try {
    await link(temp, target);
    await rm(temp);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") throw error;
    if (await stat(target).catch(() => undefined)) throw Object.assign(new Error("exists"), { code: "EEXIST" });
    await replace(temp, target);
  }
}

/** Renames with retries: Windows refuses a rename while a virus scanner or an indexer has the file open. */
async function replace(from: string, to: string): Promise<void> {
  const attempts = process.platform === "win32" ? 6 : 1;
  for (let i = 1; ; i++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (i >= attempts || !["EPERM", "EACCES", "EBUSY"].includes((error as NodeJS.ErrnoException).code ?? ""))
        throw error;
      await new Promise((done) => setTimeout(done, 10 * 2 ** i));
    }
  }
}

/** Makes the rename durable. Windows has no such call, and some network disks do not support it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "EISDIR", "EPERM"].includes(systemErrorCode(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** Returns the code of a system error, such as ENOENT; empty if it has none. */
export function systemErrorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}
