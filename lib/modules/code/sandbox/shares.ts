import type { Clock } from "../../../core/base/clock.ts";

/** The caller for whom a script runs. */
export interface Holder {
  /** Identifies the caller: equal for all scripts of one caller. */
  readonly key: string;
  /** Administrators may use all sandboxes; one is reserved for them. */
  readonly admin: boolean;
}

/** Why a job got no sandbox. */
type Refused = "busy" | "cancelled";

/**
 * Permits for a fixed number of sandboxes, shared fairly. A caller other than an administrator holds at most half of
 * them (rounded up), and all such callers together leave one for administrators if there is more than one. Waiting
 * callers are served round-robin, and each caller's jobs in order of arrival.
 */
export interface Shares {
  /**
   * Waits for a permit. A caller with too many waiting jobs is refused at once.
   *
   * @returns the function that returns the permit (idempotent), or why there is none
   */
  take(holder: Holder, waitMs: number, signal: AbortSignal): Promise<(() => void) | Refused>;
  readonly held: number;
  readonly waiting: number;
}

/** Maximum number of waiting jobs, of one caller and in total. */
const MAX_WAITING_EACH = 50;
const MAX_WAITING = 500;

interface Waiter {
  holder: Holder;
  grant(): void;
}

export function createShares({ size, clock }: { size: () => number; clock: Clock }): Shares {
  const heldBy = new Map<string, number>();
  // By caller, in the order in which callers are served next.
  const queues = new Map<string, Set<Waiter>>();
  let takenShares = 0;
  let heldByOthers = 0;
  let waiting = 0;

  const mayTake = ({ key, admin }: Holder): boolean => {
    const all = size();
    if (takenShares >= all) return false;
    if (admin) return true;
    return heldByOthers < Math.max(1, all - 1) && (heldBy.get(key) ?? 0) < Math.ceil(all / 2);
  };

  const hold = (holder: Holder): (() => void) => {
    const { key, admin } = holder;
    takenShares++;
    if (!admin) heldByOthers++;
    heldBy.set(key, (heldBy.get(key) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      takenShares--;
      if (!admin) heldByOthers--;
      const left = heldBy.get(key)! - 1;
      if (left === 0) heldBy.delete(key);
      else heldBy.set(key, left);
      serve();
    };
  };

  const leave = (waiter: Waiter) => {
    const { key } = waiter.holder;
    const queue = queues.get(key);
    if (!queue?.delete(waiter)) return;
    waiting--;
    if (queue.size === 0) queues.delete(key);
  };

  /** Grants free permits round-robin: a caller that was served moves to the end of the queue. */
  const serve = () => {
    for (const [key, queue] of [...queues]) {
      const [first] = queue;
      if (!first || !mayTake(first.holder)) continue;
      leave(first);
      if (queues.delete(key)) queues.set(key, queue);
      first.grant();
    }
  };

  return {
    get held() {
      return takenShares;
    },
    get waiting() {
      return waiting;
    },
    async take(holder, waitMs, signal) {
      if (signal.aborted) return "cancelled";
      const queue = queues.get(holder.key);
      if (!queue && mayTake(holder)) return hold(holder);
      if (waitMs <= 0 || waiting >= MAX_WAITING || (queue?.size ?? 0) >= MAX_WAITING_EACH) return "busy";
      return new Promise((done) => {
        const end = (answer: (() => void) | Refused) => {
          cancelTimer();
          signal.removeEventListener("abort", abort);
          leave(waiter);
          done(answer);
        };
        const waiter: Waiter = { holder, grant: () => end(hold(holder)) };
        const abort = () => end("cancelled");
        const cancelTimer = clock.after(waitMs, () => end("busy"));
        signal.addEventListener("abort", abort, { once: true });
        if (queue) queue.add(waiter);
        else queues.set(holder.key, new Set([waiter]));
        waiting++;
      });
    },
  };
}
