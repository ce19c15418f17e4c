import assert from "node:assert/strict";
import { test } from "node:test";
import type { ActivitySlot } from "#lib/core/schema/activity.ts";
import { createTimeline } from "#lib/core/verbs/activity/timeline.ts";

const group = (slot: number, own: Partial<ActivitySlot> = {}): ActivitySlot => ({
  status: "success",
  slot,
  count: 1,
  response_bytes: 0,
  ...own,
});

test("every piece of time is there, also the quiet ones, and only what went out counts as a call", () => {
  const time = createTimeline(1000);
  for (const one of [
    group(2, { count: 2, response_bytes: 30 }),
    group(2, { status: "error", response_bytes: 5 }),
    group(4, { status: "blocked" }),
    group(4, { status: "rejected" }),
  ])
    time.add(one);

  const quiet = { calls: 0, errors: 0, total_resp_bytes: 0 };
  const told = (start: number, rest: object) => ({ start: new Date(start).toISOString(), ...rest });
  assert.deepEqual(time.slots(1500, 4999), [
    told(1000, quiet),
    told(2000, { calls: 3, errors: 1, total_resp_bytes: 35 }),
    told(3000, quiet),
    told(4000, quiet),
  ]);
  assert.deepEqual(
    time.slots(undefined, 3000).map((slot) => slot.calls),
    [3, 0],
  );
  assert.equal(createTimeline(1).slots(undefined, 5_000_000).length, 1);
});

test("of a long time the latest thousand pieces are told", () => {
  const time = createTimeline(1);
  time.add(group(0));
  const slots = time.slots(undefined, 100_000);

  assert.equal(slots.length, 1000);
  assert.equal(slots.at(-1)?.start, new Date(100_000).toISOString());
});
