import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { runBridge } from "#lib/client/bridge/run-bridge.ts";
import { listSessions } from "#lib/core/verbs/sessions/list.ts";
import { bridge, socketProxy } from "#test/kit/bridge.ts";
import { newer } from "#test/kit/era.ts";
import { INITIALIZE, jsonOf, program, toolCall } from "#test/kit/mcp.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

const READY = { jsonrpc: "2.0", method: "notifications/initialized" };
const call = (tool: string, args: object, id: string | number) =>
  toolCall("call_tool_read", { name: `up:${tool}`, args }, id);

test("a client of either generation gets what it would get over HTTP", async (t) => {
  const { target } = await socketProxy(t, { servers: [program("up")], connect: true });
  const { send, answer } = bridge(t, target);

  send(INITIALIZE);
  send(READY);
  send(call("echo", { text: "a\nb" }, "old"));
  send(newer("tools/call", { name: "call_tool_read", arguments: { name: "up:echo", args: { b: 2 } } }, "new").message);
  send(newer("server/discover", {}, 3).message);

  assert.equal((await answer(1)).result.protocolVersion, "2025-11-25");
  assert.deepEqual(jsonOf((await answer("old")).result), { text: "a\nb" });
  assert.deepEqual(jsonOf((await answer("new")).result), { b: 2 });
  assert.equal((await answer(3)).result.resultType, "complete");
});

test("without a token the client is nobody in particular, with one it has its rights, and never the socket's", async (t) => {
  const { app, target } = await socketProxy(t, {
    config: { require_mcp_auth: true },
    servers: [program("up"), program("other")],
  });
  const token = await issue(app, { allowed_servers: ["other"], permissions: ["read"] });
  const list = toolCall("upstream_servers", { operation: "list" }, 2);
  const release = toolCall("upstream_servers", { operation: "unquarantine", name: "up" }, 3);
  const key = (value: string) => ({ ...target, headers: { ...target.headers, "x-api-key": value } });

  const names = (answer: { result: object }) => jsonOf(answer.result).servers.map(({ name }: { name: string }) => name);

  const plain = bridge(t, target);
  for (const message of [INITIALIZE, READY, list, release]) plain.send(message);
  assert.deepEqual(names(await plain.answer(2)), ["up", "other"]);
  assert.equal((await plain.answer(3)).result.isError, true);

  const scoped = bridge(t, key(token));
  for (const message of [INITIALIZE, READY, list]) scoped.send(message);
  assert.deepEqual(names(await scoped.answer(2)), ["other"]);

  const wrong = bridge(t, key("mcp_agt_00"));
  wrong.send(INITIALIZE);
  assert.match((await wrong.answer(1)).error.message, /token|credential/);
  wrong.input.end();
  assert.equal(await wrong.over, false);
});

test("large messages pass both ways", async (t) => {
  const { target } = await socketProxy(t, { servers: [program("up")], connect: true });
  const { send, answer } = bridge(t, target);
  const text = "é".repeat(6 * 1024 * 1024);

  for (const message of [INITIALIZE, READY, call("echo", { text }, 2)]) send(message);

  assert.equal(jsonOf((await answer(2)).result).text, text);
});

test("a cancelled call is cancelled at the server and not answered", async (t) => {
  const { app, target } = await socketProxy(t, { servers: [program("up")], connect: true });
  const { send, answer, messages } = bridge(t, target);
  const running = async () => (await app.store.activity.select({ type: ["tool_call"] }, { limit: 10 })).records.length;

  for (const message of [INITIALIZE, READY, call("slow", { ms: 60_000 }, "long")]) send(message);
  await answer(1);
  await new Promise((go) => setTimeout(go, 300));
  send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "long" } });
  send({ jsonrpc: "2.0", id: "after", method: "ping" });

  await answer("after");
  await until("the record of the cancelled call", async () => (await running()) === 1);
  assert.ok(!messages().some(({ id }) => id === "long"));
});

test("a request waits for a proxy that starts, and gets an error with the remedy when none does", async (t) => {
  const proxy = await socketProxy(t);
  await proxy.stop();
  const patient = bridge(t, proxy.target, 20_000);
  const hasty = bridge(t, proxy.target, 0);

  hasty.send(INITIALIZE);
  hasty.send({ jsonrpc: "2.0", id: "x", method: "tools/list" });
  for (const id of [1, "x"]) {
    const { error } = await hasty.answer(id);
    assert.match(error.message, /no proxy is running at .*proxy up/);
    assert.deepEqual(error.data, { code: "daemon_not_running" });
  }
  hasty.input.end();
  assert.equal(await hasty.over, false);

  patient.send(INITIALIZE);
  await until("the failed attempt", () => patient.notes.length > 0);
  await proxy.start();
  assert.equal((await patient.answer(1)).result.serverInfo.name, "proxy");
  patient.input.end();
  assert.equal(await patient.over, true);
});

test("after a restart the client goes on with a new session, hears that lists may differ, and nothing is answered twice", async (t) => {
  const proxy = await socketProxy(t, { servers: [program("up")], connect: true });
  const { send, answer, messages, notes } = bridge(t, proxy.target, 20_000);
  for (const message of [INITIALIZE, READY, call("slow", { ms: 60_000 }, "lost")]) send(message);
  await answer(1);
  await new Promise((go) => setTimeout(go, 300));

  await proxy.stop();
  const lost = await answer("lost");
  send(call("echo", { n: 1 }, "first"));
  await proxy.start();
  send(call("echo", { n: 2 }, "second"));

  assert.ok(lost.error ?? lost.result.isError, "the call that was under way ends with an error");
  assert.deepEqual(jsonOf((await answer("first")).result), { n: 1 });
  assert.deepEqual(jsonOf((await answer("second")).result), { n: 2 });
  await until("the lists are announced", () =>
    messages().some(({ method }) => method === "notifications/tools/list_changed"),
  );
  for (const id of [1, "lost", "first", "second"])
    assert.equal(messages().filter((m) => m.id === id).length, 1, String(id));
  assert.ok(notes.includes("the session was opened again"));
});

