import assert from "node:assert/strict";
import { test } from "node:test";
import { readTraceContext } from "#lib/core/extension/trace-context.ts";

/** What is read, and the trace context in it. */
const ROWS: readonly [title: string, source: unknown, context: object][] = [
  ["no _meta", undefined, {}],
  ["null", null, {}],
  ["a text", "traceparent", {}],
  ["a list", ["traceparent"], {}],
  ["other members", { progressToken: 1 }, {}],
  [
    "all three parts",
    { traceparent: "p", tracestate: "s", baggage: "b", x: 1 },
    { traceparent: "p", tracestate: "s", baggage: "b" },
  ],
  ["values that are not text", { traceparent: 1, tracestate: null, baggage: ["b"] }, {}],
  ["parts of the maximum length", { tracestate: "s".repeat(512) }, { tracestate: "s".repeat(512) }],
  ["longer parts", { traceparent: "p".repeat(257), tracestate: "s".repeat(513), baggage: "b".repeat(8193) }, {}],
];

for (const [title, source, context] of ROWS)
  test(`a trace context is read from ${title}`, () => {
    assert.deepEqual(readTraceContext(source), context);
  });
