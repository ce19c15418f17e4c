import assert from "node:assert/strict";
import { test } from "node:test";
import { createEventBus, MAX_KEPT_EVENTS } from "#lib/core/events/event-bus.ts";
import { handClock } from "#test/kit/clock.ts";

const NEVER = (error: unknown) => {
  throw error;
};

test("events reach every listener in order, with their time, until it leaves", () => {
  const clock = handClock(5);
  const bus = createEventBus(clock, NEVER);
  const heard: unknown[] = [];
  const leave = bus.subscribe((event) => heard.push(event));

  bus.publish("tools.changed", { server: "a" });
  leave();
  bus.publish("tools.changed", { server: "b" });

  assert.deepEqual(heard, [{ kind: "tools.changed", at: 5, data: { server: "a" }, user: undefined }]);
});

test("a listener that throws disturbs nobody", () => {
  const errors: unknown[] = [];
  const bus = createEventBus(handClock(), (error) => errors.push(error));
  let heard = 0;
  bus.subscribe(() => {
    throw new Error("no");
  });
  bus.subscribe(() => heard++);

  bus.publish("tools.changed", { server: "a" });

  assert.deepEqual([heard, errors.length], [1, 1]);
});

test("the latest events are kept by number, the older ones are not", () => {
  const bus = createEventBus(handClock(), NEVER);
  assert.deepEqual([bus.first, bus.last, bus.eventAt(0), bus.eventAt(1)], [1, 0, undefined, undefined]);

  for (let i = 1; i <= MAX_KEPT_EVENTS + 3; i++) bus.publish("tools.changed", { server: String(i) });

  assert.deepEqual([bus.first, bus.last], [4, MAX_KEPT_EVENTS + 3]);
  for (const number of [4, 5, MAX_KEPT_EVENTS, MAX_KEPT_EVENTS + 3])
    assert.deepEqual(bus.eventAt(number)?.data, { server: String(number) });
  for (const number of [-1, 0, 3, MAX_KEPT_EVENTS + 4]) assert.equal(bus.eventAt(number), undefined);
});

test("a listener that looks an event up finds it already kept", () => {
  const bus = createEventBus(handClock(), NEVER);
  const seen: unknown[] = [];
  bus.subscribe((event) => seen.push(bus.eventAt(bus.last) === event));

  bus.publish("tools.changed", { server: "a" });

  assert.deepEqual(seen, [true]);
});

test("a listener that names kinds hears only events of these, and none after it has left, even by another listener", () => {
  const bus = createEventBus(handClock(), NEVER);
  const heard: string[] = [];
  bus.publish("tools.changed", { server: "before" });
  const leave: (() => void)[] = [];
  bus.subscribe(["secrets.changed"], () => {
    for (const end of leave) end();
  });
  leave.push(bus.subscribe(["tools.changed", "secrets.changed"], ({ kind }) => heard.push(kind)));
  leave.push(bus.subscribe([], () => assert.fail()));

  bus.publish("tools.changed", { server: "a" });
  bus.publish("tools.indexed", { server: "a", total: 1, added: 1, changed: 0, removed: 0 });
  bus.publish("secrets.changed", { operation: "store", secret_name: "a" });
  bus.publish("tools.changed", { server: "b" });

  assert.deepEqual(heard, ["tools.changed"]);
});
