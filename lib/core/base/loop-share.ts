/** Longest time that one piece of work keeps the event loop from others (ms). */
const SHARE_MS = 4;

/** `background` is for work that nobody waits for, such as indexing a server that has just connected. */
export type Urgency = "asked" | "background";

/**
 * Lets work over many items give way to others: call it after each item, and await what it answers, if anything.
 *
 *     const pause = loopShare();
 *     for (const item of items) {
 *       handle(item);
 *       await pause();
 *     }
 *
 * However many tasks share the loop, one continues in each turn of the event loop. A task starts immediately, which
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
 * Runs steps to their end and yields to other tasks in between. Returns synchronously if they fit in one share.
 *
 * @param signal ends it with the signal's reason at the next pause
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

/** Runs steps to their end in one piece, for work that is known to be small. */
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

/** Resolves in a turn of the event loop that no other work of this kind shares; both urgencies take alternate turns. */
export function nextLoopTurn(urgency: Urgency = "asked"): Promise<void> {
  return new Promise((next) => enqueue(urgency, next));
}

/** One queue for the process, because the process has one event loop. */
const enqueue = loopQueue();

function loopQueue(): (urgency: Urgency, next: () => void) => void {
  const waiting: Record<Urgency, (() => void)[]> = { asked: [], background: [] };
  let served: Urgency = "background";
  let isScheduled = false;
  const schedule = () => {
    isScheduled = true;
    setImmediate(serve);
  };
  // A task that continues runs to its next pause before Node calls the next immediate, which is in another turn.
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
