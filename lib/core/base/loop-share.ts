/** Longest time that one piece of work blocks the event loop (ms). */
const SHARE_MS = 4;

/**
 * `asked`: somebody waits for the result. `background`: nobody does, as when a server that has just connected is
 * indexed.
 */
export type Urgency = "asked" | "background";

/**
 * Splits long work over many items so that it does not block the event loop. Call the returned function after each item
 * and await its result, if there is one:
 *
 *     const pause = loopShare();
 *     for (const item of items) {
 *       handle(item);
 *       await pause();
 *     }
 *
 * However many tasks wait, only one of them continues in each turn of the event loop. A task starts immediately, which
 * suits single requests; a task of which many may start together begins with `await nextLoopTurn("background")`.
 */
export function loopShare(urgency: Urgency = "asked", ms = SHARE_MS): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < ms) return undefined;
    return nextLoopTurn(urgency).then(() => {
      since = performance.now();
    });
  };
}

/**
 * Runs a generator to its end and yields to other tasks in between. Returns synchronously if it takes less than one
 * share.
 *
 * @param signal stops the work at the next pause, with the signal's reason
 */
export function runSteps<T>(
  steps: Generator<void, T>,
  urgency: Urgency = "asked",
  signal?: AbortSignal,
): T | Promise<T> {
  const pause = loopShare(urgency);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const others = pause();
    if (others) return rest(steps, others, pause, signal);
  }
}

/** Runs a generator to its end without a pause, for work that is known to be small. */
export function runStepsToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

async function rest<T>(
  steps: Generator<void, T>,
  others: Promise<void>,
  pause: ReturnType<typeof loopShare>,
  signal: AbortSignal | undefined,
): Promise<T> {
  await others;
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/**
 * Resolves in a turn of the event loop in which no other waiting task continues. Both urgencies are served alternately.
 */
export function nextLoopTurn(urgency: Urgency = "asked"): Promise<void> {
  return new Promise((next) => enqueue(urgency, next));
}

/** There is one queue for the process, because a process has one event loop. */
const enqueue = loopQueue();

function loopQueue(): (urgency: Urgency, next: () => void) => void {
  const waiting: Record<Urgency, (() => void)[]> = { asked: [], background: [] };
  let served: Urgency = "background";
  let isScheduled = false;
  const schedule = () => {
    isScheduled = true;
    setImmediate(serve);
  };
  // The continued task runs up to its next pause before Node calls the next immediate.
  const serve = () => {
    isScheduled = false;
    const other: Urgency = served === "asked" ? "background" : "asked";
    if (waiting[other].length > 0) served = other;
    waiting[served].shift()?.();
    if (waiting.asked.length + waiting.background.length > 0) schedule();
  };
  return (urgency, next) => {
    waiting[urgency].push(next);
    if (!isScheduled) schedule();
  };
}
