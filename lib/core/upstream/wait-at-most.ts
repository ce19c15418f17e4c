import type { Clock } from "../base/clock.ts";

/** Waits for something, but no longer than `ms`; whether it came in time does not matter to who asks. Never rejects. */
export async function waitAtMost(clock: Clock, ms: number, promise: Promise<unknown>): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((done) => {
    cancel = clock.after(ms, done);
  });
  await Promise.race([promise.catch(() => {}), late]);
  cancel();
}
