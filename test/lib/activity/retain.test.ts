import assert from "node:assert/strict";
import { test } from "node:test";
import { retain } from "#lib/activity/retain.ts";
import { handClock } from "#test/kit/clock.ts";

const DAY_MS = 86_400_000;

test("old and superfluous records go at every interval, by the settings of that moment", async () => {
  const clock = handClock(1000 * DAY_MS);
  const swept: [number, number][] = [];
  const settings = { activity_retention_days: 90, activity_max_records: 5, activity_cleanup_interval_min: 60 };
  const app = {
    clock,
    config: { current: () => settings },
    store: { activity: { sweep: async (before: number, most: number) => void swept.push([before, most]) } },
    log: { catch() {} },
  };
  const end = retain(app as unknown as Parameters<typeof retain>[0]);

  await clock.advance(60 * 60_000);
  settings.activity_retention_days = 0;
  settings.activity_cleanup_interval_min = 10;
  await clock.advance(60 * 60_000);
  await clock.advance(10 * 60_000);
  end();
  await clock.advance(DAY_MS);

  assert.deepEqual(swept, [
    [1000 * DAY_MS + 3_600_000 - 90 * DAY_MS, 5],
    [0, 5],
    [0, 5],
  ]);
});
