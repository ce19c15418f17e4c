import assert from "node:assert/strict";
import { test } from "node:test";
import type { Config } from "#lib/core/config/config-keys.ts";
import { startRetention } from "#lib/core/verbs/activity/retention.ts";
import { withApp } from "#test/kit/app.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START = 1000 * DAY_MS;

type Settings = Pick<
  Config,
  "activity_retention_days" | "activity_max_records" | "activity_max_size_mb" | "activity_cleanup_interval_min"
>;

/** What retention needs of an App, with what it does to it: the minute of each sweep and its limits. */
function world(clock: HandClock, sweep: (signal: AbortSignal) => Promise<number> = async () => 0, newest?: number) {
  const swept: number[][] = [];
  const failed: string[] = [];
  let settings: Settings = {
    activity_retention_days: 90,
    activity_max_records: 5,
    activity_max_size_mb: 2,
    activity_cleanup_interval_min: 60,
  };
  const listeners = new Set<(next: Settings, previous: Settings) => void>();
  const app = {
    clock,
    config: {
      current: () => settings,
      onChange(listener: (next: Settings, previous: Settings) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    store: {
      activity: {
        async *walk() {
          if (newest !== undefined) yield { at: newest };
        },
        sweep(before: number, most: number, { maxBytes, signal }: { maxBytes: number; signal: AbortSignal }) {
          swept.push([(clock.now() - START) / MINUTE_MS, before === 0 ? 0 : clock.now() - before, most, maxBytes]);
          return sweep(signal);
        },
      },
    },
    log: { catch: (what: string, promise: Promise<unknown>) => promise.catch(() => failed.push(what)), debug() {} },
  };
  const change = (some: Partial<Settings>) => {
    const previous = settings;
    settings = { ...settings, ...some };
    for (const listener of listeners) listener(settings, previous);
  };
  // Only these members are used.
  let jumped = 0;
  const now = clock.now;
  const jump = (ms: number) => {
    jumped += ms;
    clock.now = () => now() + jumped;
  };
  return {
    swept,
    failed,
    change,
    jump,
    end: startRetention(app as unknown as Parameters<typeof startRetention>[0], now),
  };
}

test("records are swept soon after the start and then at every interval, by the settings of that moment", async () => {
  const clock = handClock(START);
  const { swept, end } = world(clock);

  await clock.advance(121 * MINUTE_MS);
  await end();
  await clock.advance(DAY_MS);

  const limits = [90 * DAY_MS, 5, 2 * 1024 * 1024];
  assert.deepEqual(swept, [
    [1, ...limits],
    [61, ...limits],
    [121, ...limits],
  ]);
});

test("a clock that jumps a year ahead deletes nothing that is young by measured time, until it has lasted for a day", async () => {
  const clock = handClock(START);
  const { swept, jump, end } = world(clock);
  const ages = () => swept.map(([, age]) => Math.round(age! / DAY_MS) - 90);

  await clock.advance(MINUTE_MS);
  jump(365 * DAY_MS);
  await clock.advance(60 * MINUTE_MS);
  const atOnce = ages();
  await clock.advance(DAY_MS);
  await end();

  assert.deepEqual(atOnce, [0, 365]);
  assert.equal(ages().at(-1), 0);
});

test("a clock that is a year ahead of the newest record at the start is not believed at once either", async () => {
  const clock = handClock(START);
  const { swept, end } = world(clock, undefined, START - 365 * DAY_MS);

  await clock.advance(MINUTE_MS);
  await end();

  assert.equal(Math.round(swept[0]![1]! / DAY_MS), 90 + 365);
});

test("a changed setting counts at once; others change nothing", async () => {
  const clock = handClock(START);
  const { swept, change, end } = world(clock);
  await clock.advance(10 * MINUTE_MS);

  change({ activity_retention_days: 0, activity_max_size_mb: 0, activity_cleanup_interval_min: 10 });
  await clock.advance(5 * MINUTE_MS);
  change({});
  await clock.advance(5 * MINUTE_MS);
  await end();

  assert.deepEqual(swept.slice(1), [
    [10, 0, 5, 0],
    [20, 0, 5, 0],
  ]);
});

test("one sweep runs at a time, and a failed one does not end the sweeping", async () => {
  const clock = handClock(START);
  let fail = (_: Error) => {};
  const { swept, failed, change, end } = world(clock, () => new Promise((_, no) => (fail = no)));
  await clock.advance(MINUTE_MS);
  change({ activity_max_records: 4 });
  change({ activity_max_records: 3 });
  assert.equal(swept.length, 1);

  fail(new Error("no"));
  await clock.advance(0);

  assert.deepEqual([swept.length, swept[1]?.[2], failed.length], [2, 3, 1]);
  fail(new Error("no"));
  await end();
});

test("the end waits for the sweep under way, and tells it to stop", async () => {
  const clock = handClock(START);
  const events: string[] = [];
  const { end } = world(
    clock,
    (signal) =>
      new Promise((done) => {
        signal.addEventListener("abort", () => setImmediate(() => done(events.push("swept"))));
      }),
  );
  await clock.advance(MINUTE_MS);

  await end();

  assert.deepEqual(events, ["swept"]);
});

test("a running program sweeps by its own configuration", async () => {
  const clock = handClock();
  await withApp({ connect: false, clock, config: { activity_max_records: 3 } }, async (app) => {
    await Promise.all(Array.from({ length: 10 }, () => app.store.activity.add(activityRecord({ at: clock.now() }))));

    const left = async () => (await app.store.activity.select({}, { limit: 1 })).total;

    await clock.advance(MINUTE_MS);
    await until("the sweep", async () => (await left()) === 3);
    await app.config.update((draft) => Object.assign(draft, { activity_max_records: 2 }), "test");
    await until("the sweep after the change", async () => (await left()) === 2);
  });
});
