import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { tools } from "#handlers/mcp.gen.ts";
import type { McpMode } from "#lib/core/mcp/mount.ts";
import { serveStdio } from "#lib/daemon/stdio.ts";
import { type TestOptions, testApp } from "#test/kit/app.ts";
import { newer } from "#test/kit/era.ts";
import { INITIALIZE, program, ready, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { startProgram } from "#test/kit/upstream.ts";

/** A proxy on a pair of streams, and what it has written so far. */
async function start(t: TestContext, mode: McpMode = "retrieve_tools", options: TestOptions = {}) {
  const app = await testApp({ connect: false, ...options });
  if (options.connect) for (const { name } of options.servers ?? []) await ready(app, name);
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = "";
  output.on("data", (chunk) => {
    text += chunk;
  });
  const over = serveStdio(app, { mode, tools, input, output });
  t.after(async () => {
    input.destroy();
    await over;
    await app.close();
  });
  const lines = () => text.split("\n").filter((line) => line !== "");
  const messages = () => lines().map((line) => JSON.parse(line));
  return {
    app,
    input,
    over,
    messages,
    send: (message: unknown) => input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
    async answer(id: unknown) {
      await until(`the answer to ${id}`, () => messages().some((m) => m.id === id));
      return messages().find((m) => m.id === id);
    },
  };
}

test("one message a line is answered by one message a line", async (t) => {
  const { send, answer, messages } = await start(t);
  send(INITIALIZE);
  assert.equal((await answer(1)).result.serverInfo.name, "proxy");
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  send("");
  send({ jsonrpc: "2.0", id: "p", method: "ping" });
  send({ jsonrpc: "2.0", id: "l", method: "tools/list" });
  assert.deepEqual((await answer("p")).result, {});
  assert.ok((await answer("l")).result.tools.length > 3);
  assert.equal(messages().length, 3);
});

test("a line that is no message is answered with an error, and the next one is heard", async (t) => {
  const { send, input, answer, messages } = await start(t);
  send("{");
  send("7");
  input.write(`${"x".repeat(17 * 1024 * 1024)}\n`);
  send({ jsonrpc: "2.0", id: "p", method: "ping" });
  await answer("p");
  assert.deepEqual(
    messages()
      .map((m) => String(m.error?.code ?? m.id))
      .sort(),
    ["-32600", "-32700", "-32700", "p"],
  );
});

test("at the end of input what was asked is still answered, and the session ends", async (t) => {
  const { app, input, over, messages } = await start(t, "direct", { servers: [program("up")], connect: true });
  input.end(`${JSON.stringify(INITIALIZE)}\n${JSON.stringify(toolCall("up__slow", { ms: 150 }, 2))}\n`);
  await over;
  // Lists of prompts and resources may have been announced meanwhile.
  assert.deepEqual(
    messages().flatMap((m) => (m.id === undefined ? [] : [m.id])),
    [1, 2],
  );
  const { sessions } = await app.store.sessions.page({}, 5, 0);
  assert.deepEqual(
    sessions.map((s) => [s.status, s.tool_calls]),
    [["closed", 1]],
  );
});

test("input that ends without being closed, as a file does, ends the session", async () => {
  const app = await testApp({ connect: false });
  const [input, output] = [new PassThrough({ autoDestroy: false }), new PassThrough()];
  const over = serveStdio(app, { mode: "direct", tools, input, output });

  input.end(`${JSON.stringify(INITIALIZE)}\n`);

  await over;
  assert.match(String(output.read()), /"serverInfo"/);
  await app.close();
});

test("an answer stays on its line, whatever line breaks its upstream sent", async (t) => {
  const upstream = await startProgram("upstream-http.mjs");
  t.after(() => upstream.kill());
  const { send, answer } = await start(t, "direct", {
    servers: [{ name: "up", url: upstream.url, trust_mode: "auto" }],
    connect: true,
  });
  send(toolCall("up__raw", { json: '{"content":[\n{"type":"text",\r\n"text":"a\\nb"}\n]\n}' }, 2));
  assert.deepEqual((await answer(2)).result, { content: [{ type: "text", text: "a\nb" }] });
});

test("progress and list changes go out as lines of their own, and a cancellation is heard", async (t) => {
  const { send, answer, messages, app } = await start(t, "direct", { servers: [program("up")], connect: true });
  send(INITIALIZE);
  await answer(1);
  const progress = toolCall("up__progress", { steps: 2 }, 2);
  send({ ...progress, params: { ...progress.params, _meta: { progressToken: "p" } } });
  await answer(2);
  assert.deepEqual(
    messages().flatMap((m) => (m.method === "notifications/progress" ? [m.params.progress] : [])),
    [1, 2],
  );

  let slow = false;
  app.events.subscribe(({ kind, data }) => {
    slow ||= kind === "activity.tool_call.started" && "tool_name" in data && data.tool_name === "slow";
  });
  send(toolCall("up__slow", { ms: 60_000 }, 3));
  await until("it is under way", () => slow);
  send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } });
  const cancelled = async (id: number) => {
    send(toolCall("up__stats", {}, id));
    return JSON.parse((await answer(id)).result.content[0].text).cancelled;
  };
  let id = 100;
  await until("the upstream heard of it", async () => (await cancelled(id++)) === 1);

  send(toolCall("up__mutate", {}, 4));
  await until("the change is told", () => messages().some((m) => m.method === "notifications/tools/list_changed"));
});

