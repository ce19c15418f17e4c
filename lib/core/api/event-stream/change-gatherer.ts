import type { Clock } from "../../base/clock.ts";

/** Changes of servers that are sent in one event: the members of the latest change, and a short form of all of them. */
export interface GatheredChanges {
  readonly extras: Record<string, unknown>;
  /** The latest change of each server, oldest first, without changes that name no server. */
  readonly changes: readonly { readonly server: string; readonly reason: string }[];
  /** True if a change named no server, so that any server may have changed. */
  readonly any: boolean;
}

/** Collects changes of servers for one reader. */
interface ChangeGatherer {
  add(extras: Record<string, unknown>): void;
  /** Returns the collected changes if it is time to send them; with `now` in any case. */
  take(options?: { now: boolean }): GatheredChanges | undefined;
  /** Call with the length of the event that was sent; the longer it is, the later the next one is sent. */
  sent(characters: number): void;
  stop(): void;
}

/** Minimum time for which changes are collected. (ms) */
const GATHER_MS = 50;
/**
 * Maximum rate at which lists are sent to one reader, because a list of a thousand servers has 700 kB. (characters per
 * ms)
 */
const RATE = 100;
/** Maximum time between two lists. (ms) */
const MAX_WAIT_MS = 5000;
/** Maximum number of changes in the short form; with more, any server counts as changed. */
const MAX_CHANGES = 200;

/** Makes a collection of changes. @param due called when it is time to send the collected changes */
export function createChangeGatherer(clock: Clock, due: () => void): ChangeGatherer {
  let extras: Record<string, unknown> | undefined;
  let changes = new Map<string, string>();
  let any = false;
  let isDue = false;
  let notBefore = 0;
  let cancel = () => {};

  return {
    add(next) {
      if (!extras) {
        const ms = Math.max(GATHER_MS, notBefore - clock.now());
        cancel = clock.after(ms, () => {
          isDue = true;
          due();
        });
      }
      extras = next;
      const { server, reason } = next;
      if (typeof server !== "string" || changes.size >= MAX_CHANGES) any = true;
      else {
        changes.delete(server);
        changes.set(server, String(reason));
      }
    },
    take({ now } = { now: false }) {
      if (!extras || !(isDue || now)) return undefined;
      cancel();
      const gathered = { extras, changes: [...changes].map(([server, reason]) => ({ server, reason })), any };
      extras = undefined;
      changes = new Map();
      any = false;
      isDue = false;
      return gathered;
    },
    sent(characters) {
      notBefore = clock.now() + Math.min(MAX_WAIT_MS, characters / RATE);
    },
    stop: () => cancel(),
  };
}
