import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "../../base/fault.ts";
import type { Logger } from "../../log/logger.ts";
import { UpstreamError } from "../errors.ts";
import type { ProcessLease } from "../process-placement.ts";
import { type EndTimes, endProcesses } from "./end-processes.ts";
import { bootId, processStart } from "./process-table.ts";
import { processTagRange } from "./process-tag.ts";
import { createWatchdog, type WatchdogCommands } from "./watchdog.ts";

/**
 * Ensures that no child process and no container survives the proxy. Each process has a mark in its environment, is
 * reported to the watchdog process, and is listed in `children.json`, which the next start reads. Containers have
 * labels.
 */
export interface ProcessGuard {
  /**
   * Returns the mark for one more child process. It waits until a sweep has ended, so that the child does not conflict
   * with leftover processes. From then on the watchdog runs, so that a child is ended even if the proxy is killed while
   * starting it.
   *
   * @param lease the lease that the child needs, if any: the watchdog kills it when the lease ends
   * @throws UpstreamError if there is a lease but no watchdog
   */
  mark(lease?: ProcessLease): Promise<string>;
  add(pid: number, server: string, lease?: ProcessLease): void;
  /** Tells the watchdog until when the children of a lease may live. */
  extend(lease: ProcessLease): void;
  /** From now on, containers of this run at that engine are removed when the proxy ends for any reason. */
  trackContainers(place: object, run: string): void;
  /** Ends a child process with all its descendants; resolves when they have ended, but at the latest after 5 s. */
  end(pid: number, mark: string): Promise<void>;
  /** Ends what an earlier proxy of this data directory left behind. */
  sweep(): Promise<void>;
  /** Ends the watchdog; call it when no child process is left. */
  close(): Promise<void>;
}

interface ProcessGuardOptions {
  dataDir: string;
  /** How to start a watchdog. Without one, child processes survive a proxy that is killed. */
  watchdogs?: WatchdogCommands | undefined;
  log: Logger;
}

interface Child {
  pid: number;
  server: string;
  started: string;
}

/** The children of one lease. */
interface LeasedChildren {
  readonly lease: ProcessLease;
  /** Beginning of their marks, which no other children have. */
  readonly prefix: string;
  readonly pids: Set<number>;
}

const STOP: EndTimes = { graceMs: 1500, limitMs: 5000 };
const SWEEP: EndTimes = { graceMs: 500, limitMs: 3000 };

export function createProcessGuard({ dataDir, watchdogs, log }: ProcessGuardOptions): ProcessGuard {
  const file = join(dataDir, "children.json");
  const folder = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const prefix = `${folder}.${randomBytes(6).toString("hex")}.`;
  const children = new Map<number, Child>();
  const engines: string[] = [];
  /** The lease that children were started with last; those of earlier leases have ended. */
  let leased: LeasedChildren | undefined;
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
      ...(leased ? [leaseOrder(leased), ...[...leased.pids].map((pid) => holdOrder(pid, leased!))] : []),
    ],
    isNeeded: () => children.size + engines.length > 0,
    onGivenUp() {
      if (leased) log.catch("ending processes without a watchdog", endLeased(leased));
    },
    log,
  });
  const endLeased = async ({ prefix: markPrefix, pids }: LeasedChildren) => {
    log.error("the watchdog does not run, so the processes that other replicas may take over are ended");
    await endProcesses({ leaders: new Map([...pids].map((pid) => [pid, ""])), markPrefix }, STOP);
  };
  /** Returns the group of a lease's children, which the watchdog knows from now on. */
  const groupOf = (lease: ProcessLease): LeasedChildren => {
    if (leased?.lease.id === lease.id) return leased;
    leased = { lease, prefix: `${folder}.${randomBytes(6).toString("hex")}.`, pids: new Set() };
    watchdog.requireComplete(leaseOrder(leased));
    return leased;
  };
  const remember = async (child: Child) => {
    child.started = await processStart(child.pid);
    if (!children.has(child.pid)) return;
    watchdog.tell(`add ${child.pid} ${child.started}`);
    write();
  };

  const sweep = async () => {
    // Reading all processes of the machine takes about 10 ms. After an orderly end there is no file, and it is not
    // needed.
    if (!existsSync(file)) return;
    const leaders = new Map(read(file).map((child) => [child.pid, child.started]));
    const left = await endProcesses({ leaders, markPrefix: `${folder}.` }, SWEEP);
    if (left > 0) log.warn(`${left} process(es) of an earlier run could not be ended`);
  };

  return {
    async mark(lease) {
      await swept.catch(() => {});
      const group = lease && groupOf(lease);
      watchdog.start();
      if (group && !(await watchdog.isComplete()))
        throw new UpstreamError(
          "the watchdog does not run, without which its process could outlive this replica's lease",
        );
      // The file is written before the first child starts, so that the next start knows that there may be leftovers.
      if (marks === 0) write();
      return `${group?.prefix ?? prefix}${++marks}.`;
    },
    extend(lease) {
      if (leased?.lease.id === lease.id) watchdog.tell(leaseOrder(leased));
    },
    add(pid, server, lease) {
      const child = { pid, server, started: "" };
      children.set(pid, child);
      watchdog.start();
      if (lease) {
        const group = groupOf(lease);
        group.pids.add(pid);
        watchdog.tell(holdOrder(pid, group));
      }
      log.catch(`recording the process of "${server}"`, remember(child));
    },
    trackContainers(place, run) {
      const line = `engine ${run} ${JSON.stringify(place)}`;
      if (engines.includes(line)) return;
      engines.push(line);
      watchdog.requireComplete(line);
    },
    async end(pid, mark) {
      const left = await endProcesses(
        { leaders: new Map([[pid, children.get(pid)?.started ?? ""]]), markPrefix: mark },
        STOP,
      );
      if (left > 0) log.warn(`${left} process(es) of "${children.get(pid)?.server}" could not be ended`);
      children.delete(pid);
      leased?.pids.delete(pid);
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

const leaseOrder = ({ prefix, lease }: LeasedChildren) => `lease ${prefix} ${lease.until()}`;
const holdOrder = (pid: number, { prefix }: LeasedChildren) => `hold ${pid} ${prefix}`;

/**
 * Reads the records of an earlier run. Records from before a restart of the machine, or without a start time, are
 * ignored, because their process ids may belong to other processes by now.
 */
function read(file: string): Child[] {
  try {
    const { boot, children } = JSON.parse(readFileSync(file, "utf8")) as { boot: string; children: Child[] };
    if (boot !== bootId()) return [];
    return children.filter((child) => Number.isInteger(child.pid) && child.pid > 1 && Boolean(child.started));
  } catch {
    return [];
  }
}
