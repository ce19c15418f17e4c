import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { type Caller, ownerKey } from "../schema/caller.ts";

interface Waiting {
  readonly owner: string;
  go(): void;
}

/** How long one owner may keep others waiting before newcomers of that owner queue behind them. (ms) */
const TURN_MS = 200;
/** Longest wait for others to be done. (ms) */
const WAIT_MS = 5000;

/**
 * Finds the client that a question is for when the question does not say which request it belongs to, as over standard
 * input and output. From a server's first such question on, all its requests in flight belong to one owner at a time, so
 * that the question can only be for this owner. Requests of one owner run in parallel. Requests of callers that cannot
 * answer wait for their turn as well; otherwise their question would be shown to somebody else.
 */
export class OwnerLane {
  private readonly server: string;
  private readonly clock: Pick<Clock, "now" | "after">;
  private readonly waiting: Waiting[] = [];
  private isOn = false;
  /** Of those who are inside; undefined when they came in before the lane was on. */
  private owner: string | undefined;
  private inside = 0;
  private turnEnds = 0;

  constructor(server: string, clock: Pick<Clock, "now" | "after">) {
    this.server = server;
    this.clock = clock;
  }

  /** From now on one owner at a time. */
  turnOn(): void {
    this.isOn = true;
  }

  /**
   * @returns undefined when the request may go at once; else a promise of it. Each entry is followed by one `leave`.
   * @throws Fault upstream_failed, cancelled through the promise
   */
  enter(caller: Caller, signal: AbortSignal | undefined): Promise<void> | undefined {
    if (!this.isOn) {
      this.inside++;
      return undefined;
    }
    const owner = ownerKey(caller);
    const mayJoin = this.owner === owner && (this.waiting.length === 0 || this.clock.now() < this.turnEnds);
    if (this.inside === 0 || mayJoin) {
      this.take(owner);
      return undefined;
    }
    return this.wait(owner, signal);
  }

  leave(): void {
    this.inside--;
    if (this.inside > 0) return;
    this.owner = undefined;
    const [first] = this.waiting;
    if (!first) return;
    // All of the one who waits longest go in together.
    for (const one of this.waiting.filter(({ owner }) => owner === first.owner)) {
      this.take(one.owner);
      one.go();
    }
  }

  private take(owner: string): void {
    if (this.inside === 0) {
      this.owner = owner;
      this.turnEnds = this.clock.now() + TURN_MS;
    }
    this.inside++;
  }

  private wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((done, fail) => {
      const end = () => {
        stopTimer();
        signal?.removeEventListener("abort", onAbort);
        this.waiting.splice(this.waiting.indexOf(one), 1);
      };
      const refuse = (error: Fault) => {
        end();
        fail(error);
      };
      const one: Waiting = {
        owner,
        go: () => {
          end();
          done();
        },
      };
      const onAbort = () => refuse(new Fault("cancelled"));
      const stopTimer = this.clock.after(WAIT_MS, () => refuse(this.busy()));
      signal?.addEventListener("abort", onAbort, { once: true });
      this.waiting.push(one);
    });
  }

  private busy(): Fault {
    const reason =
      "it is waiting for another caller's answer to a question and serves one caller at a time; try again later";
    return new Fault("upstream_failed", { server: this.server, reason });
  }
}