test("an idle client hears of changes after a restart, too", async (t) => {
  const proxy = await socketProxy(t, { servers: [program("up")], connect: true }, "/mcp/all");
  const { send, answer, messages, notes } = bridge(t, proxy.target, 20_000);
  for (const message of [INITIALIZE, READY]) send(message);
  await answer(1);

  await proxy.stop();
  await proxy.start();
  await until("the session is opened again", () => notes.includes("the session was opened again"));
  const before = messages().length;
  await new Promise((go) => setTimeout(go, 500));
  await proxy.app.config.update((draft) => {
    draft.mcpServers[0]!.disabled_tools = ["echo"];
  }, "test");

  await until("the change is announced", () =>
    messages()
      .slice(before)
      .some(({ method }) => method === "notifications/tools/list_changed"),
  );
});

test("a question of a server reaches the client, and its answer the server", async (t) => {
  const { target } = await socketProxy(t, { servers: [program("up")], connect: true });
  const { send, messages, answer } = bridge(t, target);
  const opening = { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { elicitation: {} } } };

  for (const message of [opening, READY, call("ask", { message: "Sure?" }, "asking")]) send(message);
  await until("the question", () => messages().some(({ method }) => method === "elicitation/create"));
  const question = messages().find(({ method }) => method === "elicitation/create");
  send({ jsonrpc: "2.0", id: question.id, result: { action: "accept", content: { ok: true } } });

  assert.match(JSON.stringify((await answer("asking")).result), /accept/);
});

test("what is no message is answered with an error, and a message that is too long is left out", async (t) => {
  const { target } = await socketProxy(t);
  const { send, input, messages, answer } = bridge(t, target);

  send("{");
  input.write(`${"x".repeat(17 * 1024 * 1024)}\n`);
  send(INITIALIZE);

  await answer(1);
  assert.deepEqual(
    messages()
      .filter(({ id }) => id === null)
      .map(({ error }) => error.code),
    [-32700, -32700],
  );
});

test("messages one after the other use one connection, and none is open at the end", async (t) => {
  let made = 0;
  let open = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json").end('{"jsonrpc":"2.0","id":1,"result":{}}');
    });
  }).on("connection", (socket) => {
    made++;
    open++;
    socket.on("close", () => open--);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const to = { url: new URL(`http://127.0.0.1:${port}`) };
  const { input, messages, over, send } = bridge(t, { to, path: "/mcp", headers: {} });

  for (let i = 1; i <= 5; i++) {
    send({ ...newer("tools/list").message, id: 1 });
    await until("it is answered", () => messages().length === i);
  }
  assert.deepEqual([made, open], [1, 1]);
  input.end();
  await over;

  await until("no connection is open", () => open === 0);
});

test("at the end of input the session ends, and calls under way are still answered", async (t) => {
  const { app, target } = await socketProxy(t, { servers: [program("up")], connect: true });
  const { send, input, over, answer } = bridge(t, target);

  for (const message of [INITIALIZE, READY, call("slow", { ms: 300 }, "late")]) send(message);
  input.end();

  assert.equal(await over, true);
  assert.equal((await answer("late")).result.isError, undefined);
  const { sessions } = await listSessions(app, {}, { limit: 10, offset: 0 });
  assert.deepEqual(
    sessions.map(({ client_name, status }) => [client_name, status]),
    [["raw", "closed"]],
  );
});

test("a bridge that is stopped ends although its client reads nothing", async (t) => {
  const result = { text: "x".repeat(17 * 1024 * 1024) };
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/event-stream");
    response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\n\n`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const to = { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) };
  const [input, output] = [new PassThrough(), new Writable({ write() {} })];
  const stopped = new AbortController();
  let isOver = false;
  const target = { to, path: "/mcp", headers: {} };
  void runBridge({ target, input, output, note() {}, signal: stopped.signal }).then(() => {
    isOver = true;
  });
  input.write(`${JSON.stringify({ ...newer("tools/list").message, id: 1 })}\n`);
  await until("the message waits for the client", () => output.writableLength > 17 * 1024 * 1024);

  stopped.abort();

  await until("the bridge has ended", () => isOver);
});

test("arguments that a tool wants repeated in headers are repeated for a client without headers", async (t) => {
  const servers = [program("up", "--era", "modern")];
  const { target } = await socketProxy(t, { servers, connect: true }, "/mcp/all");
  const { send, answer } = bridge(t, target);
  const inputSchema = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } };
  const ask = (method: string, params: Record<string, unknown>, id: string) => send(newer(method, params, id).message);

  ask("tools/call", { name: "up__add_tool", arguments: { name: "routed", inputSchema } }, "add");
  await answer("add");
  for (let i = 0, listed = false; !listed; i++) {
    ask("tools/list", {}, `list ${i}`);
    listed = JSON.stringify((await answer(`list ${i}`)).result).includes("up__routed");
  }
  ask("tools/call", { name: "up__routed", arguments: { region: "Zürich" } }, "call");

  assert.equal((await answer("call")).error, undefined);
});
