import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { tools } from "#handlers/mcp.gen.ts";
import { traffic } from "#lib/core/extension/traffic.ts";
import { serveStdio } from "#lib/daemon/stdio.ts";
import { otlp } from "#lib/modules/otlp/state.ts";
import { TEST_KEY, testApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/era.ts";
import { INITIALIZE, jsonOf, program, ready, serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { startProgram } from "#test/kit/upstream.ts";
import { type ReceivedSpan, startCollector } from "./collector.ts";
import { received, traced } from "./traced.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const SERVER = 2;
const CLIENT = 3;

const spanOf = (spans: readonly ReceivedSpan[], kind: number) => {
  const found = spans.filter((span) => span.kind === kind);
  assert.equal(found.length, 1, JSON.stringify(spans));
  return found[0]!;
};

interface Sent {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

const CONTEXT: Sent = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "vendor=a", baggage: "user=7" };

/** Servers of both official SDKs, with the protocol version that each speaks. */
const UPSTREAMS = [
  ["1", "stdio", "both"],
  ["1", "http", "both"],
  ["2", "stdio", "modern"],
  ["2", "http", "modern"],
] as const;

for (const [sdk, transport, versions] of UPSTREAMS)
  for (const version of ["2025", "2026"] as const)
    for (const place of ["_meta", "headers"] as const)
      test(`one trace: ${version} client with ${place}, proxy, server of SDK ${sdk} over ${transport}`, async (t) => {
        const entry = await upstreamEntry(sdk, transport, versions);
        const served = await traced(t, { servers: [entry] });
        const call = {
          name: "up__hi",
          arguments: {},
          ...(place === "_meta" && { _meta: { ...CONTEXT, "test/other": 1 } }),
        };
        const headers = place === "headers" ? { ...CONTEXT } : {};

        const { body } =
          version === "2026"
            ? await ask(served, "tools/call", call, { headers })
            : await served.post(
                { jsonrpc: "2.0", id: 7, method: "tools/call", params: call },
                { path: "/mcp/all", headers },
              );

        const sent = body.result._meta["test/received"];
        const spans = await received(served);
        const server = spanOf(spans, SERVER);
        const client = spanOf(spans, CLIENT);
        assert.deepEqual([server.traceId, client.traceId], [TRACE, TRACE]);
        assert.equal(server.parentSpanId, PARENT);
        assert.equal(client.parentSpanId, server.spanId);
        assert.equal(sent.traceparent, `00-${TRACE}-${client.spanId}-01`);
        assert.equal(sent.tracestate, "vendor=a");
        assert.equal(sent.baggage, "user=7");
        assert.equal(sent["test/other"], place === "_meta" ? 1 : undefined);
        assert.equal(server.name, "tools/call up__hi");
        assert.equal(client.name, "tools/call hi");
        assert.equal(server.attributes["mcp.protocol.version"], version === "2026" ? "2026-07-28" : undefined);
        assert.equal(client.attributes["mcp.proxy.server"], "up");
        assert.equal(client.attributes["gen_ai.operation.name"], "execute_tool");
      });

async function upstreamEntry(sdk: string, transport: "stdio" | "http", versions: string) {
  const common = { name: "up", trust_mode: "auto" as const };
  if (transport === "stdio")
    return { ...common, command: process.execPath, args: ["test/programs/upstream-sdk.mjs", sdk, transport, versions] };
  const { url } = await startProgram("upstream-sdk.mjs", sdk, transport, versions);
  return { ...common, url, protocol: "streamable-http" as const };
}

test("a script is the parent of its calls", async (t) => {
  const served = await traced(t, { servers: [program("up")], config: { enable_code_execution: true } });
  const code = `call_tools([{ server: "up", tool: "echo" }, { server: "up", tool: "echo" }]).length`;

  const done = await served.post(toolCall("code_execution", { code }));

  assert.equal(jsonOf(done.body.result).value, 2);
  const spans = await received(served);
  const server = spanOf(spans, SERVER);
  const calls = spans.filter(({ kind }) => kind === CLIENT);
  assert.equal(server.name, "tools/call code_execution");
  assert.deepEqual(
    calls.map(({ name, traceId, parentSpanId }) => [name, traceId, parentSpanId]),
    Array.from({ length: 2 }, () => ["tools/call echo", server.traceId, server.spanId]),
  );
});

test("an error has its type and no text; a tool's own error is not one of the protocol", async (t) => {
  const served = await traced(t, { servers: [program("up")] });

  await served.post(toolCall("call_tool_read", { name: "up:fail", args: { message: "sentinel-1" } }));
  await served.post(toolCall("call_tool_read", { name: "up:rpc_error", args: { message: "sentinel-2" } }));
  await served.post({ jsonrpc: "2.0", id: 9, method: "attack/4711" });

  const spans = await received(served);
  const errors = (kind: number) =>
    spans
      .filter((span) => span.kind === kind)
      .map(({ attributes, status }) => [attributes["error.type"], attributes["rpc.response.status_code"], status]);
  const failed = { code: 2 };
  assert.deepEqual(errors(CLIENT), [
    ["tool_error", undefined, failed],
    ["-32099", "-32099", failed],
  ]);
  assert.deepEqual(errors(SERVER), [
    ["tool_error", undefined, failed],
    ["-32099", "-32099", failed],
    ["-32601", "-32601", failed],
  ]);
  assert.doesNotMatch(
    served.collector.bodies.traces.join(),
    /sentinel|attack/,
    "no argument, no result, no unknown method",
  );
});

test("the client's decision not to record is passed on, and the ratio applies to new traces", async (t) => {
  const entry = await upstreamEntry("1", "stdio", "both");
  const served = await traced(t, { servers: [entry] }, { sample_ratio: 0 });
  const call = async (traceparent?: string) => {
    const params = { name: "up__hi", arguments: {}, ...(traceparent && { _meta: { traceparent } }) };
    const { body } = await served.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, { path: "/mcp/all" });
    return body.result._meta["test/received"].traceparent as string;
  };

  const unsampled = await call(`00-${TRACE}-${PARENT}-00`);
  const fresh = await call();
  const invalid = await call("00-a-b-01");
  const sampled = await call(`00-${TRACE}-${PARENT}-01`);

  assert.match(unsampled, new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
  assert.doesNotMatch(unsampled, new RegExp(PARENT));
  for (const own of [fresh, invalid]) assert.match(own, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  assert.match(sampled, new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  const spans = await received(served);
  assert.deepEqual([...new Set(spans.map(({ traceId }) => traceId))], [TRACE]);
});

test("without an endpoint, the client's trace context is forwarded as it is", async (t) => {
  const served = await serve(t, { servers: [await upstreamEntry("1", "stdio", "both")], connect: true });
  const params = { name: "up__hi", arguments: {}, _meta: { traceparent: "00-a-b-01" } };

  const { body } = await served.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, { path: "/mcp/all" });

  assert.deepEqual(body.result._meta["test/received"], { traceparent: "00-a-b-01" });
  assert.equal(served.app.part(traffic).tracer, undefined);
  assert.deepEqual(served.app.part(otlp).status(), []);
});

test("the environment gives the endpoint, and headers may refer to secrets", async (t) => {
  const collector = await startCollector(t);
  const served = await serve(t, {
    connect: true,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=a%20b,authorization=overridden",
      COLLECTOR_TOKEN: "s3cret",
    },
    config: { otlp: { headers: { authorization: "Bearer ${env:COLLECTOR_TOKEN}" }, metrics: false } },
  });
  await until("tracing", () => served.app.part(traffic).tracer !== undefined);

  await served.post(toolCall("no_such_tool"));
  await served.app.config.update((draft) => {
    draft.otlp = { ...draft.otlp, sample_ratio: 0.5 };
  }, "test");

  await until("the spans", () => collector.spans.length > 0);
  assert.equal(collector.headers()[":path"], "/v1/traces");
  assert.equal(collector.headers().authorization, "Bearer s3cret");
  assert.equal(collector.headers()["x-tenant"], "a b");
});

const HEADERS = { "content-type": "application/json", "x-api-key": TEST_KEY, ...CONTEXT };

test("baggage in HTTP headers is inspected like `_meta`, because servers get it as that", async (t) => {
  const config = { sensitive_data_detection: { block_requests: "high" }, enable_code_execution: true };
  const served = await traced(t, { servers: [program("up")], config });
  const headers = { ...HEADERS, baggage: `key=ghp_${"a1B2c3D4e5F6".repeat(3)}` };
  const code = `call_tool("up", "echo", {}).error.code`;

  const call = await served.post(toolCall("call_tool_read", { name: "up:echo" }), { headers });
  const inScript = await served.post(toolCall("code_execution", { code }), { headers });
  const body = JSON.stringify({ tool_name: "up:echo", arguments: {} });
  const rest = await fetch(`${served.url}/api/v1/tools/call`, { method: "POST", headers, body });

  assert.match(call.text, /contain github_pat/);
  assert.equal(jsonOf(inScript.body.result).value, "TOOL_BLOCKED");
  assert.equal(rest.status, 403);
});

test("a call of the REST API has a span, which continues the trace of the HTTP headers", async (t) => {
  const served = await traced(t, { servers: [program("up")] });
  const body = JSON.stringify({ tool_name: "up:fail", arguments: { message: "sentinel" } });

  const response = await fetch(`${served.url}/api/v1/tools/call`, { method: "POST", headers: HEADERS, body });

  assert.equal(response.status, 200);
  const spans = await received(served);
  const server = spanOf(spans, SERVER);
  const client = spanOf(spans, CLIENT);
  assert.equal(server.name, "POST /api/v1/tools/call");
  assert.equal(server.attributes["http.route"], "/api/v1/tools/call");
  assert.equal(server.attributes["mcp.proxy.request_id"], response.headers.get("x-request-id"));
  assert.equal(server.attributes["error.type"], "tool_error");
  assert.deepEqual([server.traceId, server.parentSpanId], [TRACE, PARENT]);
  assert.deepEqual([client.traceId, client.parentSpanId], [TRACE, server.spanId]);
});

test("a script that throws is an error of the tool, over MCP and REST", async (t) => {
  const served = await traced(t, { config: { enable_code_execution: true } });
  const code = "throw new Error('sentinel')";

  await served.post(toolCall("code_execution", { code }));
  await served.post(toolCall("code_execution", { code, language: "cobol" }));
  await fetch(`${served.url}/api/v1/code/exec`, { method: "POST", headers: HEADERS, body: JSON.stringify({ code }) });

  const spans = await received(served);
  assert.deepEqual(
    spans.map(({ attributes }) => attributes["error.type"]),
    ["tool_error", "tool_error", "tool_error"],
  );
  assert.doesNotMatch(served.collector.bodies.traces.join(), /sentinel/);
});

test("a script of the REST API is the parent of its calls, and a refused one has the code of the error", async (t) => {
  const served = await traced(t, { servers: [program("up")], config: { enable_code_execution: true } });
  const run = (code: string) =>
    fetch(`${served.url}/api/v1/code/exec`, { method: "POST", headers: HEADERS, body: JSON.stringify({ code }) });

  await run(`call_tool("up", "echo", {}).ok`);
  await served.app.config.update((draft) => {
    draft.enable_code_execution = false;
  }, "test");
  await run("1");

  const spans = await received(served);
  const [script, refused] = spans.filter(({ kind }) => kind === SERVER);
  const call = spanOf(spans, CLIENT);
  assert.equal(script?.name, "POST /api/v1/code/exec");
  assert.deepEqual([script?.traceId, script?.parentSpanId], [TRACE, PARENT]);
  assert.deepEqual([call.traceId, call.parentSpanId], [TRACE, script?.spanId]);
  assert.equal(refused?.attributes["error.type"], "code_disabled");
});

test("a client on standard input has a trace, with the context of _meta", async (t) => {
  const collector = await startCollector(t);
  const app = await testApp({
    servers: [await upstreamEntry("1", "stdio", "both")],
    config: { otlp: { endpoint: collector.url, metrics: false } },
  });
  await ready(app, "up");
  await until("tracing", () => app.part(traffic).tracer !== undefined);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const over = serveStdio(app, { mode: "direct", tools, input, output });
  const lines = createInterface(output)[Symbol.asyncIterator]();
  const send = (message: object) => input.write(`${JSON.stringify(message)}\n`);

  send(INITIALIZE);
  await lines.next();
  const params = { name: "up__hi", arguments: {}, _meta: CONTEXT };
  send({ jsonrpc: "2.0", id: 2, method: "tools/call", params });
  const { result } = JSON.parse((await lines.next()).value);
  input.end();
  await over;
  await app.close();

  const server = collector.spans.find(({ name }) => name === "tools/call up__hi")!;
  const client = spanOf(collector.spans, CLIENT);
  assert.deepEqual([server.traceId, server.parentSpanId], [TRACE, PARENT]);
  assert.equal(server.attributes["network.transport"], "pipe");
  assert.equal(result._meta["test/received"].traceparent, `00-${TRACE}-${client.spanId}-01`);
  assert.equal(client.parentSpanId, server.spanId);
});
