import { join } from "node:path";
import type { Files } from "./files.ts";

const ROOT = "/disk/";

/** A folder of the host that the engine can access. */
export interface Mount {
  readonly dir: string;
  readonly files: Files;
  /** The last failure of the disk, because SQLite's result codes do not contain the system's error. */
  failure: NodeJS.ErrnoException | undefined;
  /** True if no file may be removed. */
  keepsFiles: boolean;
}

export interface Mounts {
  /** Makes `dir` accessible to the engine. Returns its path for the engine, which is short even if `dir` is long. */
  add(mount: Mount): string;
  drop(path: string): void;
  /** Returns the mount and the host path of one of the engine's paths; `undefined` for files in the engine's memory. */
  find(path: string): { mount: Mount; hostPath: string } | undefined;
}

/** Makes an empty table of mounts. */
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
