import { setFlagsFromString } from "node:v8";
import { measureMemory, runInNewContext } from "node:vm";
import type { Clock } from "../core/base/clock.ts";

interface Options {
  clock: Clock;
  /** How long the event loop has worked so far. (ms) */
  workMs(): number;
  /** Whether each request is reported by `work`. */
  reportsRequests: boolean;
  /** Whether somebody waits for an answer. */
  isAnswering(): boolean;
  /** Starts a collection. @returns whether V8 has collected once more since it ended */
  collect(): () => boolean;
  /** Sets whether V8 prefers to use little memory. */
  saveMemory(isSaving: boolean): void;
  /** Resident memory of the process. (MB) */
  residentMb(): number;
  /** Collects, and returns the free memory, in one pause. */
  collectAtOnce(): void;
}

/** Between two checks; one without work in between is quiet. (ms) */
const CHECK_MS = 2000;
/** Quiet checks before a collection. After a collection the first thousands of calls take up to half as long again. */
const QUIET_CHECKS = 3;
/** Work between two checks that is no more than timers, health checks of servers and probes of the proxy. (ms) */
const QUIET_WORK_MS = 20;
/** The same if there was no request: the health checks of 1,000 servers take up to 140 ms. (ms) */
const UNREQUESTED_WORK_MS = 200;
/** Less work than this leaves too little garbage for a collection. A collection itself counts as work, up to 150 ms. (ms) */
const LEAST_WORK_MS = 500;

/**
 * Quiet checks during which V8 saves memory. 8 s after a collection V8 decides whether to give free memory back to the
 * system, and it repeats the decision every 8 s.
 */
const SAVING_CHECKS = 10;

/** Memory that may be added to that after the last return of memory before V8 has to return it. (MB) */
const KEPT_MB = 32;

/**
 * Collects garbage once after each time of work. V8 collects only when more memory is needed, so that a proxy would keep
 * what its start or its last calls have left for as long as nobody uses it. While it is still quiet afterwards, V8 is
 * set to save memory for a while: otherwise it keeps the free pages, more than 150 MB after the start of many servers.
 *
 * V8 may keep them nevertheless: it returns memory twice and then not again until its old space has grown by 10 MB, and the
 * second time may come during calls. Then the memory is returned in one pause.
 *
 * @returns `work`: call it when a request arrives; `stop`: ends it
 */
export function collectWhenQuiet(options: Options) {
  const { clock, workMs, reportsRequests, isAnswering, collect, saveMemory, residentMb, collectAtOnce } = options;
  let atCheck = 0;
  // The start leaves garbage in any case; a quick machine does it in less time than would bring about a collection.
  let atCollection = -LEAST_WORK_MS;
  let quietChecks = 0;
  let savingChecks = 0;
  let isSaving = false;
  let hasRequests = true;
  /** Whether V8 has returned memory since the last collection; absent once this was checked. */
  let hasReturned: (() => boolean) | undefined;
  /** Resident memory after memory was returned. */
  let returnedMb = Number.NEGATIVE_INFINITY;
  const checkReturn = (isReturned: boolean) => {
    hasReturned = undefined;
    const isKept = !isReturned && residentMb() > returnedMb + KEPT_MB;
    if (isKept) collectAtOnce();
    if (isKept || isReturned) returnedMb = residentMb();
  };
  const save = (next: boolean) => {
    if (next !== isSaving) saveMemory(next);
    isSaving = next;
  };
  const stopChecks = clock.every(CHECK_MS, () => {
    const now = workMs();
    const workedMs = now - atCheck;
    const isQuiet = workedMs < (hasRequests ? QUIET_WORK_MS : UNREQUESTED_WORK_MS) && !isAnswering();
    // V8's own work while it saves memory leaves no garbage, and must not bring about another collection. Nor must health
    // checks, which go on for ever.
    if ((isSaving && workedMs < LEAST_WORK_MS) || (isQuiet && !hasRequests)) atCollection += workedMs;
    atCheck = now;
    hasRequests = !reportsRequests;
    quietChecks = isQuiet ? quietChecks + 1 : 0;
    if (quietChecks >= QUIET_CHECKS && now - atCollection >= LEAST_WORK_MS) {
      atCollection = now;
      savingChecks = SAVING_CHECKS;
      hasReturned = collect();
    }
    // While the program works, it would be slower.
    save(isQuiet && savingChecks > 0);
    if (isSaving) savingChecks--;
    else if (isQuiet && hasReturned) checkReturn(hasReturned());
  });
  return {
    // With little memory V8 would collect every few hundred calls, and the next check may be two seconds away.
    work() {
      hasRequests = true;
      save(false);
    },
    stop() {
      stopChecks();
      save(false);
    },
  };
}

/**
 * Starts a full collection in small steps. Measuring memory begins with one; `gc()` would stop the program until all of
 * it is done.
 *
 * @returns whether V8 has collected once more since it ended, which a weak reference shows
 */
export function startCollection(): () => boolean {
  const { emitWarning } = process;
  let marker: WeakRef<object> | undefined;
  // It warns that it is experimental.
  process.emitWarning = () => {};
  try {
    const mark = () => {
      marker = new WeakRef({});
    };
    measureMemory({ mode: "summary", execution: "eager" }).then(mark, () => {});
  } finally {
    process.emitWarning = emitWarning;
  }
  return () => marker !== undefined && marker.deref() === undefined;
}

/** Collects all garbage and returns all free memory, in one pause of about 70 ms. With Node 20 it does hardly anything. */
export function collectAtOnce(): void {
  setFlagsFromString("--expose-gc");
  const gc: (options: object) => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  gc({ type: "major", flavor: "last-resort" });
}

/**
 * V8 gives memory back to the system only while hardly anything is allocated, compared with the speed of its last
 * collections; timers and health checks are already too much. With this flag it does so in any case.
 */
export function saveMemory(isSaving: boolean): void {
  setFlagsFromString(isSaving ? "--optimize-for-size" : "--no-optimize-for-size");
}
