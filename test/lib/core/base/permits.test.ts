import assert from "node:assert/strict";
import { test } from "node:test";
import { createPermits } from "#lib/core/base/permits.ts";

test("places are handed out while there are any, and given back once", () => {
  const slots = createPermits(2);
  const [first, second] = [slots.take(), slots.take()];

  assert.equal(slots.take(), undefined);
  first?.();
  first?.();
  assert.equal(slots.taken, 1);
  assert.ok(slots.take() && !slots.take() && second);
});
