import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { type AnsweredRequest, type ObservedCall, traffic } from "#lib/core/extension/traffic.ts";
import { createInstruments } from "#lib/modules/metrics/instruments.ts";
import { metricSamples } from "#lib/modules/metrics/metric-samples.ts";
import { observeTraffic } from "#lib/modules/metrics/observe-traffic.ts";

/** Observes traffic of the servers "a" and "b". @returns the counts of a metric by its labels */
function observed() {
  const follow: ((next: object, previous: object) => void)[] = [];
  const observers = traffic.open({} as App);
  const config = { onChange: (listener: (typeof follow)[number]) => void follow.push(listener) };
  const app = { part: () => observers, config } as unknown as App;
  const instruments = createInstruments(true);
  observeTraffic(app, instruments, true);
  const servers = (...names: string[]) => ({ mcpServers: names.map((name) => ({ name })) });
  return {
    observers,
    remove: () => follow[0]!(servers("b"), servers("a", "b")),
    async counts(metric: string, ...labels: string[]) {
      const found: Record<string, number> = {};
      for (const { name, values } of await metricSamples(instruments))
        for (const { metricName, labels: of, value } of name === metric ? values : [])
          if (metricName === `${name}_count`)
            found[labels.map((label) => (of as Record<string, string>)[label]).join(" ")] = value;
      return found;
    },
  };
}

const call = (server: string, tool: string, errorType?: string): ObservedCall => ({
  method: "tools/call",
  server,
  tool,
  errorType,
  durationMs: 1,
});

test("calls are counted by server, tool and outcome in any order, and a removed server begins anew", async () => {
  const { observers, remove, counts } = observed();
  const calls = [call("a", "x"), call("a", "x"), call("a", "y"), call("b", "y"), call("b", "y", "tool_error")];
  const labels = ["server", "gen_ai_tool_name", "error_type"];

  for (const one of [...calls, ...calls, call("a", "x")]) observers.called(one);
  assert.deepEqual(await counts("mcp_client_operation_duration_seconds", ...labels), {
    "a x ": 5,
    "a y ": 2,
    "b y ": 2,
    "b y tool_error": 2,
  });

  remove();
  observers.called(call("a", "x"));
  assert.deepEqual(await counts("mcp_client_operation_duration_seconds", ...labels), {
    "a x ": 1,
    "b y ": 2,
    "b y tool_error": 2,
  });
});

test("requests are counted by method, version, transport and outcome in any order", async () => {
  const { observers, counts } = observed();
  const first: AnsweredRequest = {
    method: "tools/call",
    protocolVersion: "2025-06-18",
    listener: "tcp",
    durationMs: 2,
    upstreamMs: 1,
    errorType: undefined,
  };
  const requests = [
    first,
    { ...first, method: "ping", upstreamMs: undefined },
    { ...first, protocolVersion: "2025-11-25" },
    { ...first, listener: "stdio" as const },
    { ...first, errorType: "-32602" },
  ];

  for (const one of [...requests, first, ...requests]) observers.answered(one);

  assert.deepEqual(
    await counts(
      "mcp_server_operation_duration_seconds",
      "mcp_method_name",
      "mcp_protocol_version",
      "network_transport",
      "error_type",
    ),
    {
      "tools/call 2025-06-18 tcp ": 3,
      "ping 2025-06-18 tcp ": 2,
      "tools/call 2025-11-25 tcp ": 2,
      "tools/call 2025-06-18 pipe ": 2,
      "tools/call 2025-06-18 tcp -32602": 2,
    },
  );
  assert.deepEqual(await counts("mcp_proxy_hop_duration_seconds"), { "": 9 });
});
