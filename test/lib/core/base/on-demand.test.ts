import assert from "node:assert/strict";
import { test } from "node:test";
import { onDemand } from "#lib/core/base/on-demand.ts";

test("what is quiet is forgotten once there are many, what is busy never", () => {
  let made = 0;
  const busy = new Set<string>(["b0", "b1", "b2", "b3", "b4"]);
  const things = onDemand(
    4,
    (name) => ({ name, number: made++ }),
    ({ name }) => !busy.has(name),
  );

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
