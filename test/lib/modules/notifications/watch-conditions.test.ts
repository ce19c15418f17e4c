import assert from "node:assert/strict";
import { test } from "node:test";
import { watchConditions } from "#lib/modules/notifications/watch-conditions.ts";
import { type TestApp, testApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { until } from "#test/kit/until.ts";

const MINUTE_MS = 60_000;

test("a condition that begins again and again is notified at most every ten minutes", async (t) => {
  const real = await testApp({});
  t.after(() => real.close());
  const clock = handClock();
  let tokens: { name: string; expiresAt: number }[] = [];
  let examinations = 0;
  const all = () => {
    examinations++;
    return tokens;
  };
  const store = Object.create(real.store, { tokens: { value: { all } } });
  const app: TestApp = Object.create(real, { clock: { value: clock }, store: { value: store } });
  const soon = [{ name: "ci", expiresAt: clock.now() + 24 * 60 * MINUTE_MS }];
  const times: number[] = [];
  const stop = watchConditions(app, ({ key }) => {
    if (key.includes("ci")) times.push(clock.now());
  });
  t.after(stop);
  /** Lets the conditions be examined with these tokens. */
  const examine = async (present: typeof soon) => {
    tokens = present;
    const before = examinations;
    await until(
      "the examination",
      () => examinations > before,
      () => clock.advance(1000),
    );
  };

  const from = clock.now();
  while (clock.now() - from < 35 * MINUTE_MS) {
    await examine(soon);
    await examine([]);
  }
  for (const [i, time] of times.entries()) if (i > 0) assert.ok(time - times[i - 1]! >= 10 * MINUTE_MS);
  assert.ok(times.length >= 3, `it is notified again later: ${times.length}`);

  const before = times.length;
  while (times.length === before && clock.now() - from < 60 * MINUTE_MS) await examine(soon);
  assert.equal(times.length, before + 1, "what still lasts after that time is notified");
});
