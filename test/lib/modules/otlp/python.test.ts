import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { metrics } from "#lib/modules/metrics/state.ts";
import { program, serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { type Sample, scraped } from "../metrics/scraped.ts";
import { startCollector } from "./collector.ts";
import { received, traced } from "./traced.ts";

const python = process.env.TEST_PYTHON_OTLP ?? "python3";
const missing = spawnSync(python, ["-c", "import opentelemetry.proto_json"]).status !== 0;
const skip = missing
  ? `no package "opentelemetry-proto-json" in ${python}: TEST_PYTHON_OTLP=$(test/python/install.sh otlp python) npm test`
  : false;

/** Reads messages with OpenTelemetry's own package. */
function readByPython(kind: "traces" | "metrics", bodies: readonly string[]) {
  const input = bodies.map((body) => `${body}\n`).join("");
  const { status, stdout, stderr } = spawnSync(python, ["test/programs/read-otlp.py", kind], {
    input,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const SERVICE = { "service.name": "proxy", "service.version": "0.0.0-test" };

test("OpenTelemetry's own package reads all spans that are sent", { skip }, async (t) => {
  const served = await traced(t, { servers: [program("up")] });
  await served.post(toolCall("call_tool_read", { name: "up:echo", args: {} }));
  await served.post(toolCall("call_tool_read", { name: "up:fail", args: {} }));

  const spans = await received(served);

  assert.equal(spans.length, 4);
  assert.deepEqual(
    readByPython("traces", served.collector.bodies.traces),
    spans.map(({ traceId, spanId, parentSpanId = "", name, kind, attributes, status: { code = 0 } }) => {
      return { traceId, spanId, parentSpanId, name, kind, attributes, status: code, resource: SERVICE };
    }),
  );
});

/** A metric as the program in Python writes it. */
interface ReadMetric {
  readonly name: string;
  readonly unit: string;
  readonly type: "gauge" | "sum" | "histogram";
  readonly points: readonly {
    readonly attributes: Readonly<Record<string, string>>;
    readonly value?: number;
    readonly count?: number;
    readonly sum?: number;
    readonly buckets?: readonly number[];
    readonly bounds?: readonly number[];
    readonly start: number;
    readonly time: number;
  }[];
  readonly resource: object;
}

/** The name that a program which stores metrics in Prometheus gives to a metric of OpenTelemetry. */
function promName({ name, unit, type }: ReadMetric): string {
  const suffix = { s: "_seconds", By: "_bytes", "": "" }[unit];
  assert.notEqual(suffix, undefined, `unit "${unit}" of ${name}`);
  return `${name.replaceAll(".", "_")}${suffix}${type === "sum" ? "_total" : ""}`;
}

/** The lines of Prometheus's text format that a point stands for. */
function linesOf(metric: ReadMetric): [line: string, value: number][] {
  const name = promName(metric);
  return metric.points.flatMap((point): [string, number][] => {
    const labels = Object.entries(point.attributes).map(([key, value]) => [key.replaceAll(".", "_"), value] as const);
    const line = (end: string, more: readonly (readonly [string, string])[] = []) =>
      lineOf(name + end, Object.fromEntries([...labels, ...more]));
    if (metric.type !== "histogram") return [[line(""), point.value!]];
    let below = 0;
    const buckets = point.buckets!.map((count, i): [string, number] => {
      below += count;
      return [line("_bucket", [["le", i < point.bounds!.length ? String(point.bounds![i]) : "+Inf"]]), below];
    });
    return [...buckets, [line("_sum"), point.sum!], [line("_count"), point.count!]];
  });
}

function lineOf(name: string, labels: Readonly<Record<string, string | undefined>>): string {
  const shown = Object.entries(labels).filter(([, value]) => value !== "");
  return `${name}{${shown
    .map(([label, value]) => `${label}=${value}`)
    .sort()
    .join()}}`;
}

/** Metrics that differ between two readings. */
const MOVING = /^(?:process|nodejs|mcp_proxy_store|mcp_proxy_otlp)_/;

test("OpenTelemetry's own package reads the metrics that are sent, and they are those of /metrics", {
  skip,
}, async (t) => {
  const collector = await startCollector(t);
  const config = { metrics: { enabled: true, tool_labels: true }, otlp: { endpoint: collector.url, traces: false } };
  const { app, post } = await serve(t, { servers: [program("up")], connect: true, config });
  await until("measuring", () => app.part(metrics).collector() !== undefined);
  await post(toolCall("call_tool_read", { name: "up:echo", args: {} }));
  await post(toolCall("call_tool_read", { name: "up:fail", args: {} }));
  await post(toolCall("no_such_tool"));

  const samples = await scraped(await app.part(metrics).text());
  await app.config.update((draft) => {
    draft.otlp = { ...draft.otlp, endpoint: "" };
  }, "test");
  await until("the last message", () => collector.bodies.metrics.length > 0);

  const read: ReadMetric[] = readByPython("metrics", collector.bodies.metrics);
  const compared = (lines: readonly [string, number][]) => lines.filter(([line]) => !MOVING.test(line)).sort();
  const exported = compared(read.flatMap(linesOf));
  assert.deepEqual(exported, compared(samples.map(({ name, labels, value }: Sample) => [lineOf(name, labels), value])));
  assert.ok(exported.length > 100);
  for (const { name, points, type, resource } of read) {
    assert.deepEqual(resource, SERVICE, name);
    for (const { start, time } of points) {
      assert.ok(time > 1.7e18 && time < 4e18, name);
      if (type === "gauge") assert.equal(start, 0, name);
      else assert.ok(start > 1.7e18 && start <= time, name);
    }
  }
  const named = Object.fromEntries(read.map(({ name, unit, type }) => [name, `${type} ${unit}`]));
  // Names of OpenTelemetry's conventions for MCP.
  assert.equal(named["mcp.server.operation.duration"], "histogram s");
  assert.equal(named["mcp.client.operation.duration"], "histogram s");
  assert.equal(named["process.resident.memory"], "gauge By");
  assert.equal(named["process.cpu"], "sum s");
  const operations = read.find(({ name }) => name === "mcp.client.operation.duration")!;
  assert.deepEqual(
    operations.points
      .map(({ attributes }) => attributes)
      .sort((a, b) => (a["error.type"] ?? "").localeCompare(b["error.type"] ?? "")),
    [
      { server: "up", "mcp.method.name": "tools/call", "gen_ai.tool.name": "echo" },
      { server: "up", "mcp.method.name": "tools/call", "gen_ai.tool.name": "fail", "error.type": "tool_error" },
    ],
  );
});
