import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { type Caller, ownerKey } from "../schema/caller.ts";

interface Waiting {
  readonly owner: string;
  go(): void;
}

/** How long requests of one owner may overtake waiting requests of others. (ms) */
const TURN_MS = 200;
/** Maximum time that a request waits for those of others. (ms) */
const WAIT_MS = 5000;

/**
 * Determines the client for a question that does not name its request, as over stdio. After a server's first such
 * question, only requests of one owner at a time are sent to it, so that a question can only be for this owner.
 * Requests of one owner run in parallel. Requests of callers that cannot answer questions wait as well; otherwise their
 * questions would be shown to another caller.
 */
export class OwnerLane {
  private readonly server: string;
  private readonly clock: Pick<Clock, "now" | "after">;
  private readonly waiting: Waiting[] = [];
  private isOn = false;
  /** Owner of the requests in progress; undefined if they were sent before the separation began. */
  private owner: string | undefined;
  private inside = 0;
  private turnEnds = 0;

  constructor(server: string, clock: Pick<Clock, "now" | "after">) {
    this.server = server;
    this.clock = clock;
  }

  /** From now on, only requests of one owner are sent at a time. */
  turnOn(): void {
    this.isOn = true;
  }

  /**
   * Admits a request; each admitted request must call `leave`. @returns undefined if it may be sent at once; otherwise
   * a promise
   * @throws Fault upstream_failed or cancelled, as rejection of the promise
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
    // All waiting requests of the owner who has waited longest are admitted together.
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
