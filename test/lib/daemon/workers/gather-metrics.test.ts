import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToWorker } from "#lib/core/extension/supervisor.ts";
import { createMetricsGathering } from "#lib/daemon/workers/gather-metrics.ts";
import { until } from "#test/kit/until.ts";

const worker = () => {
  const got: ToWorker[] = [];
  return { got, send: (message: ToWorker) => void got.push(message) };
};

test("the worker that asks gets the metrics of all; each one counts once, and two requests are kept apart", () => {
  const gathering = createMetricsGathering();
  const [a, b] = [worker(), worker()];
  gathering.begin(a, 7, [a, b]);
  gathering.begin(b, 7, [a, b]);
  const [first, second] = a.got as [ToWorker, ToWorker];

  gathering.add(a, second.id, "a of the second");
  gathering.add(a, first.id, "a");
  gathering.add(a, first.id, "a again");
  gathering.add(b, first.id, "b");

  assert.deepEqual(a.got.at(-1), { type: "all metrics", id: 7, texts: ["a", "b"] });
  assert.equal(b.got.length, 2, "the second request waits");
  gathering.add(b, second.id, "b of the second");
  assert.deepEqual(b.got.at(-1), { type: "all metrics", id: 7, texts: ["a of the second", "b of the second"] });
});

test("a worker that does not answer in time is left out", async () => {
  const gathering = createMetricsGathering(20);
  const [a, b] = [worker(), worker()];

  gathering.begin(a, 1, [a, b]);
  gathering.add(a, a.got[0]!.id, "a");

  await until("the answer comes", () => a.got.length === 2);
  assert.deepEqual(a.got[1], { type: "all metrics", id: 1, texts: ["a"] });
});
