import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { traffic } from "#lib/core/extension/traffic.ts";
import { metrics } from "#lib/modules/metrics/state.ts";
import { otlp } from "#lib/modules/otlp/state.ts";
import { recordSinks } from "#lib/modules/sinks/state.ts";
import { freePort } from "#test/kit/free-port.ts";
import { serve } from "#test/kit/mcp.ts";
import { startReceiver } from "#test/kit/receiver.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";
import { startCollector } from "./collector.ts";

const program = process.env.TEST_OTEL_COLLECTOR ?? "";
const skip = existsSync(program)
  ? false
  : "no OpenTelemetry Collector: TEST_OTEL_COLLECTOR=$(test/go/install.sh collector) npm test";

const W3C = new W3CTraceContextPropagator();

/** Starts an OpenTelemetry Collector that sends everything on to `to`. */
async function startRealCollector(t: TestContext, to: string) {
  const dir = mkdtempSync(join(tmpdir(), "collector-"));
  const port = await freePort();
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: {
      otlphttp: { endpoint: to, encoding: "json", compression: "none" },
    },
    service: {
      telemetry: { metrics: { level: "none" } },
      pipelines: {
        traces: { receivers: ["otlp"], exporters: ["otlphttp"] },
        metrics: { receivers: ["otlp"], exporters: ["otlphttp"] },
        logs: { receivers: ["otlp"], exporters: ["otlphttp"] },
      },
    },
  };
  // Every JSON document is a YAML document.
  const path = join(dir, "config.yaml");
  writeFileSync(path, JSON.stringify(config));
  const child = spawn(program, [`--config=file:${path}`], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const ended = new Promise((done) => child.on("exit", done));
  t.after(async () => {
    child.kill();
    await ended;
    rmSync(dir, { recursive: true, force: true });
  });
  await until("the collector", () => {
    assert.equal(child.exitCode, null, output);
    return output.includes("Everything is ready");
  });
  return { url: `http://127.0.0.1:${port}` };
}

/** Makes the spans of another program with OpenTelemetry's SDK and sends them to a collector. */
function otherProgram(name: string, url: string) {
  const sent: Promise<unknown>[] = [];
  const exporter = {
    export(spans: Parameters<typeof JsonTraceSerializer.serializeRequest>[0]) {
      const body = Buffer.from(JsonTraceSerializer.serializeRequest(spans)!);
      sent.push(fetch(`${url}/v1/traces`, { method: "POST", headers: { "content-type": "application/json" }, body }));
    },
    shutdown: async () => {},
  };
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter as never)] });
  const tracer = provider.getTracer(name);
  return {
    begin(span: string, kind: SpanKind, parent: Context) {
      const begun = tracer.startSpan(span, { kind }, parent);
      const meta: Record<string, string> = {};
      W3C.inject(trace.setSpan(parent, begun), meta, defaultTextMapSetter);
      return { meta, end: () => begun.end() };
    },
    settled: () => Promise.all(sent),
  };
}

test("an OpenTelemetry Collector has one trace of client, proxy and server", { skip }, async (t) => {
  const behind = await startCollector(t);
  const collector = await startRealCollector(t, behind.url);
  const entry = {
    name: "up",
    trust_mode: "auto" as const,
    command: process.execPath,
    args: ["test/programs/upstream-sdk.mjs", "2", "stdio", "modern"],
  };
  const config = { otlp: { endpoint: collector.url, metrics: false } };
  const { app, post } = await serve(t, {
    servers: [entry],
    connect: true,
    config,
    env: { OTEL_BSP_SCHEDULE_DELAY: "50" },
  });
  await until("tracing", () => app.part(traffic).tracer !== undefined);
  const client = otherProgram("client", collector.url);
  const server = otherProgram("server", collector.url);

  const root = client.begin("answer a question", SpanKind.CLIENT, ROOT_CONTEXT);
  const params = { name: "up__hi", arguments: {}, _meta: root.meta };
  const { body } = await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, { path: "/mcp/all" });
  const context = W3C.extract(ROOT_CONTEXT, body.result._meta["test/received"], defaultTextMapGetter);
  server.begin("hi", SpanKind.SERVER, context).end();
  root.end();
  await Promise.all([client.settled(), server.settled()]);

  await until("the spans", () => behind.spans.length >= 4);
  const byName = new Map(behind.spans.map((span) => [span.name, span]));
  const chain = ["answer a question", "tools/call up__hi", "tools/call hi", "hi"].map((name) => byName.get(name)!);
  assert.equal(new Set(chain.map(({ traceId }) => traceId)).size, 1);
  for (const [i, { parentSpanId }] of chain.entries()) assert.equal(parentSpanId || undefined, chain[i - 1]?.spanId);
});

