import type { App } from "../app.ts";
import type { Config } from "../config/schema.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MIB = 1 << 20;

/** Until the first sweep: a program that is started often sweeps too, but not while it starts. (ms) */
const FIRST_MS = MINUTE_MS;

/** Settings that count at once when they are changed. */
const SETTINGS = [
  "activity_retention_days",
  "activity_max_records",
  "activity_max_size_mb",
  "activity_cleanup_interval_min",
] as const satisfies readonly (keyof Config)[];

/**
 * Removes activity records that are too old, too many or take too much room: soon after the start, every
 * `activity_cleanup_interval_min`, and when one of these settings changes.
 *
 * @returns ends it, and waits for the end of a sweep under way
 */
export function retain(app: Pick<App, "clock" | "config" | "store" | "log">): () => Promise<void> {
  const stopped = new AbortController();
  let running: Promise<void> | undefined;
  let again = false;
  let cancel = app.clock.after(FIRST_MS, () => sweep());

  const sweep = () => {
    cancel();
    again = running !== undefined;
    if (again) return;
    running = once(app, stopped.signal).then(() => {
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

/** Never throws: what could not be swept is swept the next time. */
async function once({ clock, config, store, log }: Parameters<typeof retain>[0], signal: AbortSignal): Promise<void> {
  const { activity_retention_days: days, activity_max_records: most, activity_max_size_mb: mib } = config.current();
  const before = days === 0 ? 0 : clock.now() - days * DAY_MS;
  const swept = store.activity.sweep(before, most, { maxBytes: mib * MIB, signal });
  log.catch("sweeping activity records", swept);
  const gone = await swept.catch(() => 0);
  if (gone > 0) log.debug(`${gone} activity records were swept away`);
}
