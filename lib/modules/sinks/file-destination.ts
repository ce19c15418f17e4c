import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import type { App } from "../../core/app.ts";
import { systemErrorCode } from "../../core/base/file.ts";
import { makeFolder } from "../../core/base/folder.ts";
import type { SinkConfig } from "./config.ts";
import type { Destination } from "./destination.ts";

/** Bytes at the end of an existing file in which its last line break is searched. */
const TAIL_BYTES = 4 * 1024 * 1024;

/** Appends JSON lines to a file. They are on the disk when a delivery resolves. A full file is rotated: `x.jsonl.1`. */
export async function openFileDestination(
  app: Pick<App, "config">,
  { name, path: configured, max_size_mb, max_backups }: SinkConfig,
): Promise<Destination> {
  const path = sinkPath(app, configured ?? join("sinks", `${name}.jsonl`));
  makeFolder(dirname(path));
  let file = await open(path, "a+", 0o600);
  let size = await withoutTornLine(file);

  const rotate = async () => {
    await file.close();
    const aside = (n: number) => (n === 0 ? path : `${path}.${n}`);
    await rm(aside(max_backups), { force: true });
    for (let n = max_backups - 1; n >= 0; n--) await rename(aside(n), aside(n + 1)).catch(absentIsFine);
    file = await open(path, "a+", 0o600);
    size = (await file.stat()).size;
  };
  /** Another program may rotate or delete the file; what is written to the former one might never be read. */
  const followPath = async () => {
    const [atPath, opened] = await Promise.all([stat(path).catch(absentIsFine), file.stat()]);
    if (atPath && atPath.ino === opened.ino && atPath.dev === opened.dev) return;
    await file.close();
    file = await open(path, "a+", 0o600);
    size = await withoutTornLine(file);
  };
  return {
    async deliver(records) {
      await followPath();
      const bytes = Buffer.from(records.map(({ line }) => `${line}\n`).join(""));
      if (size > 0 && size + bytes.length > max_size_mb * 1024 * 1024) await rotate();
      try {
        await file.appendFile(bytes);
        await file.datasync();
        size += bytes.length;
      } catch (error) {
        // The lines are delivered again, so the part that was written must not stay.
        await file.truncate(size).catch(() => undefined);
        throw error;
      }
    },
    close: () => file.close(),
  };
}

/** Returns an absolute path. A relative one is relative to the data directory. */
function sinkPath({ config }: Pick<App, "config">, path: string): string {
  return isAbsolute(path) ? path : join(config.dataDir, path);
}

/** Removes an incomplete last line, which a power cut leaves; its record is delivered again. @returns the size */
async function withoutTornLine(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const length = Math.min(size, TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
  const torn = end === 0 && length < size ? 0 : bytesRead - end;
  if (torn > 0) await file.truncate(size - torn);
  return size - torn;
}

function absentIsFine(error: unknown): undefined {
  if (systemErrorCode(error) !== "ENOENT") throw error;
}
