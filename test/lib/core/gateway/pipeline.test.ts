import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { auditTrail } from "#lib/core/extension/audit-trail.ts";
import { callInspector } from "#lib/core/extension/call-inspector.ts";
import { type Tracer, traffic } from "#lib/core/extension/traffic.ts";
import { callPipeline } from "#lib/core/gateway/pipeline.ts";

const BARE = ["resolveCall", "judgeCall", "permitCall", "acquireConnection", "sendCall", "recordCall"];
const FULL = [
  "resolveCall",
  "judgeCall",
  "permitCall",
  "inspectCall",
  "auditAllowed",
  "acquireConnection",
  "sendCall",
  "treatReply",
  "recordCall",
];

function pipelineWith({ isKept, inspector }: { isKept: boolean; inspector: object | undefined }) {
  const parts = new Map<unknown, unknown>([
    [auditTrail, { isKept }],
    [callInspector, inspector],
  ]);
  // Only this member is used.
  const app = { part: (key: unknown) => parts.get(key) } as unknown as App;
  const observers = traffic.open(app);
  parts.set(traffic, observers);
  const stages = callPipeline.open(app);
  return { names: () => stages.map(({ name }) => name), observers };
}

const stageNames = (parts: Parameters<typeof pipelineWith>[0]) => pipelineWith(parts).names();

test("a call passes through its stages in one order, and those for inspection and audit exist only where they are used", () => {
  assert.deepEqual(stageNames({ isKept: false, inspector: undefined }), BARE);
  assert.deepEqual(stageNames({ isKept: true, inspector: {} }), FULL);
});

test("calls are measured and traced only while something observes the traffic or makes traces", () => {
  const { names, observers } = pipelineWith({ isKept: false, inspector: undefined });
  const observer = { answered() {}, called() {} };
  const tracer: Tracer = {
    begin: () => assert.fail(),
    beginHttp: () => assert.fail(),
    beginCall: () => assert.fail(),
    traceIdOf: () => assert.fail(),
  };
  const measured = [...BARE, "observeCall"];
  const traced = measured.map((name) => (name === "sendCall" ? "sendTraced" : name));

  const ends = [observers.observe({ ...observer }), observers.observe({ ...observer })];
  assert.deepEqual(names(), measured);
  const endTraces = observers.trace(tracer);
  assert.deepEqual(names(), traced);
  assert.equal(observers.tracer, tracer);

  for (const end of ends) end();
  assert.deepEqual(names(), traced, "the tracer is left");
  const endMeasuring = observers.observe(observer);
  endTraces();
  assert.deepEqual(names(), measured, "an observer is left");
  for (const end of [...ends, endTraces, endMeasuring]) end();
  assert.deepEqual(names(), BARE);
  assert.equal(observers.tracer, undefined);
});
