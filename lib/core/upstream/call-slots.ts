import type { Clock } from "../base/clock.ts";
import type { Limiter } from "../base/limiter.ts";
import type { ConcurrencySettings } from "./settings.ts";
import type { CallLoad } from "./upstreams.ts";

/** The limit for all servers together. */
export interface GlobalLimit {
  readonly limiter: Limiter;
  concurrency: ConcurrencySettings;
}

/**
 * Slots for the calls of one server: a call needs one of the server's limit and then one of the global limit. One
 * maximum wait applies to both.
 */
export class CallSlots {
  private readonly own: Limiter;
  private readonly global: GlobalLimit;
  private readonly clock: Clock;
  private waitMs = 0;

  constructor(own: Limiter, global: GlobalLimit, clock: Clock) {
    this.own = own;
    this.global = global;
    this.clock = clock;
  }

  /** The numbers of calls that run and that wait. */
  load(): CallLoad {
    return { active: this.own.active, waiting: this.own.waiting };
  }

  /** Changes the limits. Running and waiting calls stay. */
  set(places: ConcurrencySettings): void {
    this.waitMs = places.waitMs;
    this.own.set(places);
  }

  /**
   * Takes both slots. @returns undefined if both are free; otherwise a promise
   * @throws Fault queue_full
   * @throws Fault queue_timeout or cancelled, as rejection of the promise
   */
  take(signal: AbortSignal | undefined): Promise<void> | undefined {
    const began = this.clock.now();
    const first = this.own.take(this.waitMs, signal);
    if (first === undefined) return this.takeGlobal(this.global.concurrency.waitMs, signal);
    return first.then(() => {
      const left = this.waitMs - (this.clock.now() - began);
      return this.takeGlobal(Math.min(left, this.global.concurrency.waitMs), signal);
    });
  }

  release(heldMs: number): void {
    this.own.release(heldMs);
    this.global.limiter.release(heldMs);
  }

  /** Rejects all waiting calls with this error. */
  refuse(error: Error): void {
    this.own.refuse(error);
  }

  private takeGlobal(waitMs: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    const giveBack = (error: unknown): never => {
      this.own.release();
      throw error;
    };
    try {
      return this.global.limiter.take(waitMs, signal)?.catch(giveBack);
    } catch (error) {
      return giveBack(error);
    }
  }
}
