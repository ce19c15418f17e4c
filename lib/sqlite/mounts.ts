import { join } from "node:path";
import type { Files } from "./files.ts";

const ROOT = "/disk/";

/** A folder of the host as the engine sees it. */
export interface Mount {
  readonly dir: string;
  readonly files: Files;
  /** The last failure of the disk, since SQLite's own result codes do not say which call met it. */
  failure: NodeJS.ErrnoException | undefined;
}

export interface Mounts {
  /** Makes `dir` visible to the engine and answers under which path: short, whatever the length of `dir`. */
  add(mount: Mount): string;
  drop(path: string): void;
  /** The mount and host path behind a path of the engine's; `undefined` for what lives in its memory. */
  find(path: string): { mount: Mount; hostPath: string } | undefined;
}

export function createMounts(): Mounts {
  const byName = new Map<string, Mount>();
  let next = 1;
  return {
    add(mount) {
      const name = String(next++);
      byName.set(name, mount);
      return ROOT + name;
    },
    drop(path) {
      byName.delete(path.slice(ROOT.length));
    },
    find(path) {
      if (!path.startsWith(ROOT)) return undefined;
      const end = path.indexOf("/", ROOT.length);
      const mount = byName.get(path.slice(ROOT.length, end < 0 ? undefined : end));
      if (!mount) return undefined;
      return { mount, hostPath: end < 0 ? mount.dir : join(mount.dir, path.slice(end + 1)) };
    },
  };
}
