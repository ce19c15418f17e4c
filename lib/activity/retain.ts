import type { App } from "../app.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Removes activity records that are too old or too many, every `activity_cleanup_interval_min`. @returns ends it */
export function retain(app: Pick<App, "clock" | "config" | "store" | "log">): () => void {
  let cancel = () => {};
  const sweep = () => {
    const { activity_retention_days: days, activity_max_records: most } = app.config.current();
    const before = days === 0 ? 0 : app.clock.now() - days * DAY_MS;
    app.log.catch("sweeping activity records", app.store.activity.sweep(before, most));
    plan();
  };
  // Planned anew each time, so that a changed interval counts from the next sweep on.
  const plan = () => {
    cancel = app.clock.after(app.config.current().activity_cleanup_interval_min * MINUTE_MS, sweep);
  };
  plan();
  return () => cancel();
}
