import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "#lib/core/schema/caller.ts";
import { OwnerLane } from "#lib/core/upstream/owner-lane.ts";
import { handClock } from "#test/kit/clock.ts";

const caller = (name: string) => ({ tier: "agent", name }) as Caller;

test("before a server asked on a shared channel nobody waits; afterwards one owner at a time is inside", async () => {
  const lane = new OwnerLane("up", handClock());
  assert.equal(lane.enter(caller("a"), undefined), undefined);
  assert.equal(lane.enter(caller("b"), undefined), undefined);
  lane.turnOn();
  const waits = lane.enter(caller("a"), undefined);
  assert.ok(waits, "who is inside came before the lane was on");
  lane.leave();
  lane.leave();
  await waits;
  assert.equal(lane.enter(caller("a"), undefined), undefined, "calls of one owner run side by side");
});
