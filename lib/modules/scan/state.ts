import { type App, part } from "../../core/app.ts";
import type { ScanJob } from "../../core/schema/scan.ts";

/** Number of stored scans of one server. */
export const MAX_SCANS = 20;

/** A scan in progress. */
export interface Running {
  job: ScanJob;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** The scans of many servers, run in order. */
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
  /** The current or last batch. */
  batch: Batch | undefined;
  /** Scans that wait for a free slot. */
  readonly turns: (() => void)[];
  active: number;
}

/** The scans in progress, in memory only; everything else is stored. */
const scans = part<ScanState>("scans", () => ({ running: new Map(), batch: undefined, turns: [], active: 0 }));

/** The scans in progress of this App. */
export const stateOf = (app: Pick<App, "part">): ScanState => app.part(scans);

/** Replaces the job instead of modifying it, so that earlier responses do not change. */
export function change(entry: Running, what: Partial<ScanJob>): void {
  entry.job = { ...entry.job, ...what };
}
