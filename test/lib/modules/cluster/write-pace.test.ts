import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createWritePace } from "#lib/modules/cluster/write-pace.ts";

const LONG_MS = 600_000;

async function hasBegun(next: Promise<void>): Promise<boolean> {
  let begun = false;
  void next.then(() => {
    begun = true;
  });
  for (let turns = 0; turns < 5; turns++) await turn();
  return begun;
}

test("the first write begins at once, and the next one when the time has passed or somebody hurries", async () => {
  const pace = createWritePace(LONG_MS);

  const first = await hasBegun(pace.next());
  const second = pace.next();
  const before = await hasBegun(second);
  pace.hurry();

  assert.deepEqual([first, before, await hasBegun(second)], [true, false, true]);
  assert.equal(await hasBegun(createWritePace(0).next()), true);
});

test("who hurries while no write waits lets one more write begin at once, and no further one", async () => {
  const pace = createWritePace(LONG_MS);
  await pace.next();
  pace.hurry();

  const second = await hasBegun(pace.next());
  const third = pace.next();

  assert.deepEqual([second, await hasBegun(third)], [true, false]);
  pace.hurry();
  await third;
});
