import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../base/fault.ts";
import { closeLockSocket, isLockSocketLive, listenOnLockSocket, withShortSocketPath } from "./lock-socket.ts";

export interface FolderLock {
  release(): Promise<void>;
}

/** Error codes of a disk without sockets or links, such as some shared folders of virtual machines. */
const UNSUPPORTED = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Makes this process the only holder of a data directory, until it releases the lock or ends in any way.
 *
 * The kernel tells who lives: a holder listens on a socket in the directory, and the link `lock.N` with the highest N
 * names that socket. Whoever finds it dead makes `lock.N+1`, which only one of many starters can. No process ids, which
 * are used again, and no ages, which a suspended machine makes wrong.
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

/** Holds a name that the kernel gives to one process and takes back at its end (a pipe, an abstract socket). */
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
  // Listening before it is published: a published name is alive from the first moment.
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

/** Makes `socket` the newest generation, unless the newest one's holder lives. */
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
      // The newest is never deleted, so N only grows and no number is won twice.
      for (const older of now.slice(0, -1)) rmSync(join(dir, `lock.${older}`), { force: true });
      return;
    }
    // The list was stale: other starters took and released numbers meanwhile, and this number became free again.
    rmSync(link, { force: true });
  }
}

/** Removes the sockets of holders and starters that were killed. */
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
