import assert from "node:assert/strict";
import { test } from "node:test";
import { createBus, KEPT } from "#lib/core/events/bus.ts";
import { handClock } from "#test/kit/clock.ts";

const NEVER = (error: unknown) => {
  throw error;
};

test("events reach every listener in order, with their time, until it leaves", () => {
  const clock = handClock(5);
  const bus = createBus(clock, NEVER);
  const heard: unknown[] = [];
  const leave = bus.subscribe((event) => heard.push(event));

  bus.publish("tools.changed", { server: "a" });
  leave();
  bus.publish("tools.changed", { server: "b" });

  assert.deepEqual(heard, [{ kind: "tools.changed", at: 5, data: { server: "a" }, user: undefined }]);
});

test("a listener that throws disturbs nobody", () => {
  const errors: unknown[] = [];
  const bus = createBus(handClock(), (error) => errors.push(error));
  let heard = 0;
  bus.subscribe(() => {
    throw new Error("no");
  });
  bus.subscribe(() => heard++);

  bus.publish("tools.changed", { server: "a" });

  assert.deepEqual([heard, errors.length], [1, 1]);
});

test("the latest events are kept by number, the older ones are not", () => {
  const bus = createBus(handClock(), NEVER);
  assert.deepEqual([bus.first, bus.last, bus.at(0), bus.at(1)], [1, 0, undefined, undefined]);

  for (let i = 1; i <= KEPT + 3; i++) bus.publish("tools.changed", { server: String(i) });

  assert.deepEqual([bus.first, bus.last], [4, KEPT + 3]);
  for (const number of [4, 5, KEPT, KEPT + 3]) assert.deepEqual(bus.at(number)?.data, { server: String(number) });
  for (const number of [-1, 0, 3, KEPT + 4]) assert.equal(bus.at(number), undefined);
});

test("a listener that looks an event up finds it already kept", () => {
  const bus = createBus(handClock(), NEVER);
  const seen: unknown[] = [];
  bus.subscribe((event) => seen.push(bus.at(bus.last) === event));

  bus.publish("tools.changed", { server: "a" });

  assert.deepEqual(seen, [true]);
});
