import type { App } from "../../app.ts";
import type { Config } from "../../config/config-keys.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MIB = 1 << 20;

/**
 * Delay of the first sweep: so short that a program that is often restarted sweeps, too, but not during the start. (ms)
 */
const FIRST_MS = MINUTE_MS;

/** A larger step of the clock ahead (a laptop's sleep is smaller) counts only after it has lasted this long. (ms) */
const STEP_MS = DAY_MS;

/** Settings whose change triggers a sweep at once. */
const SETTINGS = [
  "activity_retention_days",
  "activity_max_records",
  "activity_max_size_mb",
  "activity_cleanup_interval_min",
] as const satisfies readonly (keyof Config)[];

/**
 * Removes activity records that are too old, too many or too large in total: soon after the start, every
 * `activity_cleanup_interval_min`, and when one of these settings changes.
 *
 * A clock that jumps ahead deletes nothing: the age of records grows with measured time, and a step of more than a day
 * counts only after the clock has stayed there for a day.
 *
 * @param elapsed returns a monotonic time (ms)
 * @returns a function that stops the sweeps and waits for the end of a current one
 */
export function startRetention(
  app: Pick<App, "clock" | "config" | "store" | "log">,
  elapsed: () => number = () => performance.now(),
): () => Promise<void> {
  const time = steadyTime(() => app.clock.now(), elapsed);
  let compared = false;
  const now = async () => {
    // If the clock is wrong from the start, a comparison with the newest records shows it.
    const newest = compared ? undefined : await newestBefore(app, app.clock.now());
    compared = true;
    return time(newest);
  };
  const stopped = new AbortController();
  let running: Promise<void> | undefined;
  let again = false;
  let cancel = app.clock.after(FIRST_MS, () => sweep());

  const sweep = () => {
    cancel();
    again = running !== undefined;
    if (again) return;
    running = once(app, now, stopped.signal).then(() => {
      running = undefined;
      if (stopped.signal.aborted) return;
      if (again) sweep();
      else cancel = app.clock.after(app.config.current().activity_cleanup_interval_min * MINUTE_MS, sweep);
    });
  };
  const stopMinding = app.config.onChange((next, previous) => {
    if (SETTINGS.some((key) => next[key] !== previous[key])) sweep();
  });

  return async () => {
    stopped.abort();
    stopMinding();
    cancel();
    await running;
  };
}

/** Never throws: the next sweep retries what failed. */
async function once(
  { config, store, log }: Parameters<typeof startRetention>[0],
  time: () => Promise<number>,
  signal: AbortSignal,
): Promise<void> {
  const {
    activity_retention_days: days,
    activity_max_records: maxRecords,
    activity_max_size_mb: mib,
  } = config.current();
  const swept = time().then((now) => {
    const before = days === 0 ? 0 : now - days * DAY_MS;
    return store.activity.sweep(before, maxRecords, { maxBytes: mib * MIB, signal });
  });
  log.catch("sweeping activity records", swept);
  const removed = await swept.catch(() => 0);
  if (removed > 0) log.debug(`${removed} activity records were deleted`);
}

async function newestBefore({ store }: Pick<App, "store">, now: number): Promise<number | undefined> {
  for await (const { at } of store.activity.walk({ before: now })) return at;
  return undefined;
}

/** Returns a function that reads the clock but ignores steps ahead that have not lasted long enough. */
function steadyTime(now: () => number, elapsed: () => number): (newest?: number) => number {
  let lastCheck = { at: now(), after: elapsed() };
  let stepSince: number | undefined;
  return (newest) => {
    if (newest !== undefined) lastCheck = { ...lastCheck, at: Math.min(lastCheck.at, newest) };
    const [at, after] = [now(), elapsed()];
    const measured = lastCheck.at + (after - lastCheck.after);
    if (at > measured + STEP_MS) {
      stepSince ??= after;
      if (after - stepSince < STEP_MS) return measured;
    }
    stepSince = undefined;
    lastCheck = { at, after };
    return at;
  };
}
