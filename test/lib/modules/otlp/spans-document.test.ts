import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Attributes,
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { RecordedSpan } from "#lib/modules/otlp/recorded-span.ts";
import { spansDocument } from "#lib/modules/otlp/spans-document.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const STARTED_AT = 1_800_000_000_123.456;
const RESOURCE = resourceFromAttributes({ "service.name": "proxy", "service.version": "1.2.3" });
const REQUEST = { method: "tools/call", item: "up__hi", protocolVersion: "2025-06-18", listener: "tcp" } as const;
const FROM = { requestId: "r1", from: {} };

/** A span, and what the conventions of OpenTelemetry make of it. */
type Row = readonly [Partial<RecordedSpan> & Pick<RecordedSpan, "subject">, Described];

interface Described {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

const ROWS: readonly Row[] = [
  [
    {
      subject: { request: { ...REQUEST, ...FROM } },
      parent: { spanId: "00f067aa0ba902b7", isRemote: true },
      tracestate: "a=1",
    },
    {
      name: "tools/call up__hi",
      kind: SpanKind.SERVER,
      attributes: {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2025-06-18",
        "network.transport": "tcp",
        "gen_ai.tool.name": "up__hi",
        "gen_ai.operation.name": "execute_tool",
        "mcp.proxy.request_id": "r1",
      },
    },
  ],
  [
    {
      subject: {
        request: {
          ...REQUEST,
          ...FROM,
          method: "attack/4711",
          item: "secret",
          protocolVersion: "",
          listener: "internal",
        },
      },
      errorType: "-32601",
    },
    {
      name: "other",
      kind: SpanKind.SERVER,
      attributes: {
        "mcp.method.name": "other",
        "mcp.proxy.request_id": "r1",
        "error.type": "-32601",
        "rpc.response.status_code": "-32601",
      },
    },
  ],
  [
    {
      subject: { call: { method: "prompts/get", server: "up", tool: "é".repeat(300) } },
      parent: { spanId: "00f067aa0ba902b7", isRemote: false },
      errorType: "tool_error",
    },
    {
      name: `prompts/get ${"é".repeat(200)}`,
      kind: SpanKind.CLIENT,
      attributes: {
        "mcp.method.name": "prompts/get",
        "mcp.proxy.server": "up",
        "gen_ai.prompt.name": "é".repeat(200),
        "error.type": "tool_error",
      },
    },
  ],
  [
    { subject: { call: { method: "resources/read", server: 'u"p', tool: "file:///secret" } } },
    {
      name: "resources/read",
      kind: SpanKind.CLIENT,
      attributes: { "mcp.method.name": "resources/read", "mcp.proxy.server": 'u"p' },
    },
  ],
  [
    { subject: { http: { route: "POST /api/v1/tools/call", ...FROM } } },
    {
      name: "POST /api/v1/tools/call",
      kind: SpanKind.SERVER,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/api/v1/tools/call",
        "mcp.proxy.request_id": "r1",
      },
    },
  ],
];

const spanOf = (given: Row[0]): RecordedSpan => ({
  traceId: TRACE,
  spanId: "b7ad6b7169203331",
  tracestate: "",
  parent: undefined,
  startedAt: STARTED_AT,
  endedAt: STARTED_AT + 7.25,
  errorType: undefined,
  ...given,
});

for (const [given, described] of ROWS)
  test(`the span "${described.name.slice(0, 40)}" is written as OpenTelemetry's own serializer writes it`, async () => {
    const span = spanOf(given);

    const own = JSON.parse(await spansDocument(RESOURCE, "1.2.3")([span]));

    assert.deepEqual(own, byTheirs(span, described));
  });

test("a span has the same text in a message with others, however alike their names are", async () => {
  const write = spansDocument(RESOURCE, "1.2.3");
  const call = { method: "tools/call", server: "up", tool: "hi" };
  const request = { ...REQUEST, ...FROM };
  const alike: RecordedSpan["subject"][] = [
    { call },
    { call: { ...call, server: "u", tool: "phi" } },
    { call: { ...call, method: "tools/callu", server: "p" } },
    { request },
    { request: { ...request, requestId: 'r"2' } },
    { request: { ...request, item: undefined } },
    { request: { ...request, item: "" } },
    { request: { ...request, listener: "stdio" } },
    { request: { ...request, protocolVersion: "2025-11-25" } },
    { request: { ...request, method: "prompts/get" } },
    { http: { route: "POST /a", ...FROM } },
    { http: { route: "POST /a", ...FROM, requestId: "r2" } },
  ];
  const spans = [...ROWS.map(([given]) => given), ...alike.map((subject) => ({ subject }))].map(spanOf);
  const spansIn = (text: string) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans;

  const together = spansIn(await write([...spans, ...spans]));

  const alone = await Promise.all(spans.map(async (span) => spansIn(await write([span]))[0]));
  assert.deepEqual(together, [...alone, ...alone]);
});

/** Writes a span with the libraries of OpenTelemetry, without members that are empty or zero. */
function byTheirs({ spanId, tracestate, parent, startedAt, endedAt, errorType }: RecordedSpan, described: Described) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    resource: RESOURCE,
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    idGenerator: { generateTraceId: () => TRACE, generateSpanId: () => spanId },
  });
  const context = parent
    ? trace.setSpanContext(ROOT_CONTEXT, {
        traceId: TRACE,
        traceFlags: TraceFlags.SAMPLED,
        ...parent,
        ...(tracestate !== "" && { traceState: createTraceState(tracestate) }),
      })
    : ROOT_CONTEXT;
  const { name, kind, attributes } = described;
  const times = (ms: number): [number, number] => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1000) * 1000];
  const one = provider
    .getTracer("proxy", "1.2.3")
    .startSpan(name, { kind, attributes, startTime: times(startedAt) }, context);
  if (errorType !== undefined) one.setStatus({ code: SpanStatusCode.ERROR });
  one.end(times(endedAt));
  const text = Buffer.from(JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans())!).toString();
  return JSON.parse(text, (key, value) =>
    value === 0 || (key !== "attributes" && Array.isArray(value) && value.length === 0) ? undefined : value,
  );
}

test("a name that is no valid Unicode is sent as text that every collector can read", async () => {
  const cut = `${"x".repeat(199)}😀`;
  const spans = ["a\ud800b", cut].map((item) => spanOf({ subject: { request: { ...REQUEST, ...FROM, item } } }));

  const text = await spansDocument(RESOURCE, "1.2.3")(spans);

  assert.doesNotMatch(text, /\p{Cs}|\\ud[89a-f]/u);
  assert.match(text, /tools\/call a\ufffdb/);
});
