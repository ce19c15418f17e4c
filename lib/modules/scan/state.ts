import { type App, part } from "../../core/app.ts";
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

interface ScanState {
  readonly running: Map<string, Running>;
  /** The one under way, or the last. */
  batch: Batch | undefined;
  /** Scans that wait for one of the places. */
  readonly turns: (() => void)[];
  active: number;
}

/** What goes on; it ends with the program, and what was written says the rest. */
const scans = part<ScanState>("scans", () => ({ running: new Map(), batch: undefined, turns: [], active: 0 }));

export const stateOf = (app: Pick<App, "part">): ScanState => app.part(scans);

/** The job is replaced, not changed: what was answered before stays what it was. */
export function change(entry: Running, what: Partial<ScanJob>): void {
  entry.job = { ...entry.job, ...what };
}
