import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { reasonOf } from "../../base/fault.ts";
import { childEnvironment } from "../../config/child-environment.ts";
import type { Logger } from "../../log/logger.ts";

/** How to start a watchdog: a process that survives a killed proxy and ends what the proxy has started. */
export interface WatchdogCommand {
  readonly command: readonly string[];
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The watchdogs that this machine can run. */
export interface WatchdogCommands {
  /** Ends processes and removes containers. */
  readonly complete: WatchdogCommand;
  /** Takes less memory, and only ends processes. */
  readonly small?: WatchdogCommand | undefined;
}

interface WatchdogOptions {
  /** Undefined: there is no watchdog. */
  commands: WatchdogCommands | undefined;
  /** Returns everything that a watchdog must know when it starts. */
  orders(): readonly string[];
  /** True if anything runs that a watchdog would have to end. */
  isNeeded(): boolean;
  /** Called when the watchdog has ended too often and is not started again. */
  onGivenUp?(): void;
  log: Logger;
}

/** The watchdog process of this proxy; it is started again if it ends. */
export interface Watchdog {
  /** Starts it, if it does not run. */
  start(): void;
  tell(order: string): void;
  /** Passes an order that only the complete watchdog understands, which replaces the small one from now on. */
  requireComplete(order: string): void;
  /** Resolves with true when the complete watchdog reads its orders, after `requireComplete`; false if it has ended. */
  isComplete(): Promise<boolean>;
  /** Ends it. */
  close(): void;
}

/** A watchdog that ends repeatedly is no longer started. */
const MAX_STARTS = 5;

const NOTHING_MORE = { inherit_system_safe: true, allowed_system_vars: [], custom_vars: {} };

export function createWatchdog({ commands, orders, isNeeded, onGivenUp, log }: WatchdogOptions): Watchdog {
  let running: ChildProcess | undefined;
  let ready: Promise<boolean> = Promise.resolve(false);
  let isComplete = false;
  let mustBeComplete = false;
  let starts = 0;
  let closed = false;

  const tell = (order: string): void => {
    running?.stdin?.write(`${order}\n`);
  };
  const start = () => {
    if (!commands || running || closed) return;
    if (starts >= MAX_STARTS) {
      onGivenUp?.();
      return;
    }
    starts++;
    isComplete = mustBeComplete || !commands.small;
    const { command, env = {} } = (!isComplete && commands.small) || commands.complete;
    const [program = "", ...args] = command;
    const started = spawn(program, args, {
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
      windowsHide: true,
      env: childEnvironment(process.env, NOTHING_MORE, env),
    });
    running = started;
    ready = new Promise((done) => {
      started.stdout.once("data", () => done(true));
      started.once("error", () => done(false));
      started.once("exit", () => done(false));
    });
    const lost = (reason: string) => {
      if (running !== started) return;
      running = undefined;
      // If the shell failed once, it may always fail on this machine.
      mustBeComplete = true;
      if (closed) return;
      log.warn(`the watchdog process ended (${reason})`);
      if (isNeeded()) start();
    };
    started.on("error", (error) => lost(reasonOf(error)));
    started.on("exit", (code, signal) => lost(signal ?? `code ${code}`));
    started.stdin.on("error", () => {});
    started.unref();
    (started.stdin as Socket).unref();
    (started.stdout as Socket).unref();
    orders().forEach(tell);
  };

  return {
    start,
    tell,
    requireComplete(order) {
      mustBeComplete = true;
      if (running && isComplete) return tell(order);
      const small = running;
      running = undefined;
      start();
      // The complete watchdog has received all orders by now.
      small?.stdin?.end("bye\n");
    },
    isComplete: async () => isComplete && (await ready) && running !== undefined,
    close() {
      closed = true;
      running?.stdin?.end("bye\n");
    },
  };
}
