import type { Clock } from "../../base/clock.ts";
import { TransientMap } from "../../base/transient-map.ts";
import type { RpcId } from "../../schema/mcp.ts";
import type { PendingRequest } from "./pending-request.ts";

/** Longest time that a timer of Node can run. (ms) */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The requests of one connection that have no response yet. One timer serves all their deadlines. */
export class PendingRequests {
  private readonly clock: Clock;
  private readonly byId = new TransientMap<number, PendingRequest>();
  private sweepAt = Number.POSITIVE_INFINITY;
  private stopSweep: (() => void) | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Number of requests, not counting those that are meant to stay open. */
  get inFlight(): number {
    let count = 0;
    for (const { deadline } of this.byId.values()) if (deadline !== Number.POSITIVE_INFINITY) count++;
    return count;
  }

  add(pending: PendingRequest): void {
    this.byId.set(pending.id, pending);
    if (pending.deadline < this.sweepAt) this.scheduleSweep(pending.deadline);
  }

  get(id: number): PendingRequest | undefined {
    return this.byId.get(id);
  }

  has(id: number): boolean {
    return this.byId.has(id);
  }

  /** The requests, oldest first. */
  values(): Iterable<PendingRequest> {
    return this.byId.values();
  }

  /** Removes and returns a request. Only the code that removed a request may settle it. */
  take(id: RpcId | null): PendingRequest | undefined {
    // Some servers return the numeric id as a string.
    const key = typeof id === "string" ? Number(id) : (id ?? 0);
    const pending = this.byId.get(key);
    if (pending) this.byId.delete(key);
    return pending;
  }

  /** Gives a request this much time from now on. */
  postpone(pending: PendingRequest, ms: number): void {
    pending.deadline = this.clock.now() + ms;
    if (pending.deadline < this.sweepAt) this.scheduleSweep(pending.deadline);
  }

  /** Removes all requests and rejects them with the error. */
  endAll(error: Error): void {
    this.stopSweep?.();
    this.sweepAt = Number.POSITIVE_INFINITY;
    const waiting = [...this.byId.values()];
    this.byId.clear();
    for (const pending of waiting) pending.fail(error);
  }

  private scheduleSweep(at: number): void {
    this.stopSweep?.();
    this.sweepAt = at;
    const ms = Math.min(MAX_TIMER_MS, Math.max(0, at - this.clock.now()));
    this.stopSweep = this.clock.after(ms, () => this.sweep());
  }

  private sweep(): void {
    const now = this.clock.now();
    let next = Number.POSITIVE_INFINITY;
    this.sweepAt = next;
    for (const pending of [...this.byId.values()]) {
      if (pending.deadline <= now) pending.expire();
      else if (pending.deadline < next) next = pending.deadline;
    }
    if (next < this.sweepAt) this.scheduleSweep(next);
    // Nothing is to be stopped, so the function need not keep the timer.
    else if (this.sweepAt === Number.POSITIVE_INFINITY) this.stopSweep = undefined;
  }
}
