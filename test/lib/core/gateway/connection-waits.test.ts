import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { callUpstreamTool } from "#lib/core/gateway/call.ts";
import { connectionWaits } from "#lib/core/gateway/connection-waits.ts";
import { FULL_SCOPE } from "#lib/core/schema/caller.ts";
import { quarantineServer } from "#lib/core/verbs/servers/enable.ts";
import { removeServer } from "#lib/core/verbs/servers/remove.ts";
import { preflightTools } from "#lib/core/verbs/tools/preflight.ts";
import { stop } from "#lib/daemon/stop.ts";
import { admin } from "#test/kit/actor.ts";
import type { TestOptions } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask } from "#test/kit/http.ts";
import { knowItems } from "#test/kit/items.ts";
import { jsonOf, type Served, serve, textOf, toolCall } from "#test/kit/mcp.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

/** An MCP server that answers a method, and what comes after it, only when the test lets it. */
async function gated(t: TestContext, method: "initialize" | "tools/list") {
  const held: (() => void)[] = [];
  let outcome: "closed" | "open" | "broken" = "closed";
  const answer = (message: { id?: number; method: string }, res: ServerResponse) => {
    if (outcome === "broken") return res.writeHead(400).end();
    const { id } = message;
    if (id === undefined) return res.writeHead(202).end();
    const result = RESULTS[message.method];
    const error = { code: -32601, message: "unknown method" };
    res.writeHead(200, { "content-type": "application/json" });
    res.end(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
  };
  const server = createServer(async (req: IncomingMessage, res) => {
    if (req.method !== "POST") return res.writeHead(405).end();
    const message = (await json(req)) as { id?: number; method: string };
    if (message.method === method && outcome === "closed") held.push(() => answer(message, res));
    else answer(message, res);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close().closeAllConnections());
  const end = (how: "open" | "broken") => {
    outcome = how;
    for (const release of held.splice(0)) release();
  };
  return {
    entry: { name: "up", url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, protocol: "http" },
    hasAsked: () => held.length > 0,
    open: () => end("open"),
    fail: () => end("broken"),
  } as const;
}

const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "gated", version: "1" },
  },
  "tools/list": {
    tools: [
      { name: "echo", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
      { name: "erase", inputSchema: { type: "object" }, annotations: { destructiveHint: true } },
    ],
  },
  "resources/read": { contents: [{ uri: "note://a", text: "hello" }] },
  "prompts/get": { messages: [{ role: "user", content: { type: "text", text: "hello" } }] },
  "tools/call": { content: [{ type: "text", text: "hello" }] },
  ping: {},
};

/** Starts a proxy whose server is connecting, or lists its tools, for the first time. */
async function starting(
  t: TestContext,
  {
    method = "initialize",
    entry,
    ...options
  }: { method?: "initialize" | "tools/list"; entry?: object } & TestOptions = {},
) {
  const gate = await gated(t, method);
  const server = { ...gate.entry, trust_mode: "auto" as const, ...entry };
  const off = { name: "other", command: "true", enabled: false };
  const served = await serve(t, { servers: [server, off], ...options });
  served.app.upstreams.start();
  await until("the server is asked", gate.hasAsked);
  return { ...served, gate, waits: served.app.part(connectionWaits) };
}

const request = (signal = new AbortController().signal) => ({ id: "up:echo", args: {}, signal });

/** Each returns the text of the tool's result, or of the refusal. */
const PATHS: Record<string, (served: Served, headers?: Record<string, string>) => Promise<string>> = {
  call_tool_read: async ({ post }, headers = {}) => {
    const { body } = await post(toolCall("call_tool_read", { name: "up:echo" }), { headers });
    return textOf(body.result);
  },
  direct: async ({ post }, headers = {}) => {
    const { body } = await post(toolCall("up__echo"), { path: "/mcp/all", headers });
    return body.error?.message ?? textOf(body.result);
  },
  exposed: async ({ post }, headers = {}) => {
    const { body } = await post(toolCall("up__echo"), { path: "/mcp/call", headers });
    return body.error?.message ?? textOf(body.result);
  },
  script: async ({ post }, headers = {}) => {
    const code = 'call_tool("up", "echo", {})';
    const { body } = await post(toolCall("code_execution", { code }), { path: "/mcp/code", headers });
    const { value } = jsonOf(body.result);
    return value.ok ? value.result.content[0].text : value.error.message;
  },
  rest: async ({ app }) => {
    const { body } = await ask(app, "POST /api/v1/tools/call", { body: { tool_name: "up:echo" } });
    return body.data?.content[0].text ?? body.error;
  },
};

