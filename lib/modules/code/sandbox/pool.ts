import type { Clock } from "../../../core/base/clock.ts";
import { reasonOf } from "../../../core/base/fault.ts";
import { createShares, type Holder } from "./shares.ts";
import { startVm, type Vm, type VmJob, type VmOutcome } from "./vm.ts";

/** An idle thread is kept this long, so that the next script starts in under a millisecond (ms). */
const IDLE_MS = 60_000;
/** A thread is replaced after this many executions, so that leaks in it cannot add up. */
const MAX_RUNS = 2000;

export interface PoolJob extends VmJob {
  /** The caller whose share of the sandboxes is used. */
  holder: Holder;
  /** Longest wait for a free sandbox (ms). */
  queueTimeoutMs: number;
}

/** Sandbox threads, started on demand, at most `size` at once, and shared fairly between callers (`shares.ts`). */
export interface VmPool {
  run(job: PoolJob): Promise<VmOutcome>;
  facts(): { running: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export function createVmPool({ size, clock }: { size: () => number; clock: Clock }): VmPool {
  const idle: { vm: Vm; runs: number; forget: () => void }[] = [];
  const shares = createShares({ size, clock });
  let closed = false;

  async function runNow(job: VmJob): Promise<VmOutcome> {
    let runs = 0;
    let vm: Vm | undefined;
    for (let idleVm = idle.pop(); idleVm; idleVm = idle.pop()) {
      idleVm.forget();
      if (idleVm.vm.dead) continue;
      vm = idleVm.vm;
      runs = idleVm.runs;
      break;
    }
    try {
      vm ??= await startVm(clock, job.signal);
    } catch (error) {
      if (job.signal.aborted) return { kind: "cancelled" };
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
      const release = await shares.take(job.holder, job.queueTimeoutMs, job.signal);
      if (release === "busy") return { kind: "busy", waitedMs: clock.now() - from };
      if (release === "cancelled") return { kind: "cancelled" };
      try {
        return await runNow(job);
      } finally {
        release();
      }
    },
    facts: () => ({ running: shares.held, idle: idle.length, waiting: shares.waiting }),
    async close() {
      closed = true;
      const all = idle.splice(0);
      for (const { forget } of all) forget();
      await Promise.all(all.map(({ vm }) => vm.stop()));
    },
  };
}
