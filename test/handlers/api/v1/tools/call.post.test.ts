import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, test } from "node:test";
import { router } from "#handlers/router.ts";
import { TEST_KEY, testApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";

const ROUTE = "POST /api/v1/tools/call";
const program = { command: process.execPath, args: [resolve("test/programs/upstream-stdio.mjs"), "--name", "echo"] };
const app = await testApp({
  servers: [
    { name: "echo", ...program, trust_mode: "auto", max_concurrent_requests: 1, queue_size: 0 },
    { name: "shy", ...program, quarantined: true },
  ],
});
after(() => app.close());
await until(
  "the tools of both are known",
  () => app.catalog.get("echo:raw") !== undefined && app.catalog.get("shy:raw") !== undefined,
);

test("a call answers the tool's result in the envelope", async () => {
  const data = await call(app, ROUTE, { body: { tool_name: "echo:echo", arguments: { a: [1] } } });

  assert.deepEqual(JSON.parse(String(data.content?.[0]?.text)), { a: [1] });
});

test("an argument that is called what every object has arrives as any other", async () => {
  const args = { constructor: "Ferrari", prototype: 1, toString: [2] };
  const data = await call(app, ROUTE, { body: { tool_name: "echo:echo", arguments: args } });

  assert.deepEqual(JSON.parse(String(data.content?.[0]?.text)), args);
});

test("the tool's result keeps its own bytes", async () => {
  const json = '{"content":[],"structuredContent":{"big":12345678901234567890,"b":1.0,"a":"\\u00e9"}}';
  const handlers = router(app);
  const request = new Request("http://localhost/api/v1/tools/call", {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": TEST_KEY },
    body: JSON.stringify({ tool_name: "echo:raw", arguments: { json } }),
  });

  const response = await handlers.fetch(request, { listener: "tcp", remote: "127.0.0.1" });

  assert.equal(await response.text(), `{"success":true,"data":${json}}`);
  await handlers.close();
});

test("a result that the tool calls an error is an answer", async () => {
  const data = await call(app, ROUTE, { body: { tool_name: "echo:fail", arguments: { message: "no" } } });

  assert.equal(data.isError, true);
});

const REFUSED: [title: string, body: unknown, status: number, code: string][] = [
  ["an unknown tool", { tool_name: "echo:nothing" }, 404, "tool_not_found"],
  ["a quarantined server", { tool_name: "shy:echo" }, 403, "tool_blocked"],
  ["a JSON-RPC error of the server", { tool_name: "echo:rpc_error" }, 502, "upstream_failed"],
  ["no tool name", { arguments: {} }, 400, "invalid_request"],
  ["an empty tool name", { tool_name: "" }, 400, "invalid_request"],
  ["arguments that are no object", { tool_name: "echo:echo", arguments: [1] }, 400, "invalid_request"],
  ["no body", undefined, 400, "invalid_request"],
];
for (const [title, body, status, code] of REFUSED)
  test(`${title} gives ${status} ${code}`, async () => {
    const answer = await ask(app, ROUTE, { body });

    assert.deepEqual([answer.status, answer.body.code], [status, code]);
  });

test("nobody may call a tool without a credential", async () => {
  const { status } = await ask(app, ROUTE, { body: { tool_name: "echo:echo" }, as: "nobody" });

  assert.equal(status, 401);
});

test("a call beyond the server's limit and queue gives 429 with Retry-After", async () => {
  const slow = call(app, ROUTE, { body: { tool_name: "echo:slow", arguments: { ms: 300 } } });
  const { status, body, headers } = await ask(app, ROUTE, { body: { tool_name: "echo:echo" } });

  assert.deepEqual([status, body.code], [429, "queue_full"]);
  assert.ok(Number(headers.get("retry-after")) >= 1);
  await slow;
});
