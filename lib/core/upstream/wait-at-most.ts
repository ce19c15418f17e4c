import type { Clock } from "../base/clock.ts";

/** Resolves when the promise has settled, but at the latest after `ms`. Never rejects. */
export async function waitAtMost(clock: Clock, ms: number, promise: Promise<unknown>): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((done) => {
    cancel = clock.after(ms, done);
  });
  await Promise.race([promise.catch(() => {}), late]);
  cancel();
}
