import { existsSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../core/base/folder.ts";

const ROOT = "/sys/fs/cgroup";

interface Bounds {
  readonly memoryBytes: number | undefined;
  readonly processors: number | undefined;
  readonly processes: number;
}

/** A control group that holds one server to its bounds. */
interface Cgroup {
  /** A process that writes its number into each of these is in it, with all it starts. */
  readonly doors: readonly string[];
  /** Whether the kernel ended something in it for want of memory. */
  outOfMemory(): boolean;
  remove(): void;
}

/**
 * Makes a control group, where this user may: as root, or in a part of the tree that was handed to the user.
 * Undefined where the kernel or the rights say no.
 */
export function makeCgroup(instance: string, name: string, bounds: Bounds): Cgroup | undefined {
  const folders: string[] = [];
  const remove = () => {
    for (const folder of folders.toReversed()) {
      quietly(() => rmdirSync(folder));
      // The last one takes along what held them.
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
    return { doors: folders.map((folder) => join(folder, "cgroup.procs")), outOfMemory, remove };
  } catch {
    remove();
    return undefined;
  }
}

const V1 = ["memory", "pids", "cpu"].map((controller) => [controller, join(ROOT, controller)] as const);
const PERIOD_US = 100_000;

/** @param controller empty in the unified tree, which has them all */
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

/** How many processes the kernel ended for want of memory. */
function killed(folders: readonly string[]): number {
  for (const file of folders.flatMap((folder) => [join(folder, "memory.events"), join(folder, "memory.oom_control")]))
    try {
      const [, n] = /^oom_kill (\d+)$/m.exec(readFileSync(file, "utf8")) ?? [];
      if (n !== undefined) return Number(n);
    } catch {
      // The other tree has the other file.
    }
  return 0;
}

/** The group beside our own: one that holds processes cannot be divided. */
function ownGroup(): string {
  const path = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "/";
  return join(ROOT, path === "/" ? "/" : dirname(path));
}

function quietly(fn: () => void): void {
  try {
    fn();
  } catch {
    // What is not there, or not ours, needs no care.
  }
}
