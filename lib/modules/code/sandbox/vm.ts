import type { MessagePort } from "node:worker_threads";
import { asset } from "../../../core/base/asset.ts";
import type { Clock } from "../../../core/base/clock.ts";
import { reasonOf } from "../../../core/base/fault.ts";
import { lazy } from "../../../core/base/lazy.ts";
import { orAborted } from "../../../core/base/or-aborted.ts";
import { type CallOut, type FromVm, type HostCall, STOP, type VmError, type VmTask, WAKE } from "./protocol.ts";

/** Some built-ins cannot be interrupted; the thread is terminated this long after the deadline (ms). */
const GRACE_MS = 100;
/** Timeout for a thread to start, and then to begin its program; neither counts as the program's time (ms). */
const START_TIMEOUT_MS = 30_000;
/** Timeout for a thread to end; one that still runs is left to itself (ms). */
const STOP_TIMEOUT_MS = 5000;

export interface VmJob {
  code: string;
  /** File name in stack traces. */
  filename: string;
  /** JSON text of the global `input`. */
  input: string;
  /** Timeout from the start of the program; waiting for a sandbox does not count (ms). */
  timeoutMs: number;
  signal: AbortSignal;
  /** Answers one host call with JSON text; its signal aborts when the execution ends. */
  onCall(kind: HostCall, json: string, limits: CallLimits): Promise<string>;
  onLog(text: string): void;
}

export interface CallLimits {
  /** Aborts when the execution ends. */
  signal: AbortSignal;
  /** Largest answer that the script has memory for (bytes of UTF-8). */
  room: number;
}

export type VmOutcome =
  | { kind: "value"; json: string }
  | { kind: "error"; error: VmError }
  | { kind: "timeout" }
  | { kind: "cancelled" }
  /** The program was not started, because no sandbox became free for this caller. */
  | { kind: "busy"; waitedMs: number };

/** One sandbox thread; runs one job at a time. */
export interface Vm {
  run(job: VmJob): Promise<VmOutcome>;
  /** True once the thread has ended; it cannot be used again. */
  readonly dead: boolean;
  stop(): Promise<void>;
}

const LATE = `the sandbox did not start within ${START_TIMEOUT_MS / 1000} s`;

const compiled = lazy(() => WebAssembly.compile(new Uint8Array(asset("quickjs.wasm"))));

interface Running {
  id: number;
  job: VmJob;
  ended: AbortController;
  /** Why the program was stopped, if it was. */
  reason?: "timeout" | "cancelled";
  cancelTimers: (() => void)[];
  cancelStart(): void;
  settle(outcome: VmOutcome): void;
}

/**
 * Starts a sandbox thread.
 *
 * @param signal ends the start; the thread is terminated then
 * @throws the signal's reason, or an error that says why the thread did not start
 */
