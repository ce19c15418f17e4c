import assert from "node:assert/strict";
import { test } from "node:test";
import { requestId } from "#lib/core/base/id.ts";
import { callUpstreamTool as callTool } from "#lib/core/gateway/call.ts";
import { type Actor, FULL_SCOPE } from "#lib/core/schema/caller.ts";
import type { EventOf } from "#lib/core/schema/event.ts";
import type { TestApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { program, serve, toolCall } from "#test/kit/mcp.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

const PAT = `ghp_${"aB3dE5gH7jK9".repeat(3)}`;
const RESULT = JSON.stringify({ content: [{ type: "text", text: `the token is ${PAT}` }] });
const HARMLESS = '{"content":[{"type":"text","text":"fine"}]}';

const by = (): Actor => ({
  caller: { tier: "admin", name: "tester", listener: "internal", scope: FULL_SCOPE },
  origin: { source: "mcp", requestId: requestId(undefined) },
});
const raw = (app: TestApp, json: string, more: object = {}) =>
  callTool(app, by(), { id: "up:raw", args: { json, ...more }, signal: new AbortController().signal });
const records = (app: TestApp, query: Record<string, string> = {}) =>
  call(app, "GET /api/v1/activity", { query: { type: "tool_call,policy_decision", ...query } });
/** Detection is on; what a call did with the texts is under test. */
const world = (config: object = {}) => ({
  servers: [program("up"), program("other")],
  connect: true,
  config: { ...config },
});

test("what a call held is noted with its record, told of, and found by filters, without the value", async (t) => {
  const { app } = await serve(t, world());
  const events: EventOf<"sensitive_data.detected">[] = [];
  app.events.subscribe((event) => void (event.kind === "sensitive_data.detected" && events.push(event)));

  const reply = await raw(app, RESULT, { path: "~/.ssh/id_rsa" });
  await raw(app, HARMLESS);

  assert.equal(reply.raw, RESULT);
  await until("both records", async () => (await records(app)).total === 2);
  const { activities } = await records(app, { sensitive_data: "true" });
  assert.equal(activities.length, 1);
  const [found] = activities;
  assert.deepEqual([found?.has_sensitive_data, found?.max_severity], [true, "critical"]);
  assert.deepEqual(found?.detection_types, ["github_pat", "ssh_private_key"]);
  assert.deepEqual((found!.metadata!.sensitive_data_detection as { detections: object[] }).detections, [
    {
      type: "github_pat",
      category: "api_token",
      severity: "critical",
      is_likely_example: false,
      location: "arguments",
    },
    {
      type: "ssh_private_key",
      category: "sensitive_file",
      severity: "critical",
      is_likely_example: false,
      location: "arguments",
    },
    { type: "github_pat", category: "api_token", severity: "critical", is_likely_example: false, location: "response" },
  ]);
  for (const [query, total] of [
    [{ sensitive_data: "false" }, 1],
    [{ detection_type: "github_pat" }, 1],
    [{ detection_type: "iban" }, 0],
    [{ severity: "critical" }, 1],
    [{ severity: "low" }, 0],
  ] as const)
    assert.equal((await records(app, query)).total, total, JSON.stringify(query));
  assert.equal((await ask(app, "GET /api/v1/activity?severity=terrible")).status, 400);
  assert.equal(events.length, 1);
  const [{ data }] = events as [EventOf<"sensitive_data.detected">];
  assert.deepEqual(
    [data.activity_id, data.server_name, data.detection_count, data.max_severity, data.detection_types],
    [found?.id, "up", 3, "critical", ["github_pat", "ssh_private_key"]],
  );
  const shown = [
    JSON.stringify(events),
    JSON.stringify(await call(app, "GET /api/v1/activity/{id}", { params: { id: found!.id } })),
  ];
  for (const text of shown) assert.ok(!text.includes(PAT));
});

test("a call through any path is looked at: variants, direct mode, REST and scripts", async (t) => {
  const { app, post } = await serve(t, world());
  const args = { json: HARMLESS, note: PAT };
  const intent = { operation_type: "read" };
  await post(toolCall("call_tool_read", { name: "up:raw", args, intent }), { path: "/mcp/call" });
  await post(toolCall("up__raw", args), { path: "/mcp/all" });
  await call(app, "POST /api/v1/tools/call", { body: { tool_name: "up:raw", arguments: args } });
  await ask(app, "POST /api/v1/code/exec", {
    body: { code: `call_tool("up", "raw", input)`, input: args },
  });
  await until(
    "four records",
    async () => (await records(app, { type: "tool_call", detection_type: "github_pat" })).total === 4,
  );
});

test("with block_requests a call with such arguments is refused on every path before its server sees it", async (t) => {
  const { app, post } = await serve(t, world({ sensitive_data_detection: { block_requests: "high" } }));
  const args = { json: HARMLESS, note: PAT };
  const calls = () => call(app, "POST /api/v1/tools/call", { body: { tool_name: "up:stats" } });
  const before = JSON.stringify(await calls());

  await assert.rejects(raw(app, HARMLESS, { note: PAT }), {
    code: "sensitive_arguments",
    message: /up:raw.*not called.*github_pat/,
  });
  const refused = await ask(app, "POST /api/v1/tools/call", { body: { tool_name: "up:raw", arguments: args } });
  assert.deepEqual([refused.status, refused.body.code], [403, "sensitive_arguments"]);
  const direct = await post(toolCall("up__raw", args), { path: "/mcp/all" });
  assert.equal(direct.body.result.isError, true);
  assert.match(direct.body.result.content[0].text, /its arguments contain github_pat/);
  const script = await ask(app, "POST /api/v1/code/exec", {
    body: { code: `call_tool("up", "raw", input).error.code`, input: args },
  });
  assert.match(JSON.stringify(script.body), /TOOL_BLOCKED/);

  assert.equal((await raw(app, HARMLESS, { note: "AKIAIOSFODNN7EXAMPLE" })).raw, HARMLESS);
  const { activities } = await records(app, { type: "policy_decision" });
  assert.equal(activities.length, 4);
  for (const one of activities) {
    assert.deepEqual(
      [one.status, one.metadata?.reason, one.detection_types],
      ["blocked", "sensitive_arguments", ["github_pat"]],
    );
    assert.ok(!JSON.stringify(one).includes(PAT));
  }
  assert.equal(counted(JSON.stringify(await calls())), counted(before) + 2);
});

/** How many calls the program has had, by its own count. */
function counted(stats: string): number {
  return Number(/calls\D+(\d+)/.exec(stats)?.[1]);
}

test("an answer is redacted or withheld as configured, and never leaves unredacted by any path", async (t) => {
  const { app, post } = await serve(
    t,
    world({ output_sanitisation: { response_action: "redact" }, activity_max_response_size: 100_000 }),
  );
  // Spelt so that only the answer holds it.
  const json = RESULT.replace("ghp_", "\\u0067hp_");
  const taken = '{"content":[{"type":"text","text":"the token is [REDACTED:api_token]"}]}';
  assert.equal((await raw(app, json)).raw, taken);
  const direct = await post(toolCall("up__raw", { json }), { path: "/mcp/all" });
  assert.ok(!direct.text.includes(PAT) && direct.text.includes("[REDACTED:api_token]"));
  assert.equal((await raw(app, '{"n":1.50,"big":12345678901234567890}')).raw, '{"n":1.50,"big":12345678901234567890}');
  await until("the records", async () => (await records(app)).total === 3);
  for (const record of (await app.store.activity.select({ type: ["tool_call"] }, { limit: 10 })).records)
    assert.ok(!record.response?.includes(PAT));
});

test("an answer with something critical is withheld where the configuration says so", async (t) => {
  const { app } = await serve(t, world({ output_sanitisation: { response_action: "block" } }));
  await assert.rejects(raw(app, RESULT.replace("ghp_", "\\u0067hp_")), {
    code: "output_blocked",
    message: /^tool output blocked by sanitisation policy: .*github_pat/,
  });
  assert.equal((await raw(app, HARMLESS)).raw, HARMLESS);
  await until("the records", async () => (await records(app)).total === 2);
  const [record] = (await app.store.activity.select({ status: "blocked" }, { limit: 1 })).records;
  assert.equal(record?.response, undefined);
  assert.deepEqual(record?.detection_types, ["github_pat"]);
});

test("texts of untrusted tools are framed by lines that no text can forge, where that is asked for", async (t) => {
  const { app } = await serve(
    t,
    world({ output_sanitisation: { spotlight_untrusted: true, strip_control_chars: true } }),
  );
  const text = async () =>
    ((await raw(app, '{"content":[{"type":"text","text":"a\\u200bb"}]}')).result.content as { text: string }[])[0]!
      .text;
  const [one, other] = [await text(), await text()];
  assert.match(one, /^\[output of up:raw, untrusted ([0-9a-f]{12}): .*\]\nab\n\[end of untrusted \1\]$/);
  assert.notEqual(one, other);
});

test("with detection off nothing is looked for", async (t) => {
  const { app } = await serve(t, world({ sensitive_data_detection: { enabled: false } }));
  await raw(app, RESULT);
  await until("the record", async () => (await records(app)).total === 1);
  assert.equal((await records(app, { sensitive_data: "true" })).total, 0);
});

test("what was found at a server out of scope is as unknown as the call", async (t) => {
  const { app, url } = await serve(t, world());
  const token = await issue(app, { name: "scoped", allowed_servers: ["other"] });
  await raw(app, RESULT);
  await until("the record", async () => (await records(app)).total === 1);
  const seen = await ask(app, "GET /api/v1/activity?sensitive_data=true", { as: { "x-api-key": token } });
  assert.equal(seen.body.data.total, 0);
  const abort = new AbortController();
  const stream = await fetch(`${url}/events`, { headers: { "x-api-key": token }, signal: abort.signal });
  const reader = stream.body!.getReader();
  let text = "";
  await raw(app, RESULT);
  await callTool(app, by(), { id: "other:raw", args: { json: RESULT }, signal: abort.signal });
  while (!/sensitive_data\.detected[\s\S]*\n\n/.test(text))
    text += new TextDecoder().decode((await reader.read()).value);
  abort.abort();
  assert.ok(!text.includes('"up"') && text.includes('"other"') && !text.includes(PAT));
});
