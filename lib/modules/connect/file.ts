import { constants } from "node:fs";
import { access, chown, lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { reasonOf } from "../../core/base/fault.ts";
import { createFileDurably, readBoundedFile, systemErrorCode, writeFileDurably } from "../../core/base/file.ts";
import { makeFolder } from "../../core/base/folder.ts";
import type { Machine } from "../../core/base/machine.ts";

/** Largest configuration that is read; some clients keep their history in it (bytes). */
const MAX_BYTES = 32 * 1024 * 1024;

/** The content or state of a path. */
export type Found =
  | { readonly state: "absent" }
  | {
      readonly state: "file";
      readonly bytes: Buffer;
      readonly mode: number;
      readonly uid: number;
      readonly gid: number;
    }
  /** The operating system denies access; `remedy` says what to do. */
  | { readonly state: "denied"; readonly remedy: string }
  /** A path that the proxy does not write to. */
  | { readonly state: "unusable"; readonly reason: string };

/** Reads a configuration with one open. A link is followed if its target belongs to the same user. */
export async function look(path: string, machine: Machine): Promise<Found> {
  try {
    if ((await lstat(path)).isSymbolicLink()) {
      const reason = await wrongLink(path);
      if (reason) return { state: "unusable", reason };
    }
    const { bytes, stats } = await readBoundedFile(path, MAX_BYTES);
    return { state: "file", bytes, mode: stats.mode & 0o777, uid: stats.uid, gid: stats.gid };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "absent" };
    if (isDenied(error)) return { state: "denied", remedy: remedyFor(path, machine) };
    return { state: "unusable", reason: code === "EISDIR" ? `${path} is a folder` : reasonOf(error) };
  }
}

async function wrongLink(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return `${path} is a broken symbolic link`;
  const { uid } = await stat(real);
  const userId = process.geteuid?.();
  if (userId === undefined || userId === 0 || uid === userId) return undefined;
  return `${path} is a symbolic link to a file of another user`;
}

/** True if the operating system denied the access. */
export const isDenied = (error: unknown) => ["EACCES", "EPERM", "EROFS"].includes(systemErrorCode(error));

/** Whether a file may be replaced, or created; missing folders can be created. */
export async function mayWrite(path: string, found: Found): Promise<boolean> {
  try {
    if (found.state === "file") await access(path, constants.W_OK);
    await access(await nearestFolder(dirname(path)), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function nearestFolder(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const there = await stat(at).catch(() => undefined);
    if (there || at === dirname(at)) return at;
  }
}

/** Advice about a configuration that the proxy may not read or write. */
export function remedyFor(path: string, { platform }: Machine): string {
  if (platform === "darwin")
    return `macOS or the file's permissions deny the proxy access to ${path}. Allow it under System Settings > Privacy & Security > App Management (or Full Disk Access), or reset the decision with "tccutil reset SystemPolicyAppData", then try again.`;
  if (platform === "win32")
    return `The permissions of ${path} deny the proxy access. Give your user the right to read and change the file (Properties > Security), then try again.`;
  return `The permissions of ${path} deny the proxy access. Give the proxy's user the right to read and write the file and its folder (chmod u+rw), then try again.`;
}

/**
 * Suffix of a backup, `<config>.bak.<YYYYMMDD-HHMMSS>`; further backups in the same second have `-1`, `-2` and so on.
 */
const BACKUP = /^\.bak\.\d{8}-\d{6}(?:-\d{1,6})?$/;

/** Whether a name is that of a backup of this file, in the same folder. */
export function isBackupName(path: string, name: string): boolean {
  const base = basename(path);
  return name.startsWith(base) && BACKUP.test(name.slice(base.length));
}

/**
 * Writes a copy beside the file, with its mode and owner, under an unused name (spec 000 §4.5 rule 2).
 *
 * @returns the path of the copy, after it is flushed to disk
 */
export async function backUp(path: string, found: Found & { state: "file" }, now: number): Promise<string> {
  const stamp = new Date(now).toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  for (let i = 0; ; i++) {
    const copy = join(dirname(path), `${basename(path)}.bak.${stamp}${i === 0 ? "" : `-${i}`}`);
    if (!(await createFileDurably(copy, found.bytes, found.mode))) continue;
    if (found.uid !== process.geteuid?.()) await chown(copy, found.uid, found.gid).catch(() => undefined);
    return copy;
  }
}

/**
 * Replaces the content of a file atomically.
 *
 * @returns false, without a change, if the file changed since it was read
 */
export async function replaceFile(path: string, found: Found, bytes: Uint8Array, machine: Machine): Promise<boolean> {
  if (found.state === "absent") {
    makeFolder(dirname(path), 0o777);
    return createFileDurably(path, bytes, 0o600);
  }
  const now = await look(path, machine);
  if (found.state !== "file" || now.state !== "file" || !now.bytes.equals(found.bytes)) return false;
  await writeFileDurably(path, bytes);
  return true;
}
