import { type EndTimes, endProcesses } from "../core/upstream/stdio/end-processes.ts";
import { monotonicMs } from "../modules/cluster/lease.ts";

/**
 * Ends the child processes of a lease when its time is over, also while the proxy itself is stopped and cannot. Orders:
 *
 * - `lease PREFIX UNTIL`: children whose mark begins with PREFIX may live until then (monotonic clock, ms)
 * - `hold PID PREFIX`: a child of that lease
 */
interface LeaseDeadlines {
  extend(prefix: string, untilMs: number): void;
  hold(pid: number, prefix: string): void;
  /** Call when a child has ended. */
  forget(pid: number): void;
  /** Ends the children of all leases. */
  endAll(times: EndTimes): Promise<unknown>;
  close(): void;
}

interface Deadline {
  untilMs: number;
  /** The same moment by the other clock. The monotonic clock stands still while a machine sleeps. */
  wallMs: number;
  readonly leaders: Map<number, string>;
  isOver: boolean;
}

const CHECK_MS = 25;
/** Killed at once: another replica may start the same server a moment later. */
const AT_ONCE: EndTimes = { graceMs: 0, limitMs: 4500 };

/** @param removeContainers removes the containers of this run, because an engine does not end them with the proxy */
export function createLeaseDeadlines(removeContainers: () => Promise<unknown>): LeaseDeadlines {
  const deadlines = new Map<string, Deadline>();
  let timer: NodeJS.Timeout | undefined;

  const end = (prefix: string, { leaders }: Deadline) => endProcesses({ leaders, markPrefix: prefix }, AT_ONCE);
  const check = () => {
    for (const [prefix, deadline] of deadlines) {
      if (deadline.isOver || (monotonicMs() < deadline.untilMs && Date.now() < deadline.wallMs)) continue;
      deadline.isOver = true;
      void end(prefix, deadline);
      void removeContainers();
    }
  };
  return {
    extend(prefix, untilMs) {
      timer ??= setInterval(check, CHECK_MS);
      const wallMs = Date.now() + untilMs - monotonicMs();
      const known = deadlines.get(prefix);
      if (!known) deadlines.set(prefix, { untilMs, wallMs, leaders: new Map(), isOver: false });
      // A later end proves that the lease is held, though this process may have been stopped meanwhile. The check waits
      // for the next tick, because further orders may have arrived at the same time.
      else if (!known.isOver) Object.assign(known, { untilMs, wallMs });
    },
    hold(pid, prefix) {
      const deadline = deadlines.get(prefix);
      if (!deadline) return;
      deadline.leaders.set(pid, "");
      // Started by a proxy that was stopped between its check of the lease and the start.
      if (deadline.isOver) void end(prefix, deadline);
    },
    forget(pid) {
      for (const { leaders } of deadlines.values()) leaders.delete(pid);
    },
    endAll: (times) =>
      Promise.all([...deadlines].map(([prefix, { leaders }]) => endProcesses({ leaders, markPrefix: prefix }, times))),
    close: () => clearInterval(timer),
  };
}
