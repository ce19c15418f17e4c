import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { reasonOf } from "../base/fault.ts";
import { childEnvironment } from "../config/child-environment.ts";
import type { Logger } from "../log/logger.ts";
import { bootId, processStart } from "./stdio/process-table.ts";
import { type ReapTimes, reapProcesses } from "./stdio/reap-processes.ts";

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
  /** Starts the watchdog; without one, children survive a proxy that is killed. */
  watchdogCommand?: readonly string[] | undefined;
  log: Logger;
}

interface Child {
  pid: number;
  server: string;
  started: string;
}

const STOP: ReapTimes = { graceMs: 1500, limitMs: 5000 };
const SWEEP: ReapTimes = { graceMs: 500, limitMs: 3000 };

/** A watchdog that cannot be started is not tried for ever. */
const MAX_WATCHDOGS = 5;

const NOTHING_MORE = { inherit_system_safe: true, allowed_system_vars: [], custom_vars: {} };

export function createProcessGuard({ dataDir, watchdogCommand, log }: ProcessGuardOptions): ProcessGuard {
  const file = join(dataDir, "children.json");
  const folder = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const prefix = `${folder}.${randomBytes(6).toString("hex")}.`;
  const children = new Map<number, Child>();
  const engines: string[] = [];
  let watchdog: ChildProcess | undefined;
  let watchdogs = 0;
  let marks = 0;
  let swept: Promise<void> = Promise.resolve();
  let closed = false;
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
  const tell = (line: string) => watchdog?.stdin?.write(`${line}\n`);
  const watch = () => {
    const [command, ...args] = watchdogCommand ?? [];
    if (watchdog || closed || command === undefined || watchdogs >= MAX_WATCHDOGS) return;
    watchdogs++;
    const env = childEnvironment(process.env, NOTHING_MORE, {});
    const started = spawn(command, args, {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      windowsHide: true,
      env,
    });
    watchdog = started;
    const lost = (reason: string) => {
      if (watchdog !== started) return;
      watchdog = undefined;
      if (closed) return;
      log.warn(`the watchdog process ended (${reason})`);
      if (children.size + engines.length > 0) watch();
    };
    started.on("error", (error) => lost(reasonOf(error)));
    started.on("exit", (code, signal) => lost(signal ?? `code ${code}`));
    started.stdin?.on("error", () => {});
    started.unref();
    (started.stdin as Socket | null)?.unref();
    tell(`mark ${prefix}`);
    engines.forEach(tell);
    for (const child of children.values()) tell(`add ${child.pid} ${child.started}`);
  };
  const remember = async (child: Child) => {
    child.started = await processStart(child.pid);
    if (!children.has(child.pid)) return;
    tell(`add ${child.pid} ${child.started}`);
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
      watch();
      // From the first child on there is a file, so that the next start knows to look.
      if (marks === 0) write();
      return `${prefix}${++marks}.`;
    },
    add(pid, server) {
      const child = { pid, server, started: "" };
      children.set(pid, child);
      watch();
      log.catch(`recording the process of "${server}"`, remember(child));
    },
    trackContainers(place, run) {
      const line = `engine ${run} ${JSON.stringify(place)}`;
      if (engines.includes(line)) return;
      engines.push(line);
      if (watchdog) tell(line);
      else watch();
    },
    async end(pid, mark) {
      const left = await reapProcesses(
        { leaders: new Map([[pid, children.get(pid)?.started ?? ""]]), markPrefix: mark },
        STOP,
      );
      if (left > 0) log.warn(`${left} process(es) of "${children.get(pid)?.server}" could not be ended`);
      children.delete(pid);
      tell(`del ${pid}`);
      write();
    },
    sweep() {
      swept = sweep();
      return swept;
    },
    async close() {
      closed = true;
      tell("bye");
      watchdog?.stdin?.end();
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
