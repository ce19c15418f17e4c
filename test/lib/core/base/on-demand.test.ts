import assert from "node:assert/strict";
import { test } from "node:test";
import { onDemand } from "#lib/core/base/on-demand.ts";
import { handClock } from "#test/kit/clock.ts";

test("what is quiet is forgotten once there are many, what is busy never", () => {
  let made = 0;
  const busy = new Set<string>(["b0", "b1", "b2", "b3", "b4"]);
  const things = onDemand({
    clock: handClock(),
    maxValues: 4,
    make: (name) => ({ name, number: made++ }),
    isIdle: ({ name }) => !busy.has(name),
  });

  const first = [...busy].map((name) => things.get(name));
  for (let i = 0; i < 1000; i++) {
    things.get(`quiet ${i}`);
    assert.ok(things.all().length <= busy.size + 1);
  }

  assert.deepEqual(
    [...busy].map((name) => things.get(name)),
    first,
  );
  const again = things.get("quiet 999");
  assert.equal(things.get("quiet 999"), again);
  busy.clear();
  things.get("another");
  assert.deepEqual(
    things.all().map(({ name }) => name),
    ["another"],
  );
  assert.ok(things.get("b0").number > first[0]!.number);
});

test("what was busy in a burst is forgotten once it is quiet, without another use", async () => {
  const clock = handClock();
  let isBusy = true;
  const things = onDemand({ clock, maxValues: 4, make: (name) => name, isIdle: () => !isBusy });
  for (let i = 0; i < 1000; i++) things.get(`thing ${i}`);

  await clock.advance(10_000);
  assert.equal(things.all().length, 1000, "busy things stay");
  isBusy = false;
  await clock.advance(1000);

  assert.equal(things.all().length, 0);
});
