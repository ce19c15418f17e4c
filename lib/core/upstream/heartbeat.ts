import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";

interface HeartbeatOptions {
  clock: Clock;
  /** Between two looks (ms); 0: none. Asked anew each time. */
  intervalMs(): number;
  ping(timeoutMs: number): Promise<void>;
  /** Answers received so far: who answers is alive. */
  received(): number;
  /** Whether requests are waiting for their answer: a busy upstream may be too busy for a ping. */
  busy(): boolean;
  /** Missed too often. */
  /** @param cause why the last ping failed */
  dead(reason: string, cause: unknown): void;
  log(line: string): void;
}

/** Budget of one ping. (ms; reference 5.2) */
const PING_TIMEOUT_MS = 5000;
/** Misses in a row before an upstream counts as gone: one lost ping is no illness. (reference 5.2, 15.2) */
const MAX_MISSES = 3;
/** After a miss the next look comes sooner. (ms) */
const DOUBT_MS = 5000;

/** Watches over one connection that is Ready. */
export interface Heartbeat {
  /** A request went wrong in a way that raises doubt: a look is taken at once. */
  checkNow(): void;
  /** The interval may be another one. */
  retime(): void;
  stop(): void;
}

export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { clock, intervalMs, ping, received, busy, dead, log } = options;
  let heard = received();
  let misses = 0;
  let doubtful = false;
  let looking = false;
  let stopped = false;
  let cancel = () => {};
  /** What the next look was appointed by (ms). */
  let appointedMs = 0;

  const schedule = (ms: number) => {
    cancel();
    appointedMs = intervalMs();
    if (!stopped && !looking && intervalMs() > 0) cancel = clock.after(ms, () => void look());
  };
  const alive = () => {
    heard = received();
    misses = 0;
    doubtful = false;
  };
  const missed = (error: unknown) => {
    const reason = reasonOf(error);
    misses++;
    log(`failed health check (${misses} of ${MAX_MISSES}): ${reason}`);
    if (misses < MAX_MISSES) return;
    stopped = true;
    dead(`${MAX_MISSES} consecutive health checks failed: ${reason}`, error);
  };
  const look = async () => {
    looking = true;
    if (received() !== heard && !doubtful) alive();
    else {
      try {
        await ping(PING_TIMEOUT_MS);
        alive();
      } catch (error) {
        // What it is busy with has a deadline of its own; once that has passed, silence counts.
        const late = error instanceof Fault && error.code === "call_timeout" && busy() && !doubtful;
        if (!stopped && !late) missed(error);
      }
    }
    looking = false;
    schedule(misses > 0 ? Math.min(DOUBT_MS, intervalMs()) : intervalMs());
  };

  schedule(intervalMs());
  return {
    checkNow() {
      if (doubtful || misses > 0) return;
      doubtful = true;
      schedule(0);
    },
    retime() {
      if (intervalMs() !== appointedMs && !doubtful && misses === 0) schedule(intervalMs());
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
