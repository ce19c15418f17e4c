// @ts-check
/**
 * Preloaded by a program whose clock must be wrong: `CLOCK_SHIFT_MS=300000 NODE_OPTIONS="--require …/shifted-clock.cjs"`
 * puts it five minutes ahead. The monotonic clock, timers and OpenSSL keep the time of the machine.
 */
const { now } = Date;
const shifted = () => now() + Number(process.env.CLOCK_SHIFT_MS);
Date.now = shifted;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [shifted()] : given, made),
  apply: (target) => String(Reflect.construct(target, [shifted()])),
});
