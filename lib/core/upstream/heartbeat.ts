import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { nextLoopTurn } from "../base/loop-share.ts";

export interface HeartbeatOptions {
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
  /** Writes the line about a failed health check. */
  logMiss(line: string): void;
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

/** @param options used for as long as the connection is open */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  return new PingHeartbeat(options);
}

/** A class takes less memory than closures, and each open connection has one of these. */
class PingHeartbeat implements Heartbeat {
  private readonly options: HeartbeatOptions;
  private seen: number;
  private misses = 0;
  private isSuspect = false;
  private isChecking = false;
  private isStopped = false;
  private cancel: (() => void) | undefined = undefined;
  /** The interval with which the next check was scheduled (ms). */
  private scheduledIntervalMs = 0;

  constructor(options: HeartbeatOptions) {
    this.options = options;
    this.seen = options.received();
    this.schedule(options.intervalMs());
  }

  checkNow(): void {
    if (this.isSuspect || this.misses > 0) return;
    this.isSuspect = true;
    this.schedule(0);
  }

  retime(): void {
    const intervalMs = this.options.intervalMs();
    if (intervalMs !== this.scheduledIntervalMs && !this.isSuspect && this.misses === 0) this.schedule(intervalMs);
  }

  stop(): void {
    this.isStopped = true;
    this.cancel?.();
  }

  private schedule(ms: number): void {
    this.cancel?.();
    const intervalMs = this.options.intervalMs();
    this.scheduledIntervalMs = intervalMs;
    if (!this.isStopped && !this.isChecking && intervalMs > 0)
      this.cancel = this.options.clock.after(ms, () => void this.check());
  }

  private alive(): void {
    this.seen = this.options.received();
    this.misses = 0;
    this.isSuspect = false;
  }

  private missed(error: unknown): void {
    const reason = reasonOf(error);
    this.misses++;
    this.options.logMiss(`failed health check (${this.misses} of ${MAX_MISSES}): ${reason}`);
    if (this.misses < MAX_MISSES) return;
    this.isStopped = true;
    this.options.dead(`${MAX_MISSES} consecutive health checks failed: ${reason}`, error);
  }

  private async check(): Promise<void> {
    const { options } = this;
    this.isChecking = true;
    if (options.received() !== this.seen && !this.isSuspect) this.alive();
    else {
      try {
        // The checks of many servers are due at the same time, and each may open a connection.
        await nextLoopTurn("background");
        await options.ping(PING_TIMEOUT_MS);
        this.alive();
      } catch (error) {
        // A busy upstream may miss a ping, because its requests have their own timeouts. After one of these has passed
        // (the connection is suspect then), a missed ping counts.
        const late = error instanceof Fault && error.code === "call_timeout" && options.busy() && !this.isSuspect;
        if (!this.isStopped && !late) this.missed(error);
      }
    }
    this.isChecking = false;
    const intervalMs = options.intervalMs();
    this.schedule(this.misses > 0 ? Math.min(RECHECK_MS, intervalMs) : intervalMs);
  }
}