test("an OpenTelemetry Collector accepts all metrics, and passes them on as they were", { skip }, async (t) => {
  const behind = await startCollector(t);
  const collector = await startRealCollector(t, behind.url);
  const config = { otlp: { endpoint: collector.url, traces: false, metrics_interval: "1s" } };
  const { app, post } = await serve(t, { connect: true, config });
  await until("measuring", () => app.part(metrics).collector() !== undefined);
  for (let i = 0; i < 3; i++) await post({ jsonrpc: "2.0", id: 1, method: "ping" });

  await until("the metrics", () => behind.bodies.metrics.at(-1)?.includes('"mcp.server.operation.duration"') ?? false);

  const [status] = app.part(otlp).status();
  assert.equal(status?.lost, 0);
  const [{ resource, scopeMetrics }] = JSON.parse(behind.bodies.metrics.at(-1)!).resourceMetrics;
  assert.ok(resource.attributes.some(({ key }: { key: string }) => key === "service.instance.id"));
  const passed: { name: string; unit?: string; histogram?: { dataPoints: { count: string }[] } }[] =
    scopeMetrics[0].metrics;
  const operations = passed.find(({ name }) => name === "mcp.server.operation.duration")!;
  assert.equal(operations.unit, "s");
  assert.equal(operations.histogram?.dataPoints[0]?.count, "3");
  assert.ok(passed.length >= 20, `${passed.length} metrics`);
});

test("an OpenTelemetry Collector accepts the records of a sink as logs, and passes them on", { skip }, async (t) => {
  const behind = await startReceiver(t);
  const collector = await startRealCollector(t, behind.url);
  const config = {
    outbound_allow: ["127.0.0.1"],
    sinks: [{ name: "logs", type: "otlp", url: collector.url }],
  };
  const { app } = await serve(t, { connect: true, config });
  await until("the sink begins", () => app.store.meta.get("sinks/logs") !== undefined);
  await app.store.activity.add(activityRecord({ id: "a", server_name: "git", status: "error" }));

  const logs = () =>
    behind.requests
      .filter(({ path }) => path === "/v1/logs")
      .flatMap(({ body }) => JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords)
      .filter(({ eventName }) => eventName === "proxy.activity.tool_call");
  await until("the record", () => logs().length > 0);

  const [{ severityText, body, attributes }] = logs();
  assert.deepEqual([severityText, JSON.parse(body.stringValue).id], ["ERROR", "a"]);
  assert.ok(attributes.some(({ key, value }: Attribute) => key === "proxy.server" && value.stringValue === "git"));
  await until("the acknowledgement", async () => (await app.part(recordSinks).list())[0]!.waiting === 0);
});

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

test("by Prometheus's own rules, the metrics that are sent have the names of /metrics", { skip }, async (t) => {
  const collector = await startCollector(t);
  const config = {
    otlp: { endpoint: collector.url, traces: false, metrics_interval: "1s" },
    metrics: { enabled: true },
  };
  const { app, post } = await serve(t, { connect: true, config });
  await until("measuring", () => app.part(metrics).collector() !== undefined);
  await post({ jsonrpc: "2.0", id: 1, method: "ping" });
  await until("a message that counts the one before", () =>
    Boolean(collector.bodies.metrics.at(-1)?.includes('"mcp.proxy.otlp.sent"')),
  );

  const input = collector.bodies.metrics.at(-1)!;
  const { status, stdout, stderr } = spawnSync(program, ["names"], { input, encoding: "utf8" });

  assert.equal(status, 0, stderr);
  const names = stdout.trim().split("\n").sort();
  const text = await app.part(metrics).text();
  const shown = [...text.matchAll(/^# TYPE (\S+) (?=(?:.*\n)(\S+))/gm)].filter(([, name, next]) =>
    next!.startsWith(name!),
  );
  assert.deepEqual(names, shown.map(([, name]) => name).sort());
});
