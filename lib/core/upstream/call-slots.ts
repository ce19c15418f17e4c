import type { Clock } from "../base/clock.ts";
import type { Limiter } from "../base/limiter.ts";
import type { ConcurrencySettings } from "./settings.ts";

/** Limits over all servers together, shared by their slots. */
export interface GlobalLimit {
  readonly limiter: Limiter;
  concurrency: ConcurrencySettings;
}

/** Places for the calls of one server: its own limit first, then the global one, with one wait budget for both. */
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

  /** Running calls stay; waiting ones too. */
  set(places: ConcurrencySettings): void {
    this.waitMs = places.waitMs;
    this.own.set(places);
  }

  /**
   * @returns undefined when both places were free; else a promise of them
   * @throws Fault queue_full; queue_timeout and cancelled through the promise
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

  /** Nobody will be let in any more. */
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
