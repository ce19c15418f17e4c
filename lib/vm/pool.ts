import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import { startVm, type Vm, type VmJob, type VmOutcome } from "./vm.ts";

/** An unused thread is kept this long (ms): the next script starts in under a millisecond. */
const IDLE_MS = 60_000;
/** Threads are replaced after this many executions, so that nothing can build up in one. */
const MAX_RUNS = 2000;

/** Sandbox threads, made when needed, at most `size` at once; further jobs wait their turn within their own time. */
export interface VmPool {
  run(job: VmJob): Promise<VmOutcome>;
  facts(): { running: number; idle: number; waiting: number };
  close(): Promise<void>;
}

interface Waiting {
  start(): void;
}

export function createVmPool({ size, clock }: { size: () => number; clock: Clock }): VmPool {
  const idle: { vm: Vm; runs: number; forget: () => void }[] = [];
  const waiting: Waiting[] = [];
  let running = 0;
  let closed = false;

  const release = () => {
    running--;
    waiting.shift()?.start();
  };

  async function runNow(job: VmJob): Promise<VmOutcome> {
    let runs = 0;
    let vm: Vm | undefined;
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      kept.forget();
      if (kept.vm.dead) continue;
      vm = kept.vm;
      runs = kept.runs;
      break;
    }
    try {
      vm ??= await startVm(clock);
    } catch (error) {
      return {
        kind: "error",
        error: {
          name: "InternalError",
          message: `no sandbox could be started: ${reasonOf(error)}`,
          stack: "",
          code: "EXECUTION_FAILED",
        },
      };
    }
    const outcome = await vm.run(job);
    if (vm.dead) return outcome;
    if (closed || runs + 1 >= MAX_RUNS) void vm.stop();
    else keep(vm, runs + 1);
    return outcome;
  }

  function keep(vm: Vm, runs: number) {
    const entry = {
      vm,
      runs,
      forget: clock.after(IDLE_MS, () => {
        const at = idle.indexOf(entry);
        if (at >= 0) idle.splice(at, 1);
        void vm.stop();
      }),
    };
    idle.push(entry);
  }

  return {
    async run(job) {
      if (closed) return { kind: "cancelled" };
      const from = clock.now();
      if (running >= size()) {
        const turn = await takeTurn(job);
        if (turn) return turn;
      }
      running++;
      try {
        const left = job.timeoutMs - (clock.now() - from);
        if (left <= 0) return { kind: "timeout" };
        return await runNow({ ...job, timeoutMs: left });
      } finally {
        release();
      }
    },
    facts: () => ({ running, idle: idle.length, waiting: waiting.length }),
    async close() {
      closed = true;
      const all = idle.splice(0);
      for (const { forget } of all) forget();
      await Promise.all(all.map(({ vm }) => vm.stop()));
    },
  };

  /** Waits for a place; answers an outcome when the wait itself ended the job. */
  function takeTurn(job: VmJob): Promise<VmOutcome | undefined> {
    return new Promise((done) => {
      const leave = (outcome?: VmOutcome) => {
        cancelTimer();
        job.signal.removeEventListener("abort", abort);
        const at = waiting.indexOf(entry);
        if (at >= 0) waiting.splice(at, 1);
        done(outcome);
      };
      const entry: Waiting = { start: () => leave() };
      const abort = () => leave({ kind: "cancelled" });
      const cancelTimer = clock.after(job.timeoutMs, () => leave({ kind: "timeout" }));
      job.signal.addEventListener("abort", abort, { once: true });
      if (job.signal.aborted) return abort();
      waiting.push(entry);
    });
  }
}
