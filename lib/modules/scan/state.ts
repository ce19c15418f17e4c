import type { App } from "../../core/app.ts";
import type { ScanJob } from "../../core/schema/scan.ts";

/** Scans kept of one server. */
export const KEPT = 20;

/** A scan under way. */
export interface Running {
  job: ScanJob;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Scans of many servers, one after the other. */
export interface Batch {
  readonly id: string;
  readonly startedAt: number;
  readonly total: number;
  waiting: string[];
  completed: number;
  failed: number;
  cancelled: boolean;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export interface ScanState {
  readonly running: Map<string, Running>;
  /** The one under way, or the last. */
  batch: Batch | undefined;
  /** Scans that wait for one of the places. */
  readonly turns: (() => void)[];
  active: number;
}

/** What goes on, by the store that it is written to: it ends with the program, and what was written says the rest. */
const states = new WeakMap<App["store"], ScanState>();

export function stateOf({ store }: Pick<App, "store">): ScanState {
  let state = states.get(store);
  if (!state) {
    state = { running: new Map(), batch: undefined, turns: [], active: 0 };
    states.set(store, state);
  }
  return state;
}

/** The job is replaced, not changed: what was answered before stays what it was. */
export function change(entry: Running, what: Partial<ScanJob>): void {
  entry.job = { ...entry.job, ...what };
}