export async function startVm(clock: Clock, signal: AbortSignal): Promise<Vm> {
  const control = new Int32Array(new SharedArrayBuffer(8));
  // Loaded here, because most proxies never run code.
  const { MessageChannel, Worker } = process.getBuiltinModule("node:worker_threads");
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(asset("quickjs-worker.cjs").toString("utf8"), {
    eval: true,
    workerData: { control: control.buffer, port: port2, wasm: await compiled() },
    transferList: [port2],
    env: {},
    execArgv: [],
    argv: [],
    stdin: false,
    // The engine's library prints its failures; the user gets a message in terms of the script instead.
    stdout: true,
    stderr: true,
    resourceLimits: { stackSizeMb: 16, maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let running: Running | undefined;
  let lastId = 0;
  let dead = false;

  const wake = () => {
    Atomics.add(control, WAKE, 1);
    Atomics.notify(control, WAKE);
  };
  const settle = (id: number | undefined, outcome: VmOutcome) => {
    const now = running;
    if (!now || now.id !== id) return;
    running = undefined;
    worker.unref();
    for (const cancel of now.cancelTimers) cancel();
    now.ended.abort(new Error("the execution ended"));
    now.settle(now.reason && outcome.kind !== "value" ? { kind: now.reason } : outcome);
  };
  const interrupt = (reason: "timeout" | "cancelled") => {
    const now = running;
    if (!now || now.reason) return;
    now.reason = reason;
    now.ended.abort(new Error(reason));
    Atomics.store(control, STOP, now.id);
    wake();
    now.cancelTimers.push(
      clock.after(GRACE_MS, () => {
        dead = true;
        void worker.terminate();
        settle(now.id, { kind: reason });
      }),
    );
  };
  const failed = (message: string, code?: string) => {
    dead = true;
    settle(running?.id, { kind: "error", error: { name: "InternalError", message, stack: "", ...(code && { code }) } });
  };
  /** Called when the program begins; its timeout starts here. */
  const begin = (id: number) => {
    if (running?.id !== id) return;
    running.cancelStart();
    running.cancelTimers.push(clock.after(running.job.timeoutMs, () => interrupt("timeout")));
  };

  let cancelStart = () => {};
  const ready = new Promise<void>((started, fail) => {
    cancelStart = clock.after(START_TIMEOUT_MS, () => fail(new Error(LATE)));
    worker.once("error", fail);
    worker.once("exit", () => fail(new Error("the thread ended before it was ready")));
    worker.on("message", (message: FromVm) => {
      if (message.t === "ready") started();
      else if (message.t === "started") begin(message.id);
      else if (message.t === "log") {
        if (running?.id === message.id) running.job.onLog(message.text);
      } else settle(message.id, outcomeOf(message));
    });
  });
  try {
    await orAborted(ready, signal);
  } catch (error) {
    port1.close();
    void worker.terminate();
    throw error;
  } finally {
    cancelStart();
  }
  worker.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") failed("out of memory", "MEMORY_LIMIT");
    else failed(`the sandbox failed: ${reasonOf(error)}`, "EXECUTION_FAILED");
  });
  worker.on("exit", () => failed("the sandbox ended", "EXECUTION_FAILED"));
  worker.unref();
  answerCalls(port1, () => running, wake);

  return {
    get dead() {
      return dead;
    },
    run: (job) =>
      new Promise((settled) => {
        if (dead || running) throw new Error("this sandbox cannot take a job");
        lastId = (lastId + 1) & 0x3fffffff || 1;
        const cancelStart = clock.after(START_TIMEOUT_MS, () => {
          failed(LATE, "EXECUTION_FAILED");
          void worker.terminate();
        });
        const ended = new AbortController();
        const now: Running = { id: lastId, job, ended, cancelTimers: [cancelStart], cancelStart, settle: settled };
        running = now;
        // An idle thread must not keep the program alive; a running one must.
        worker.ref();
        const cancel = () => interrupt("cancelled");
        job.signal.addEventListener("abort", cancel, { once: true });
        now.cancelTimers.push(() => job.signal.removeEventListener("abort", cancel));
        const task: VmTask = {
          id: now.id,
          code: job.code,
          filename: job.filename,
          input: job.input,
          timeoutMs: job.timeoutMs,
        };
        worker.postMessage(task);
        if (job.signal.aborted) cancel();
      }),
    async stop() {
      dead = true;
      port1.close();
      await new Promise<void>((done) => {
        const cancel = clock.after(STOP_TIMEOUT_MS, done);
        void worker.terminate().then(() => {
          cancel();
          done();
        });
      });
    },
  };
}

function outcomeOf(done: Extract<FromVm, { t: "done" }>): VmOutcome {
  if (done.stopped) return { kind: "timeout" };
  if (done.error) return { kind: "error", error: done.error };
  return { kind: "value", json: done.json ?? "null" };
}

function answerCalls(port: MessagePort, current: () => Running | undefined, wake: () => void) {
  port.on("message", async ([execution, call, kind, json, room]: CallOut) => {
    const now = current();
    if (!now || now.id !== execution || now.ended.signal.aborted) return;
    let answer: string;
    try {
      answer = await now.job.onCall(kind, json, { signal: now.ended.signal, room });
    } catch (error) {
      answer = JSON.stringify({ ok: false, error: { code: "UPSTREAM_ERROR", message: reasonOf(error) } });
    }
    if (current() !== now || now.ended.signal.aborted) return;
    port.postMessage([call, answer]);
    wake();
  });
  port.unref();
}