for (const method of ["initialize", "tools/list"] as const)
  test(`a call that arrives before the first answer to ${method} is carried out after it, on every path`, async (t) => {
    const config = { expose: ["up:echo"], enable_code_execution: true };
    const served = await starting(t, { method, config });
    const calls = Object.entries(PATHS).map(async ([path, call]) => [path, await call(served)]);
    await until("all calls wait", () => served.waits.count === calls.length);

    served.gate.open();

    assert.deepEqual(
      await Promise.all(calls),
      Object.keys(PATHS).map((path) => [path, "hello"]),
    );
    assert.equal(served.waits.count, 0);
  });

test("a call that waited is judged again: by what the tool turns out to do, the caller may not call it", async (t) => {
  const { app, gate, waits } = await starting(t);
  const scope = { ...FULL_SCOPE, permissions: new Set(["read"] as const) };
  const reader = { ...admin, caller: { ...admin.caller, scope } };
  const call = callUpstreamTool(app, reader, { ...request(), id: "up:erase" });
  await until("it waits", () => waits.count === 1);

  gate.open();

  await assert.rejects(call, { code: "permission_denied" });
});

test("a prompt that was listed before the proxy was started again is answered once its server lists it", async (t) => {
  const { app, post, gate, waits } = await starting(t);
  const ask = { kind: "prompt", server: "up", name: "ask" } as const;
  const listNow = knowItems(app, [{ ...ask, present: false }]);
  const get = (name: string) => post({ jsonrpc: "2.0", id: 1, method: "prompts/get", params: { name } });
  const ref = { type: "ref/prompt", name: "up__ask" };
  const complete = { ref, argument: { name: "who", value: "" } };
  const reply = get("up__ask");
  await until("it waits", () => waits.count === 1);

  assert.match((await get("up__other")).body.error.message, /unknown prompt/);
  const { body } = await post({ jsonrpc: "2.0", id: 2, method: "completion/complete", params: complete });
  assert.deepEqual(body.result.completion.values, []);
  listNow([ask]);
  gate.open();

  assert.equal((await reply).body.result.messages[0].content.text, "hello");
});

for (const [title, item, method, params] of [
  ["a prompt, by the name that its server uses,", { kind: "prompt", name: "ask" }, "prompts/get", { name: "ask" }],
  ["a resource", { kind: "resource", name: "note://a" }, "resources/read", { uri: "via://up/note://a" }],
  [
    "a resource, by the URI that its server uses,",
    { kind: "resource", name: "note://a" },
    "resources/read",
    { uri: "note://a" },
  ],
  ["a template, by a URI of it,", { kind: "template", name: "note://{id}" }, "resources/read", { uri: "note://a" }],
] as const)
  test(`${title} that was listed before the proxy was started again is answered once its server lists it`, async (t) => {
    const { app, post, gate, waits } = await starting(t);
    const listNow = knowItems(app, [{ ...item, server: "up", present: false }]);
    const reply = post({ jsonrpc: "2.0", id: 1, method, params });
    await until("it waits", () => waits.count === 1);

    listNow([{ ...item, server: "up" }]);
    gate.open();

    const { result } = (await reply).body;
    assert.equal((result.messages?.[0].content ?? result.contents[0]).text, "hello");
  });

test("a tool that the server turns out not to have is unknown after the wait", async (t) => {
  const { post, gate, waits } = await starting(t);
  const call = post(toolCall("up__other"), { path: "/mcp/all" });
  await until("it waits", () => waits.count === 1);

  gate.open();

  assert.match((await call).body.error.message, /Unknown tool: up__other/);
});

