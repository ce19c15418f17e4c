import type { Clock } from "../../base/clock.ts";

/** Changes of servers that are told in one frame: the latest one's members, and all of them in brief. */
export interface GatheredChanges {
  readonly extras: Record<string, unknown>;
  /** The latest of each server, in the order in which they came; without those that name none. */
  readonly changes: readonly { readonly server: string; readonly reason: string }[];
  /** Something changed that names no server, so that any may have. */
  readonly any: boolean;
}

/** Gathers changes of servers for one reader. */
interface ChangeGatherer {
  add(extras: Record<string, unknown>): void;
  /** What was gathered, once it is due; with `now` before that. */
  take(options?: { now: boolean }): GatheredChanges | undefined;
  /** A frame of so many characters was made: the next one waits in proportion. */
  sent(characters: number): void;
  stop(): void;
}

/** How long changes are gathered at least. (ms) */
const GATHER_MS = 50;
/** Lists are given to one reader at this rate: a fleet of a thousand servers fills 700 kB each time. (characters a ms) */
const RATE = 100;
/** Longest wait between two lists. (ms) */
const MAX_WAIT_MS = 5000;
/** Most changes that are told in brief; with more, any server may have changed. */
const MAX_CHANGES = 200;

/** @param due called when what was gathered is to be told */
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
