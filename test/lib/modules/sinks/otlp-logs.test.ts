import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { otlpLogs } from "#lib/modules/sinks/otlp-logs.ts";
import type { SinkRecord } from "#lib/modules/sinks/sink-record.ts";
import { recordSinks } from "#lib/modules/sinks/state.ts";
import { testApp } from "#test/kit/app.ts";
import { startReceiver } from "#test/kit/receiver.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

const PYTHON = process.env.TEST_PYTHON_OTLP;
const skip = PYTHON
  ? false
  : "NOT RUN: set TEST_PYTHON_OTLP=$(test/python/install.sh otlp python), the package opentelemetry-proto";

/** Reads a request with the classes that OpenTelemetry generates from its protocol, and prints what they understood. */
const READ = `
import json, sys
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
request = Parse(sys.stdin.read(), ExportLogsServiceRequest())
out = []
for resource in request.resource_logs:
    service = {a.key: a.value.string_value for a in resource.resource.attributes}
    for scope in resource.scope_logs:
        for log in scope.log_records:
            out.append({
                "service": service["service.name"], "time": log.time_unix_nano, "severity": log.severity_number,
                "text": log.severity_text, "event": log.event_name, "body": log.body.string_value,
                "attributes": {a.key: a.value.string_value for a in log.attributes},
            })
print(json.dumps(out))
`;

const record = (own: Partial<SinkRecord> = {}): SinkRecord => ({
  kind: "activity",
  id: "r1",
  at: 1_700_000_000_123,
  type: "tool_call",
  status: "success",
  line: '{"id":"r1","server_name":"git","tool_name":"log","session_id":""}',
  ...own,
});

test("the classes of OpenTelemetry read the records", { skip }, () => {
  const body = otlpLogs(
    [record(), record({ kind: "audit", id: "audit-7", type: "authz", status: "deny", line: "{}" })],
    {
      version: "1.2.3",
      now: 1_700_000_000_500,
    },
  );

  const { stdout, stderr } = spawnSync(PYTHON!, ["-c", READ], { input: body, encoding: "utf8" });

  assert.equal(stderr, "");
  assert.deepEqual(JSON.parse(stdout), [
    {
      service: "proxy",
      time: 1_700_000_000_123_000_000,
      severity: 9,
      text: "INFO",
      event: "proxy.activity.tool_call",
      body: record().line,
      attributes: { "log.record.uid": "r1", "proxy.server": "git", "gen_ai.tool.name": "log" },
    },
    {
      service: "proxy",
      time: 1_700_000_000_123_000_000,
      severity: 13,
      text: "WARN",
      event: "proxy.audit.authz",
      body: "{}",
      attributes: { "log.record.uid": "audit-7" },
    },
  ]);
});

test("records are posted to the collector's path for logs; those that it rejects are set aside", async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = ({ body }) => ({
    status: 200,
    body: body.includes("bad") ? '{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"no"}}' : "{}",
  });
  const app = await testApp({
    config: {
      outbound_allow: ["127.0.0.1"],
      sinks: [{ name: "otel", type: "otlp", url: receiver.url, headers: { "X-Key": "k" } }],
    },
  });
  t.after(() => app.close());
  await until("the sink begins", () => app.store.meta.get("sinks/otel") !== undefined);

  await Promise.all(["a", "bad", "c"].map((id) => app.store.activity.add(activityRecord({ id }))));
  await until("the rejected", async () => (await app.part(recordSinks).list())[0]!.rejected === 1);
  await until("the rest", async () => (await app.part(recordSinks).list())[0]!.waiting === 0);

  assert.deepEqual([receiver.requests[0]!.path, receiver.requests[0]!.headers["x-key"]], ["/v1/logs", "k"]);
  assert.ok(receiver.requests.some(({ body }) => body.includes('\\"id\\":\\"c\\"')));
});

test("a name that is no valid Unicode is sent as text that every collector can read", () => {
  const line = JSON.stringify({ id: "r1", tool_name: "a\ud800b" });

  const { resourceLogs } = JSON.parse(otlpLogs([record({ line })], { version: "1.2.3", now: 1 }));

  const [{ attributes, body }] = resourceLogs[0].scopeLogs[0].logRecords;
  assert.equal(attributes[1].value.stringValue, "a\ufffdb");
  assert.equal(body.stringValue, line);
});
