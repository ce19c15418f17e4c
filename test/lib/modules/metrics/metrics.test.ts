import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { traffic } from "#lib/core/extension/traffic.ts";
import { upstreamCredentials } from "#lib/core/extension/upstream-credentials.ts";
import { metrics } from "#lib/modules/metrics/state.ts";
import { jsonOf, program, type Served, serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { type Sample, scraped, sumOf } from "./scraped.ts";

const ON = { metrics: { enabled: true }, activity_max_response_size: 1000 };

/** Serves a proxy that measures. */
async function measured(t: TestContext, options: Parameters<typeof serve>[1] = {}): Promise<Served> {
  const served = await serve(t, { config: ON, connect: true, ...options });
  await until("measuring", () => isMeasuring(served));
  return served;
}

const isMeasuring = ({ app }: Served) =>
  app
    .part(metrics)
    .text()
    .then(
      () => true,
      () => false,
    );

const calls = (samples: readonly Sample[], side: "server" | "client", labels: Record<string, string>) =>
  sumOf(samples, `mcp_${side}_operation_duration_seconds_count`, { mcp_method_name: "tools/call", ...labels });

const readTool = (id: string, args: object = {}) => toolCall("call_tool_read", { name: id, args });

test("a call is measured on both sides, and the difference is what the proxy adds", async (t) => {
  const served = await measured(t, { servers: [program("up")], connect: true });
  const { app, post } = served;

  for (let i = 0; i < 3; i++) assert.equal((await post(readTool("up:echo", { text: "sentinel-4711" }))).status, 200);

  const text = await app.part(metrics).text();
  const samples = await scraped(text);
  assert.equal(calls(samples, "server", { error_type: "", network_transport: "tcp" }), 3);
  assert.equal(calls(samples, "client", { error_type: "", server: "up" }), 3);
  assert.equal(sumOf(samples, "mcp_proxy_hop_duration_seconds_count", {}), 3);
  const [server, client, hop] = [
    sumOf(samples, "mcp_server_operation_duration_seconds_sum", { mcp_method_name: "tools/call" })!,
    sumOf(samples, "mcp_client_operation_duration_seconds_sum", { mcp_method_name: "tools/call" })!,
    sumOf(samples, "mcp_proxy_hop_duration_seconds_sum", {})!,
  ];
  assert.ok(Math.abs(server - client - hop) < 1e-9 && hop > 0 && client > 0, `${server} - ${client} = ${hop}`);
  assert.equal(sumOf(samples, "mcp_proxy_server_up", { server: "up" }), 1);
  assert.equal(sumOf(samples, "mcp_proxy_servers", { state: "ready" }), 1);
  assert.doesNotMatch(text, /sentinel|gen_ai_tool_name|echo/, "no argument, no result and no name of a tool");
});

test("errors of tools are counted apart from errors of the protocol and from rejected calls", async (t) => {
  const { app, post } = await measured(t, { servers: [program("up")], connect: true });

  await post(readTool("up:raw", { json: '{"content":[],"isError":true}' }));
  await post(readTool("up:none"));
  await post(toolCall("no_such_tool"));
  await post({ jsonrpc: "2.0", id: 9, method: "attack/4711" });

  const samples = await scraped(await app.part(metrics).text());
  assert.equal(calls(samples, "client", { error_type: "tool_error", server: "up" }), 1);
  assert.equal(calls(samples, "server", { error_type: "tool_error" }), 2, "of the tool, and of the proxy");
  assert.equal(calls(samples, "server", { error_type: "-32602" }), 1);
  assert.equal(
    sumOf(samples, "mcp_server_operation_duration_seconds_count", { mcp_method_name: "other", error_type: "-32601" }),
    1,
  );
  assert.equal(sumOf(samples, "mcp_proxy_calls_rejected_total", { reason: "not_found" }), 2);
});

test("tools are distinguished on request, in series that are limited and end with their server", async (t) => {
  const config = { metrics: { enabled: true, tool_labels: true } };
  const { app } = await measured(t, { config, servers: [{ name: 'a"b\\c', command: "none", enabled: false }] });
  const call = { method: "tools/call", durationMs: 1, errorType: undefined };
  const server = 'a"b\\c';

  for (let i = 0; i < 1000; i++) app.part(traffic).called({ ...call, server, tool: `t${i}\n"}` });
  const before = await scraped(await app.part(metrics).text());
  const names = new Set(before.filter(({ labels }) => labels.server === server).map((s) => s.labels.gen_ai_tool_name));
  await app.config.update((draft) => {
    draft.mcpServers = [];
  }, "test");
  const after = await scraped(await app.part(metrics).text());

  names.delete(undefined);
  assert.equal(names.size, 51, "fifty tools, and the others");
  assert.ok(names.has("other") && names.has('t0\n"}'));
  assert.equal(after.filter(({ labels }) => labels.server === server).length, 0);
});

test("measuring is switched on and off without a restart", async (t) => {
  const served = await serve(t, { connect: true });
  const { app } = served;
  const set = (enabled: boolean) =>
    app.config.update((draft) => {
      draft.metrics = { ...draft.metrics, enabled };
    }, "test");
  assert.equal(await isMeasuring(served), false);

  await set(true);
  await until("measuring", () => isMeasuring(served));
  await set(false);
  await until("no more measuring", async () => !(await isMeasuring(served)));

  await assert.rejects(app.part(metrics).text(), { code: "metrics_disabled" });
});

test("scripts that run, and those that wait for a sandbox, are counted", async (t) => {
  const config = { ...ON, enable_code_execution: true, code_execution_pool_size: 1 };
  const { app, post } = await measured(t, { config });
  const counts = async () => {
    const samples = await scraped(await app.part(metrics).text());
    return ["active", "waiting"].map((state) => sumOf(samples, `mcp_proxy_scripts_${state}`, {}));
  };
  assert.deepEqual(await counts(), [0, 0]);

  const scripts = [1, 2].map(() =>
    post(toolCall("code_execution", { code: "while (true) {}", options: { timeout_ms: 5000 } })),
  );
  await until("one runs and one waits", async () => (await counts()).join() === "1,1");
  await app.close();
  await Promise.allSettled(scripts);
});

test("a script and the database are measured", async (t) => {
  const config = { ...ON, enable_code_execution: true };
  const { app, post } = await measured(t, { config });

  const done = await post(toolCall("code_execution", { code: "1 + 1" }));
  assert.equal(jsonOf(done.body.result).ok, true);

  await until("the commit", async () => {
    const samples = await scraped(await app.part(metrics).text());
    return sumOf(samples, "mcp_proxy_store_commit_duration_seconds_count", {})! > 0;
  });
  const samples = await scraped(await app.part(metrics).text());
  assert.equal(sumOf(samples, "mcp_proxy_script_duration_seconds_count", { status: "success" }), 1);
  assert.equal(sumOf(samples, "mcp_proxy_hop_duration_seconds_count", {}), 0, "it called no server");
  for (const name of ["process_resident_memory_bytes", "process_cpu_seconds_total", "process_start_time_seconds"])
    assert.ok(sumOf(samples, name, {})! > 0, name);
  assert.ok(sumOf(samples, "nodejs_eventloop_lag_max_seconds", {})! >= 0);
});

test("what waits is measured: calls under way and in the queue, decisions, sign-ins", async (t) => {
  const servers = [
    { ...program("up"), max_concurrent_requests: 1, queue_size: 5 },
    { name: "new", command: "none", quarantined: true },
    { name: "web", url: "http://127.0.0.1:9/mcp", enabled: false },
  ];
  const { app, post } = await measured(t, { servers: servers.slice(0, 1), connect: true });
  await app.config.update((draft) => {
    draft.mcpServers = [...draft.mcpServers, ...(servers.slice(1) as typeof draft.mcpServers)];
  }, "test");
  const credentials = app.part(upstreamCredentials);
  const { status } = credentials;
  t.mock.method(credentials, "status", (name: string) => (name === "web" ? { state: "expired" } : status(name)));

  const calls = [1, 2, 3].map(() => post(readTool("up:slow", { ms: 1000 })));
  const value = async (name: string, labels: Record<string, string>) =>
    sumOf(await scraped(await app.part(metrics).text()), `mcp_proxy_${name}`, labels);
  await until("the queue", async () => (await value("calls_waiting", { server: "up" })) === 2);

  assert.equal(await value("calls_active", { server: "up" }), 1);
  assert.equal(await value("approvals_waiting", { kind: "server" }), 1);
  assert.equal(await value("approvals_waiting", { kind: "tool" }), 0);
  assert.equal(await value("sign_ins", { state: "expired" }), 1);
  assert.equal(await value("sign_ins", { state: "failed" }), 0);
  assert.equal(await value("servers", { state: "quarantined" }), 1);
  assert.ok((await value("tools", {}))! > 10);
  await Promise.all(calls);
  await until("no more calls", async () => (await value("calls_active", { server: "up" })) === 0);
});

test("renewals of tokens and calls with sensitive data are counted as they are reported", async (t) => {
  const { app } = await measured(t);
  const call = { server_name: "up", tool_name: "x", session_id: "", request_id: "r", source: "mcp" };
  app.events.publish("oauth.token_refreshed", { server_name: "up" });
  for (const _ of [1, 2]) app.events.publish("oauth.refresh_failed", { server_name: "up", error: "no" });
  const found = { ...call, activity_id: "a", detection_count: 2, max_severity: "high", detection_types: ["key"] };
  app.events.publish("sensitive_data.detected", found as never);

  const samples = await scraped(await app.part(metrics).text());
  assert.equal(sumOf(samples, "mcp_proxy_oauth_refreshes_total", { outcome: "success" }), 1);
  assert.equal(sumOf(samples, "mcp_proxy_oauth_refreshes_total", { outcome: "failure" }), 2);
  assert.equal(sumOf(samples, "mcp_proxy_sensitive_calls_total", { severity: "high" }), 1);
});
