import assert from "node:assert/strict";
import { test } from "node:test";
import type { BegunRequest, TraceContext } from "#lib/core/extension/traffic.ts";
import { createTracer } from "#lib/modules/otlp/create-tracer.ts";
import type { RecordedSpan } from "#lib/modules/otlp/recorded-span.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const CALL = { method: "tools/call", server: "up", tool: "hi" };

const request = (from: TraceContext = {}, requestId = "r1"): BegunRequest => ({
  method: "tools/call",
  item: "up__hi",
  protocolVersion: "2025-06-18",
  listener: "tcp",
  requestId,
  from,
});

function tracing(isRecorded: boolean) {
  const recorded: RecordedSpan[] = [];
  const asked: unknown[] = [];
  const tracer = createTracer(
    (...about) => {
      asked.push(about);
      return isRecorded;
    },
    (span) => void recorded.push(span),
  );
  return { tracer, recorded, asked };
}

test("a call of a trace that is not recorded has no span, and gets the context of its request", () => {
  const { tracer, recorded } = tracing(false);

  const span = tracer.begin(request());

  assert.equal(span.beginCall(CALL), undefined);
  assert.match(span.context().traceparent!, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  assert.deepEqual(span.context(), span.context());
  span.end(undefined);
  assert.deepEqual(recorded, []);
});

test("a recorded call lies within its request, also when the system clock goes back meanwhile", (t) => {
  const { tracer, recorded } = tracing(true);
  const span = tracer.begin(request());
  const { now } = Date;
  t.mock.method(Date, "now", () => now() - 60_000);

  const call = span.beginCall(CALL)!;
  call.end(undefined);
  span.end("tool_error");

  const [child, parent] = recorded;
  assert.equal(child?.parent?.spanId, parent?.spanId);
  assert.deepEqual([child?.parent?.isRemote, parent?.parent], [false, undefined]);
  assert.equal(child?.traceId, parent?.traceId);
  assert.ok(child!.startedAt >= parent!.startedAt && child!.endedAt <= parent!.endedAt, "nested");
  assert.ok(Math.abs(parent!.startedAt - now()) < 5000);
  assert.deepEqual([child?.errorType, parent?.errorType], [undefined, "tool_error"]);
});

/** What the client sends, the decision that the sampler sees, and what is passed on of the other parts. */
const ROWS: readonly [from: TraceContext, sent: boolean | undefined, rest: object][] = [
  [{}, undefined, {}],
  [{ traceparent: `00-${TRACE}-${PARENT}-01` }, true, {}],
  [{ traceparent: `00-${TRACE}-${PARENT}-00` }, false, {}],
  [{ traceparent: `00-${TRACE}-${PARENT}-03`, tracestate: "a=1,b=2" }, true, { tracestate: "a=1,b=2" }],
  [
    { traceparent: `00-${TRACE}-${PARENT}-00`, tracestate: "a=1", baggage: "k=v" },
    false,
    { tracestate: "a=1", baggage: "k=v" },
  ],
  [{ traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "no list" }, true, {}],
  [{ traceparent: `cc-${TRACE}-${PARENT}-01-more` }, true, {}],
  [{ traceparent: `00-${TRACE}-${PARENT}-01-more`, tracestate: "a=1" }, undefined, {}],
  [{ traceparent: `00-${"0".repeat(32)}-${PARENT}-01` }, undefined, {}],
  [{ traceparent: "", baggage: "k=v" }, undefined, { baggage: "k=v" }],
];

for (const [from, sent, rest] of ROWS)
  for (const isRecorded of [true, false])
    test(`${JSON.stringify(from)} is continued, ${isRecorded ? "recorded" : "not recorded"}`, () => {
      const { tracer, asked } = tracing(isRecorded);

      const span = tracer.begin(request(from));

      const { traceparent, ...others } = span.context();
      const [version, traceId, spanId, flags] = traceparent!.split("-");
      assert.deepEqual(asked, [[traceId, sent]]);
      assert.deepEqual([version, flags], ["00", isRecorded ? "01" : "00"]);
      if (sent === undefined) assert.notEqual(traceId, TRACE);
      else assert.equal(traceId, TRACE);
      assert.notEqual(spanId, PARENT);
      assert.deepEqual(others, rest);
    });

for (const isRecorded of [true, false])
  test(`the trace of a request is known until the request ends, not its call, ${isRecorded ? "recorded" : "not recorded"}`, () => {
    const { tracer } = tracing(isRecorded);
    const span = tracer.begin(request({ traceparent: `00-${TRACE}-${PARENT}-01` }));
    assert.equal(tracer.traceIdOf("r1"), TRACE);

    span.beginCall(CALL)?.end(undefined);
    assert.equal(tracer.traceIdOf("r1"), TRACE);
    span.end(undefined);

    assert.equal(tracer.traceIdOf("r1"), undefined);
  });

test("a new trace has the digits of a request id that is a UUID, a continued one has the id that the client sent", () => {
  const { tracer, asked } = tracing(false);
  const id = "6f1d0eb0-96d1-45fb-8f7d-0af7651916cd";
  const digits = "6f1d0eb096d145fb8f7d0af7651916cd";

  const own = tracer.begin(request({}, id));
  assert.equal(own.context().traceparent?.slice(3, 35), digits);
  assert.equal(tracer.traceIdOf(id), digits);
  own.end(undefined);
  tracer.begin(request({ traceparent: `00-${TRACE}-${PARENT}-00` }, id));

  assert.equal(tracer.traceIdOf(id), TRACE);
  assert.deepEqual(asked, [
    [digits, undefined],
    [TRACE, false],
  ]);
});
