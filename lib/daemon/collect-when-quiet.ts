import { measureMemory } from "node:vm";
import type { Clock } from "../core/base/clock.ts";

interface Options {
  clock: Clock;
  /** How long the event loop has worked so far. (ms) */
  workMs(): number;
  /** Whether somebody waits for an answer. */
  isAnswering(): boolean;
  collect(): void;
}

/** Between two checks; one without work in between is quiet. (ms) */
const CHECK_MS = 2000;
/** Work between two checks that is no more than timers and health checks. (ms) */
const QUIET_WORK_MS = 20;
/** Less work than this leaves too little garbage for a collection. A collection itself counts as work, up to 150 ms. (ms) */
const LEAST_WORK_MS = 500;

/**
 * Collects garbage once after each time of work. V8 collects only when more memory is needed, so that a proxy would keep
 * what its start or its last calls have left for as long as nobody uses it.
 *
 * @returns stops it
 */
export function collectWhenQuiet({ clock, workMs, isAnswering, collect }: Options): () => void {
  let atCheck = 0;
  let atCollection = 0;
  return clock.every(CHECK_MS, () => {
    const now = workMs();
    const isQuiet = now - atCheck < QUIET_WORK_MS;
    atCheck = now;
    if (!isQuiet || now - atCollection < LEAST_WORK_MS || isAnswering()) return;
    atCollection = now;
    collect();
  });
}

/**
 * Starts a full collection in small steps. Measuring memory begins with one; `gc()` would stop the program until all of
 * it is done. After another 8 s without work, V8 itself returns the free memory to the system, also in steps.
 */
export function startCollection(): void {
  const { emitWarning } = process;
  // It warns that it is experimental.
  process.emitWarning = () => {};
  try {
    measureMemory({ mode: "summary", execution: "eager" }).catch(() => {});
  } finally {
    process.emitWarning = emitWarning;
  }
}
