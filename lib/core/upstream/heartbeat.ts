import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { nextLoopTurn } from "../base/loop-share.ts";

interface HeartbeatOptions {
  clock: Clock;
  /** Returns the time between two health checks (ms), 0 for none; called before each. */
  intervalMs(): number;
  ping(timeoutMs: number): Promise<void>;
  /** Returns the number of responses received so far. Any response shows that the upstream is alive. */
  received(): number;
  /** True if requests wait for a response. A busy upstream may be unable to answer a ping. */
  busy(): boolean;
  /** Called when too many health checks failed. @param cause why the last ping failed */
  dead(reason: string, cause: unknown): void;
  log(line: string): void;
}

/** Timeout of one ping. (ms; reference 5.2) */
const PING_TIMEOUT_MS = 5000;
/** Number of consecutive failed checks after which the connection counts as lost. (reference 5.2, 15.2) */
const MAX_MISSES = 3;
/** Maximum time until the next check after a failed one. (ms) */
const RECHECK_MS = 5000;

/** Checks the health of one open connection. */
export interface Heartbeat {
  /** Checks at once; call it when a request failed in a way that makes the connection suspect. */
  checkNow(): void;
  /** Call when the interval may have changed. */
  retime(): void;
  stop(): void;
}

export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { clock, intervalMs, ping, received, busy, dead, log } = options;
  let seen = received();
  let misses = 0;
  let isSuspect = false;
  let isChecking = false;
  let stopped = false;
  let cancel = () => {};
  /** The interval with which the next check was scheduled (ms). */
  let scheduledIntervalMs = 0;

  const schedule = (ms: number) => {
    cancel();
    scheduledIntervalMs = intervalMs();
    if (!stopped && !isChecking && intervalMs() > 0) cancel = clock.after(ms, () => void check());
  };
  const alive = () => {
    seen = received();
    misses = 0;
    isSuspect = false;
  };
  const missed = (error: unknown) => {
    const reason = reasonOf(error);
    misses++;
    log(`failed health check (${misses} of ${MAX_MISSES}): ${reason}`);
    if (misses < MAX_MISSES) return;
    stopped = true;
    dead(`${MAX_MISSES} consecutive health checks failed: ${reason}`, error);
  };
  const check = async () => {
    isChecking = true;
    if (received() !== seen && !isSuspect) alive();
    else {
      try {
        // The checks of many servers are due at the same time, and each may open a connection.
        await nextLoopTurn("background");
        await ping(PING_TIMEOUT_MS);
        alive();
      } catch (error) {
        // A busy upstream may miss a ping, because its requests have their own timeouts. After one of these has passed
        // (the connection is suspect then), a missed ping counts.
        const late = error instanceof Fault && error.code === "call_timeout" && busy() && !isSuspect;
        if (!stopped && !late) missed(error);
      }
    }
    isChecking = false;
    schedule(misses > 0 ? Math.min(RECHECK_MS, intervalMs()) : intervalMs());
  };

  schedule(intervalMs());
  return {
    checkNow() {
      if (isSuspect || misses > 0) return;
      isSuspect = true;
      schedule(0);
    },
    retime() {
      if (intervalMs() !== scheduledIntervalMs && !isSuspect && misses === 0) schedule(intervalMs());
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
