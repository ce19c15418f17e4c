import { existsSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../core/base/folder.ts";

const ROOT = "/sys/fs/cgroup";

interface Bounds {
  readonly memoryBytes: number | undefined;
  readonly processors: number | undefined;
  readonly processes: number;
}

/** A control group that limits the resources of one server. */
interface Cgroup {
  /**
   * Files of the group. A process joins the group by writing its process ID into each of them; its children belong to
   * the group too.
   */
  readonly memberFiles: readonly string[];
  /** Whether the kernel killed a process in the group because memory ran out. */
  outOfMemory(): boolean;
  remove(): void;
}

/**
 * Creates a control group if the user may: as root, or in a delegated part of the tree. Undefined if the kernel or the
 * permissions do not allow it.
 */
export function makeCgroup(instance: string, name: string, bounds: Bounds): Cgroup | undefined {
  const folders: string[] = [];
  const remove = () => {
    for (const folder of folders.toReversed()) {
      quietly(() => rmdirSync(folder));
      // Removing the last group also removes its parent folder.
      quietly(() => rmdirSync(dirname(folder)));
    }
  };
  try {
    const unified = existsSync(join(ROOT, "cgroup.controllers"));
    for (const [controller, parent] of unified ? [["", ownGroup()] as const] : V1) {
      const group = join(parent, `proxy-${instance}`);
      makeFolder(group, 0o755);
      if (unified) {
        quietly(() => writeFileSync(join(parent, "cgroup.subtree_control"), "+memory +pids +cpu"));
        writeFileSync(join(group, "cgroup.subtree_control"), "+memory +pids +cpu");
      }
      const folder = join(group, name);
      makeFolder(folder, 0o755);
      folders.push(folder);
      bound(folder, controller, bounds);
    }
    const before = killed(folders);
    const outOfMemory = () => killed(folders) > before;
    return { memberFiles: folders.map((folder) => join(folder, "cgroup.procs")), outOfMemory, remove };
  } catch {
    remove();
    return undefined;
  }
}

const V1 = ["memory", "pids", "cpu"].map((controller) => [controller, join(ROOT, controller)] as const);
const PERIOD_US = 100_000;

/** @param controller empty for cgroup v2, which has all controllers in one tree */
function bound(folder: string, controller: string, { memoryBytes, processors, processes }: Bounds): void {
  const set = (file: string, value: number | string) => writeFileSync(join(folder, file), String(value));
  const has = (one: string) => controller === "" || controller === one;
  if (has("memory") && memoryBytes !== undefined) {
    set(controller === "" ? "memory.max" : "memory.limit_in_bytes", memoryBytes);
    quietly(() =>
      set(controller === "" ? "memory.swap.max" : "memory.memsw.limit_in_bytes", controller === "" ? 0 : memoryBytes),
    );
  }
  if (has("pids")) set("pids.max", processes);
  if (has("cpu") && processors !== undefined) {
    const quota = Math.round(processors * PERIOD_US);
    if (controller === "") set("cpu.max", `${quota} ${PERIOD_US}`);
    else set("cpu.cfs_quota_us", quota);
  }
}

/** Number of processes that the kernel killed because memory ran out. */
function killed(folders: readonly string[]): number {
  for (const file of folders.flatMap((folder) => [join(folder, "memory.events"), join(folder, "memory.oom_control")]))
    try {
      const [, n] = /^oom_kill (\d+)$/m.exec(readFileSync(file, "utf8")) ?? [];
      if (n !== undefined) return Number(n);
    } catch {
      // The file exists only in the other version of cgroups.
    }
  return 0;
}

/** The parent of the proxy's own group: a group that contains processes cannot have children. */
function ownGroup(): string {
  const path = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "/";
  return join(ROOT, path === "/" ? "/" : dirname(path));
}

function quietly(fn: () => void): void {
  try {
    fn();
  } catch {
    // The group does not exist, or belongs to another user.
  }
}