test("a cancellation that arrives together with its large request is heard", async (t) => {
  const { input, send, answer, app } = await start(t, "direct", { servers: [program("up")], connect: true });
  send(INITIALIZE);
  await answer(1);
  const large = toolCall("up__slow", { ms: 60_000, padding: "x".repeat(300_000) }, 2);
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
  const ping = { jsonrpc: "2.0", id: 3, method: "ping" };

  input.write([large, cancel, ping].map((message) => `${JSON.stringify(message)}\n`).join(""));

  await answer(3);
  await until(
    "the call has ended",
    async () => (await app.store.activity.select({ tool: "slow" }, { limit: 1 })).records.length > 0,
  );
});

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

test("a request of revision 2026-07-28 needs no opening, and stands beside those of an older session", async (t) => {
  const { send, answer, messages } = await start(t);

  send(newer("server/discover", {}, "d").message);
  assert.equal((await answer("d")).result.supportedVersions[0], "2026-07-28");
  send(INITIALIZE);
  assert.equal((await answer(1)).result.protocolVersion, "2025-11-25");
  send(newer("tools/list", {}, "n").message);
  send({ jsonrpc: "2.0", id: "o", method: "tools/list" });
  const [later, older] = [(await answer("n")).result, (await answer("o")).result];
  assert.deepEqual([later.resultType, later.cacheScope, older.resultType], ["complete", "private", undefined]);
  assert.deepEqual(later.tools, older.tools);
  send(newer("ping", {}, "p").message);
  assert.equal((await answer("p")).error.code, -32601);
  send(newer("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "v9" } }, "v").message);
  assert.equal((await answer("v")).error.code, -32022);
  // A notification is not answered, not even with a refusal.
  const { id: _, ...note } = newer("x", { _meta: { "io.modelcontextprotocol/protocolVersion": "v9" } }).message;
  send(note);
  send(newer("server/discover", {}, "last").message);
  await answer("last");
  assert.equal(messages().length, 7);
});

test("2026-07-28: a call, a subscription and a question run beside each other, each ended by its id", async (t) => {
  const servers = [program("up"), program("new", "--era", "modern")];
  const { app, send, answer, messages } = await start(t, "direct", { servers, connect: true });
  const told = (id: string) => messages().filter((m) => m.params?._meta?.[SUBSCRIPTION] === id);
  const call = (name: string, args: object, id: string, more: object = {}) =>
    send(newer("tools/call", { name, arguments: args, ...more }, id).message);

  send(newer("subscriptions/listen", { notifications: { toolsListChanged: true } }, "a").message);
  send(newer("subscriptions/listen", { notifications: { toolsListChanged: true } }, "b").message);
  await until("both are confirmed", () => told("a").length + told("b").length === 2);
  send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } });
  const question = { _meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } } };
  call("new__ask", {}, "q", question);
  const { inputRequests, requestState } = (await answer("q")).result;
  assert.deepEqual(Object.keys(inputRequests), ["name"]);
  const inputResponses = { name: { action: "accept", content: { name: "Ada" } } };
  call("new__ask", {}, "q2", { ...question, inputResponses, requestState });
  assert.equal((await answer("q2")).result.content[0].text, "hello Ada state=opaque-1");

  call("up__mutate", {}, "m");
  await until("the change is told", () => told("b").length === 2);
  assert.deepEqual(
    told("b").map((m) => m.method),
    ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"],
  );
  assert.equal(told("a").length, 1);

  let slow = false;
  app.events.subscribe(({ kind, data }) => {
    slow ||= kind === "activity.tool_call.started" && "tool_name" in data && data.tool_name === "slow";
  });
  call("up__slow", { ms: 60_000 }, "s");
  await until("it is under way", () => slow);
  send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "s" } });
  let asked = 0;
  await until("the upstream heard of it", async () => {
    const id = `stats ${asked++}`;
    call("up__stats", {}, id);
    return JSON.parse((await answer(id)).result.content[0].text).cancelled === 1;
  });
  assert.ok(!messages().some((m) => m.id === "s" || m.id === "a"));
});

test("2026-07-28: at the end of input subscriptions end at once, with a word", async (t) => {
  const { input, over, messages } = await start(t);
  input.end(
    `${JSON.stringify(newer("subscriptions/listen", { notifications: { toolsListChanged: true } }, "a").message)}\n`,
  );

  await over;

  assert.deepEqual(
    messages().map((m) => m.method ?? m.result.resultType),
    ["notifications/subscriptions/acknowledged", "complete"],
  );
});

test("whoever speaks here lifts no quarantine", async (t) => {
  const { app, send, answer } = await start(t, "retrieve_tools", {
    servers: [{ name: "git", command: "x", enabled: false, quarantined: true }],
  });
  send(toolCall("upstream_servers", { operation: "patch", name: "git", quarantined: false }, 2));
  assert.equal((await answer(2)).result.isError, true);
  assert.equal(app.config.server("git")?.quarantined, true);
});
