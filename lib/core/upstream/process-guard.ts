import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "../base/fault.ts";
import type { Logger } from "../log/logger.ts";
import { bootId, processStart } from "./stdio/process-table.ts";
import { processTagRange } from "./stdio/process-tag.ts";
import { type ReapTimes, reapProcesses } from "./stdio/reap-processes.ts";
import { createWatchdog, type WatchdogCommands } from "./watchdog.ts";

/**
 * Sees to it that no child process and no container outlives the proxy: each process is marked in its environment, told
 * to the watchdog process and written to `children.json`, which the next start reads; containers carry labels.
 */
export interface ProcessGuard {
  /**
   * The mark of one further child. Waits for a sweep to be over, so that nobody competes with leftovers; the watchdog
   * runs from here on, so that a proxy killed in the middle of starting the child leaves nothing either.
   */
  mark(): Promise<string>;
  add(pid: number, server: string): void;
  /** From here on, containers of this run at that engine are removed when the proxy ends, however it ends. */
  trackContainers(place: object, run: string): void;
  /** Ends a child with all its descendants; resolves when they are gone, at the latest after 5 s. */
  end(pid: number, mark: string): Promise<void>;
  /** Ends what an earlier proxy of this data directory left behind. */
  sweep(): Promise<void>;
  /** No child is left: the watchdog may go. */
  close(): Promise<void>;
}

interface ProcessGuardOptions {
  dataDir: string;
  /** Without one, children survive a proxy that is killed. */
  watchdogs?: WatchdogCommands | undefined;
  log: Logger;
}

interface Child {
  pid: number;
  server: string;
  started: string;
}

const STOP: ReapTimes = { graceMs: 1500, limitMs: 5000 };
const SWEEP: ReapTimes = { graceMs: 500, limitMs: 3000 };

export function createProcessGuard({ dataDir, watchdogs, log }: ProcessGuardOptions): ProcessGuard {
  const file = join(dataDir, "children.json");
  const folder = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const prefix = `${folder}.${randomBytes(6).toString("hex")}.`;
  const children = new Map<number, Child>();
  const engines: string[] = [];
  const tags = processTagRange(prefix);
  let marks = 0;
  let swept: Promise<void> = Promise.resolve();
  let complained = false;

  const write = () => {
    try {
      writeFileSync(`${file}.tmp`, JSON.stringify({ boot: bootId(), children: [...children.values()] }), {
        mode: 0o600,
      });
      renameSync(`${file}.tmp`, file);
    } catch (error) {
      if (!complained) log.warn(`children.json cannot be written: ${reasonOf(error)}`);
      complained = true;
    }
  };
  const watchdog = createWatchdog({
    commands: watchdogs,
    orders: () => [
      `mark ${prefix}`,
      `tag ${tags.first} ${tags.last}`,
      ...engines,
      ...[...children.values()].map(({ pid, started }) => `add ${pid} ${started}`),
    ],
    isNeeded: () => children.size + engines.length > 0,
    log,
  });
  const remember = async (child: Child) => {
    child.started = await processStart(child.pid);
    if (!children.has(child.pid)) return;
    watchdog.tell(`add ${child.pid} ${child.started}`);
    write();
  };

  const sweep = async () => {
    // Reading all processes of the machine takes a start some 10 ms; an orderly end leaves no file.
    if (!existsSync(file)) return;
    const leaders = new Map(read(file).map((child) => [child.pid, child.started]));
    const left = await reapProcesses({ leaders, markPrefix: `${folder}.` }, SWEEP);
    if (left > 0) log.warn(`${left} process(es) of an earlier run could not be ended`);
  };

  return {
    async mark() {
      await swept.catch(() => {});
      watchdog.start();
      // From the first child on there is a file, so that the next start knows to look.
      if (marks === 0) write();
      return `${prefix}${++marks}.`;
    },
    add(pid, server) {
      const child = { pid, server, started: "" };
      children.set(pid, child);
      watchdog.start();
      log.catch(`recording the process of "${server}"`, remember(child));
    },
    trackContainers(place, run) {
      const line = `engine ${run} ${JSON.stringify(place)}`;
      if (engines.includes(line)) return;
      engines.push(line);
      watchdog.requireComplete(line);
    },
    async end(pid, mark) {
      const left = await reapProcesses(
        { leaders: new Map([[pid, children.get(pid)?.started ?? ""]]), markPrefix: mark },
        STOP,
      );
      if (left > 0) log.warn(`${left} process(es) of "${children.get(pid)?.server}" could not be ended`);
      children.delete(pid);
      watchdog.tell(`del ${pid}`);
      write();
    },
    sweep() {
      swept = sweep();
      return swept;
    },
    async close() {
      watchdog.close();
      rmSync(file, { force: true });
    },
  };
}

/** Records of an earlier run; one of an earlier boot, or without its start, could be anybody's number by now. */
function read(file: string): Child[] {
  try {
    const { boot, children } = JSON.parse(readFileSync(file, "utf8")) as { boot: string; children: Child[] };
    if (boot !== bootId()) return [];
    return children.filter((child) => Number.isInteger(child.pid) && child.pid > 1 && Boolean(child.started));
  } catch {
    return [];
  }
}
