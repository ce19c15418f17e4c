import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../base/fault.ts";
import { closeLockSocket, isLockSocketLive, listenOnLockSocket, withShortSocketPath } from "./lock-socket.ts";

export interface FolderLock {
  release(): Promise<void>;
}

/** Error codes of a file system without sockets or links, such as some shared folders of virtual machines. */
const UNSUPPORTED = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Makes this process the only user of a data directory until it releases the lock or ends for any reason.
 *
 * The holder listens on a socket in the directory, and the link `lock.N` with the highest N names that socket, so the
 * kernel knows whether the holder is alive. A process that finds the holder dead makes `lock.N+1`; the file system lets
 * only one of several processes succeed. Process ids are not used, because they are reused, and no file ages, because a
 * suspended machine makes them wrong.
 *
 * @throws Fault database_locked
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const dir = realpathSync(folder);
  const key = createHash("sha256").update(dir.toLowerCase()).digest("hex");
  if (process.platform === "win32") return lockByName(dir, `\\\\.\\pipe\\proxy-store-${key}`);
  try {
    return await lockBySocket(dir);
  } catch (error) {
    if (process.platform !== "linux" || !UNSUPPORTED.includes(codeOf(error))) throw error;
    return lockByName(dir, `\0proxy-store-${key}`);
  }
}

/**
 * Takes the lock by a name that the kernel gives to one process only and frees when that process ends (a pipe, an
 * abstract socket).
 */
export async function lockByName(dir: string, name: string): Promise<FolderLock> {
  try {
    const server = await listenOnLockSocket(name);
    return { release: () => closeLockSocket(server) };
  } catch (error) {
    if (!["EADDRINUSE", "EACCES"].includes(codeOf(error))) throw error;
    throw new Fault("database_locked", { dir }, { cause: error });
  }
}

async function lockBySocket(dir: string): Promise<FolderLock> {
  const mine = `lock-${randomBytes(6).toString("hex")}.sock`;
  // The socket listens before its name is published, so a published name is always that of a live process.
  const server = await withShortSocketPath(dir, mine, listenOnLockSocket);
  const release = async () => {
    await closeLockSocket(server);
    rmSync(join(dir, mine), { force: true });
  };
  try {
    await publish(dir, mine);
    await clearDead(dir, mine);
    return { release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Makes `socket` the holder with the highest N, unless the current holder is alive. */
async function publish(dir: string, socket: string): Promise<void> {
  for (;;) {
    const newest = generations(dir).at(-1) ?? 0;
    if (newest > 0) {
      const holder = target(join(dir, `lock.${newest}`));
      if (holder === undefined) continue;
      if (await withShortSocketPath(dir, holder, isLockSocketLive)) throw new Fault("database_locked", { dir });
    }
    const link = join(dir, `lock.${newest + 1}`);
    try {
      symlinkSync(socket, link);
    } catch (error) {
      if (codeOf(error) === "EEXIST") continue;
      throw error;
    }
    const now = generations(dir);
    if (now.at(-1) === newest + 1) {
      // The link with the highest N is never deleted, so N only grows and no two processes get the same number.
      for (const older of now.slice(0, -1)) rmSync(join(dir, `lock.${older}`), { force: true });
      return;
    }
    // The list of links was outdated: other processes took and released numbers meanwhile, so this number was free
    // again.
    rmSync(link, { force: true });
  }
}

/** Removes the sockets that killed processes left behind. */
async function clearDead(dir: string, mine: string) {
  for (const file of readdirSync(dir)) {
    if (!/^lock-[0-9a-f]{12}\.sock$/.test(file) || file === mine) continue;
    if (!(await withShortSocketPath(dir, file, isLockSocketLive))) rmSync(join(dir, file), { force: true });
  }
}

function generations(dir: string): number[] {
  return readdirSync(dir)
    .map((file) => Number(/^lock\.(\d+)$/.exec(file)?.[1]))
    .filter((n) => n > 0)
    .sort((a, b) => a - b);
}

function target(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}