const ENDS: readonly { title: string; code: string; end(at: Awaited<ReturnType<typeof starting>>): unknown }[] = [
  { title: "the attempt fails", code: "server_not_ready", end: ({ gate }) => gate.fail() },
  { title: "the server is quarantined", code: "tool_blocked", end: ({ app }) => quarantineServer(app, "up", admin) },
  { title: "the server is removed", code: "tool_not_found", end: ({ app }) => removeServer(app, "up", admin) },
  {
    title: "the server is disabled",
    code: "tool_blocked",
    end: ({ app }) =>
      app.config.update((draft) => {
        draft.mcpServers[0]!.enabled = false;
      }, "test"),
  },
];

for (const { title, code, end } of ENDS)
  test(`a call stops waiting when ${title}`, async (t) => {
    // The clock stands still, so no timer ends the wait.
    const served = await starting(t, { clock: handClock() });
    const call = callUpstreamTool(served.app, admin, request());
    const direct = PATHS.direct!(served);
    await until("both wait", () => served.waits.count === 2);

    await end(served);

    await assert.rejects(call, { code });
    assert.doesNotMatch(await direct, /hello/);
    assert.equal(served.waits.count, 0);
  });

test("a call stops waiting when the proxy stops, before what answers requests is closed", async (t) => {
  const { app, waits } = await starting(t, { clock: handClock() });
  const call = assert.rejects(callUpstreamTool(app, admin, request()), { code: "server_not_ready" });
  await until("it waits", () => waits.count === 1);

  let leftAtEnd: number | undefined;
  const router = {
    async close() {
      leftAtEnd = waits.count;
    },
  };

  await stop({ app, router }, "test");

  await call;
  assert.equal(leftAtEnd, 0);
});

test("a call stops waiting when its client cancels it, and is recorded as cancelled", async (t) => {
  const { app, waits } = await starting(t);
  const control = new AbortController();
  const call = callUpstreamTool(app, admin, request(control.signal));
  await until("it waits", () => waits.count === 1);

  control.abort();

  await assert.rejects(call, { code: "cancelled" });
  assert.equal(waits.count, 0);
  await until("the record", async () => {
    const { records } = await app.store.activity.select({ type: ["tool_call"], tool: "echo" }, { limit: 9 });
    return records.length === 1;
  });
});

for (const [limit, ms] of [
  [undefined, 15_000],
  ["2s", 2000],
] as const)
  test(`a call waits ${ms} ms at most if its timeout is ${limit ?? "the usual one"}`, async (t) => {
    const clock = handClock();
    const { app, waits } = await starting(t, { clock, entry: limit ? { call_tool_timeout: limit } : {} });
    const call = assert.rejects(callUpstreamTool(app, admin, request()), {
      code: "server_not_ready",
      message: /"up" is connecting/,
    });
    await until("it waits", () => waits.count === 1);

    await clock.advance(ms - 1);
    assert.equal(waits.count, 1);
    await clock.advance(1);

    await call;
  });

test("only so many calls wait for one server; others are answered at once", async (t) => {
  const { app, gate, waits } = await starting(t);
  const calls = Array.from({ length: 100 }, () => callUpstreamTool(app, admin, request()));
  await until("they wait", () => waits.count === 100);

  await assert.rejects(callUpstreamTool(app, admin, request()), { code: "server_not_ready" });

  gate.open();
  assert.equal((await Promise.all(calls)).length, 100);
});

test("a check does not wait: it says that the server is starting", async (t) => {
  const { app, waits } = await starting(t, { clock: handClock() });

  const { verdict, tools } = await preflightTools(app, admin, {
    tools: [{ id: "up:echo" }],
    tier: "admin",
    signal: new AbortController().signal,
  });

  assert.deepEqual(
    [verdict, tools[0]?.reason, tools[0]?.retryable],
    ["degraded_retryable", "server_initializing", true],
  );
  assert.equal(waits.count, 0);
});

test("a caller who may not see the server does not wait, so the time reveals nothing", async (t) => {
  const served = await starting(t, { clock: handClock(), config: { enable_code_execution: true } });
  const key = await issue(served.app, { allowed_servers: ["other"], permissions: ["read"] });

  for (const path of ["call_tool_read", "direct", "script"])
    assert.match(await PATHS[path]!(served, { "x-api-key": key }), /unknown tool|not found/i);
  assert.equal(served.waits.count, 0);
});
