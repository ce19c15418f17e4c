import cluster, { type Worker as Child } from "node:cluster";
import { reasonOf } from "../../core/base/fault.ts";
import { WORKER_VARIABLE } from "../../core/base/worker.ts";
import type { FromWorker, ToWorker } from "../../core/extension/supervisor.ts";
import { MALLOC_VARIABLES } from "../malloc-variables.ts";
import { CODES, hasTerminal, SAME_MS } from "../stop.ts";
import { createMetricsGathering } from "./gather-metrics.ts";

interface SuperviseOptions {
  readonly count: number;
  /** The words after the Node executable that start a worker. */
  readonly words: readonly string[];
  /** Options of Node itself. */
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  note(line: string): void;
  readonly limits?: Partial<Limits>;
}

interface Limits {
  /** Waits before a worker that ended is started again. (ms) */
  readonly leastPauseMs: number;
  readonly mostPauseMs: number;
  /** A worker that served for this long counts as healthy. (ms) */
  readonly healthyMs: number;
  /** Longest wait for workers that stop. It is longer than they wait for calls under way. (ms) */
  readonly stopMs: number;
}

const LIMITS: Limits = { leastPauseMs: 500, mostPauseMs: 30_000, healthyMs: 60_000, stopMs: 25_000 };

interface Slot {
  readonly number: number;
  child: Child | undefined;
  isReady: boolean;
  readyAt: number;
  /** Starts since a worker of this slot was healthy. */
  failures: number;
  timer?: NodeJS.Timeout;
}

/**
 * Runs workers that accept connections at the same addresses, in turn, until a signal stops them all; a second one ends
 * them at once. A worker that ends is started again after a pause that grows. If the first worker does not start at all,
 * neither do the others.
 *
 * @returns the exit code: 0 after a signal, that of the second signal, or that of the first worker
 */
export function supervise({ count, words, execArgv, env, note, limits }: SuperviseOptions): Promise<number> {
  const { leastPauseMs, mostPauseMs, healthyMs, stopMs } = { ...LIMITS, ...limits };
  const [exec = "", ...args] = words;
  cluster.setupPrimary({ exec, args, execArgv: [...execArgv], serialization: "json" });
  // Sockets are made by this process for the workers, and only their owner may use them.
  const umask = process.umask(OWNER_ONLY);
  const gathering = createMetricsGathering();
  const slots: Slot[] = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    child: undefined,
    isReady: false,
    readyAt: 0,
    failures: 0,
  }));
  // A closed terminal is none any more, so this is asked before.
  const isInTerminal = hasTerminal();
  let isStopping = false;
  let stoppingAt = 0;
  /** The exit code once all workers have stopped. */
  let stopped = 0;
  let hasServed = false;

  return new Promise((done) => {
    const start = (slot: Slot) => {
      const variable = `${slot.number}/${count}${hasServed ? "" : " first"}`;
      process.umask(umask);
      const child = cluster.fork({ ...MALLOC_VARIABLES, ...definedOf(env), [WORKER_VARIABLE]: variable });
      process.umask(OWNER_ONLY);
      slot.child = child;
      slot.isReady = false;
      child.on("message", (message: FromWorker) => onMessage(slot, child, message));
      child.on("error", (error) => {
        note(`worker ${slot.number}: ${reasonOf(error)}`);
        // A process that could not be started, as while an update replaces the program, does not end.
        if (child.process.pid === undefined) onExit(slot, { code: 1, signal: null });
      });
      child.once("exit", (code, signal) => onExit(slot, { code, signal }));
    };
    const onMessage = (slot: Slot, child: Child, message: FromWorker) => {
      if (message.type === "ready") {
        slot.isReady = true;
        slot.readyAt = performance.now();
        const isFirst = !hasServed;
        hasServed = true;
        if (isFirst) for (const other of slots) if (other !== slot) start(other);
      } else if (message.type === "metrics") {
        const ready = slots.filter(({ isReady }) => isReady).map((one) => senderOf(one.child!));
        gathering.begin(senderOf(child), message.id, ready);
      } else gathering.add(senderOf(child), message.id, message.text);
    };
    const onExit = (slot: Slot, { code, signal }: { code: number | null; signal: string | null }) => {
      const wasReady = slot.isReady;
      slot.child = undefined;
      slot.isReady = false;
      if (isStopping) return slots.every(({ child }) => !child) && end(stopped);
      // It has printed why.
      if (!hasServed) return end(code ?? 1);
      slot.failures = wasReady && performance.now() - slot.readyAt >= healthyMs ? 0 : slot.failures + 1;
      const pauseMs = Math.min(mostPauseMs, leastPauseMs * 2 ** Math.min(20, Math.max(0, slot.failures - 1)));
      note(
        `worker ${slot.number} ended (${signal ?? `exit code ${code}`}); it is started again in ${pauseMs / 1000} s`,
      );
      slot.timer = setTimeout(start, pauseMs, slot);
    };
    const onSignal = (signal: keyof typeof CODES) => {
      if (isStopping) {
        if (performance.now() - stoppingAt < SAME_MS) return;
        // Workers that hang must end as well.
        stopped = CODES[signal];
        for (const { child } of slots) child?.process.kill("SIGKILL");
        return;
      }
      isStopping = true;
      stoppingAt = performance.now();
      for (const { timer } of slots) clearTimeout(timer);
      if (slots.every(({ child }) => !child)) return end(stopped);
      for (const { child } of slots) child?.process.kill("SIGTERM");
      setTimeout(() => {
        for (const { child, number } of slots) {
          if (!child) continue;
          note(`worker ${number} did not stop within ${stopMs / 1000} s and is killed`);
          child.process.kill("SIGKILL");
        }
      }, stopMs).unref();
    };
    const onHangUp = () => {
      if (!isInTerminal) return;
      if (!isStopping) stopped = CODES.SIGHUP;
      onSignal("SIGHUP");
    };
    const end = (code: number) => {
      for (const name of SIGNALS) process.off(name, onSignal);
      process.off("SIGHUP", onHangUp);
      done(code);
    };
    for (const name of SIGNALS) process.on(name, onSignal);
    process.on("SIGHUP", onHangUp);
    start(slots[0]!);
  });
}

const OWNER_ONLY = 0o177;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

const senders = new WeakMap<Child, { send(message: ToWorker): void }>();

/** Returns the same object for the same worker. */
function senderOf(child: Child): { send(message: ToWorker): void } {
  const known = senders.get(child) ?? {
    send(message) {
      // The worker may just have ended.
      if (child.isConnected()) child.send(message, () => {});
    },
  };
  senders.set(child, known);
  return known;
}

function definedOf(env: SuperviseOptions["env"]): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
