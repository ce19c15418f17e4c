import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { TEST_KEY } from "#test/kit/app.ts";
import { INITIALIZE, serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const PING = { jsonrpc: "2.0", id: 9, method: "ping" };

test("the revision a client asks for is agreed on when it is known, else the newest is offered", async (t) => {
  const { post } = await serve(t);
  const rows = [
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2024-11-05"],
    ["1999-01-01", "2025-11-25"],
  ];
  for (const [asked, agreed] of rows) {
    const { status, body, headers } = await post({
      ...INITIALIZE,
      params: { ...INITIALIZE.params, protocolVersion: asked },
    });
    assert.equal(status, 200);
    assert.equal(body.result.protocolVersion, agreed);
    assert.match(headers.get("mcp-session-id") ?? "", /^[a-z0-9]{32}$/);
  }
});

test("initialize says who answers, what it offers and how it is used", async (t) => {
  const { post } = await serve(t);

  const { result } = (await post(INITIALIZE)).body;

  assert.deepEqual(result.capabilities, {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    completions: {},
    logging: {},
  });
  assert.equal(result.serverInfo.name, "proxy");
  assert.equal(result.serverInfo.version, "0.0.0-test");
  assert.match(result.instructions, /retrieve_tools/);
});

test("instructions of the configuration replace the built-in ones at once", async (t) => {
  const { app, post } = await serve(t);
  await app.config.update((draft) => {
    draft.instructions = "Just ask.";
  }, "test");
  assert.equal((await post(INITIALIZE)).body.result.instructions, "Just ask.");
});

test("each endpoint has its own instructions", async (t) => {
  const { post } = await serve(t);
  const texts = await Promise.all(
    ["/mcp/call", "/mcp/all", "/mcp/code"].map(
      async (path) => (await post(INITIALIZE, { path })).body.result.instructions,
    ),
  );
  assert.equal(new Set(texts).size, 3);
});

test("requests are answered as plain JSON with their own id and request id", async (t) => {
  const { post } = await serve(t);

  const answer = await post(PING, { headers: { "x-request-id": "mine-1" } });

  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { jsonrpc: "2.0", id: 9, result: {} });
  assert.equal(answer.headers.get("x-request-id"), "mine-1");
  assert.equal(Number(answer.headers.get("content-length")), answer.text.length);
});

test("methods that are not offered are unknown, and their absence from the capabilities is kept (spec 001 §7)", async (t) => {
  const { post } = await serve(t);
  for (const method of ["sampling/createMessage", "nope", "__proto__"]) {
    const { status, body } = await post({ jsonrpc: "2.0", id: "x", method });
    assert.equal(status, 200);
    assert.deepEqual([body.id, body.error.code], ["x", -32601], method);
  }
});

test("an unknown tool and malformed parameters are invalid params", async (t) => {
  const { post } = await serve(t);
  const rows = [
    { name: "nope" },
    { name: "__proto__" },
    { name: 7 },
    {},
    { name: "retrieve_tools", arguments: [] },
    { name: "retrieve_tools", arguments: "x" },
    { name: "retrieve_tools", arguments: {}, _meta: 1 },
  ];
  for (const params of rows) {
    const { status, body } = await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    assert.deepEqual([status, body.error?.code], [200, -32602], JSON.stringify(params));
  }
  const paged = await post({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor: "2" } });
  assert.equal(paged.body.error.code, -32602);
  const versionless = await post({ ...INITIALIZE, params: {} });
  assert.equal(versionless.body.error.code, -32602);
});

test("bytes that are no message are refused with 400 and a JSON-RPC error", async (t) => {
  const { post } = await serve(t);
  const rows: [string | Uint8Array, number, RegExp][] = [
    ["{", -32700, /Parse error/],
    ["", -32700, /Parse error/],
    [Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]), -32700, /UTF-8/],
    ["[".repeat(100_000), -32700, /nested/],
    [`{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`, -32700, /nested/],
    ["null", -32600, /object/],
    ["7", -32600, /object/],
    ['{"jsonrpc":"2.0","id":1}', -32600, /method/],
    ['{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600, /id/],
  ];
  for (const [message, code, text] of rows) {
    const { status, body } = await post(message);
    assert.deepEqual([status, body.error.code, body.jsonrpc], [400, code, "2.0"]);
    assert.match(body.error.message, text);
  }
});

test("a body that is too large is refused with 413, announced or not", async (t) => {
  const { post, url } = await serve(t);
  const large = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${"x".repeat(16 * 1024 * 1024)}"}}`;
  assert.equal((await post(large)).status, 413);

  const status = await new Promise((done, fail) => {
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const req = request(`${url}/mcp/call`, { method: "POST", headers }, (res) => {
      res.resume();
      done(res.statusCode);
    });
    req.on("error", fail);
    req.end(large);
  });
  assert.equal(status, 413);
  assert.equal((await post(PING)).status, 200);
});

test("a body must be said to be JSON, and an answer must be wanted as JSON or event stream", async (t) => {
  const { post } = await serve(t);
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
    assert.equal((await post(PING, { headers: { "content-type": type } })).status, 415);
  assert.equal((await post(PING, { headers: { "content-type": "Application/JSON; charset=utf-8" } })).status, 200);
  assert.equal((await post(PING, { headers: { "content-encoding": "gzip" } })).status, 415);
  assert.equal((await post(PING, { headers: { "content-encoding": "identity" } })).status, 200);
  assert.equal((await post(PING, { headers: { accept: "text/html" } })).status, 406);
  for (const accept of ["*/*", "application/*", "application/json", undefined])
    assert.equal((await post(PING, { headers: { accept } })).body?.id, 9);
  const stream = await post(PING, { headers: { accept: "text/event-stream" } });
  assert.equal(stream.headers.get("content-type"), "text/event-stream");
  assert.match(stream.text, /^event: message\ndata: \{.*"id":9.*\}\n\n$/);
});

test("a client without a session is served, and a session it claims must exist", async (t) => {
  const { post } = await serve(t);
  assert.equal((await post({ jsonrpc: "2.0", id: 1, method: "tools/list" })).status, 200);
  const stranger = await post(PING, { headers: { "mcp-session-id": "unknown" } });
  assert.deepEqual([stranger.status, stranger.body.id, stranger.body.error.code], [404, 9, -32001]);
});

test("a session belongs to its endpoint and to whoever opened it", async (t) => {
  const { post } = await serve(t);
  const open = async (path: string, headers = {}) =>
    (await post(INITIALIZE, { path, headers })).headers.get("mcp-session-id") ?? "";
  const mine = await open("/mcp/call");
  const theirs = await open("/mcp/call", { "x-api-key": TEST_KEY });

  const rows: [string, string, object, number][] = [
    ["/mcp/call", mine, {}, 200],
    ["/mcp", mine, {}, 200],
    ["/mcp/all", mine, {}, 404],
    ["/mcp/call", theirs, { "x-api-key": TEST_KEY }, 200],
    ["/mcp/call", theirs, {}, 404],
    ["/mcp/call", mine, { "x-api-key": TEST_KEY }, 404],
  ];
  for (const [path, id, headers, status] of rows)
    assert.equal((await post(PING, { path, headers: { "mcp-session-id": id, ...headers } })).status, status);
});

test("notifications and responses are taken with 202 and an empty body", async (t) => {
  const { post } = await serve(t);
  for (const message of [
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: {} } },
    { jsonrpc: "2.0", id: 1, result: {} },
  ]) {
    const { status, text } = await post(message);
    assert.deepEqual([status, text], [202, ""]);
  }
});

test("DELETE ends a session", async (t) => {
  const { post, url } = await serve(t);
  const id = (await post(INITIALIZE)).headers.get("mcp-session-id") ?? "";
  const end = (headers: Record<string, string>) => fetch(`${url}/mcp/call`, { method: "DELETE", headers });

  assert.equal((await end({})).status, 400);
  assert.equal((await end({ "mcp-session-id": id })).status, 200);
  assert.equal((await end({ "mcp-session-id": id })).status, 404);
  assert.equal((await post(PING, { headers: { "mcp-session-id": id } })).status, 404);
});

test("a revision that is not spoken is refused with the list of those that are", async (t) => {
  const { post } = await serve(t);

  const { status, body } = await post(PING, { headers: { "mcp-protocol-version": "2027-01-01" } });

  assert.equal(status, 400);
  assert.equal(body.id, 9);
  assert.equal(body.error.code, -32022);
  assert.equal(body.error.data.requested, "2027-01-01");
  assert.deepEqual(body.error.data.supported.slice(0, 2), ["2026-07-28", "2025-11-25"]);
  assert.equal((await post(PING, { headers: { "mcp-protocol-version": "2025-06-18" } })).status, 200);
  assert.equal((await post(INITIALIZE, { headers: { "mcp-protocol-version": "2026-07-28" } })).status, 200);
});

test("batches are part of revision 2025-03-26 only", async (t) => {
  const { post } = await serve(t);
  const batch = [PING, { jsonrpc: "2.0", method: "notifications/initialized" }, { id: 2, method: "nope" }, 7];

  const done = await post(batch, { headers: { "mcp-protocol-version": "2025-03-26" } });
  assert.equal(done.status, 200);
  assert.deepEqual(
    done.body.map((m: { id: unknown; error?: { code: number } }) => [m.id, m.error?.code]),
    [
      [9, undefined],
      [2, -32601],
      [null, -32600],
    ],
  );

  assert.equal((await post([{ jsonrpc: "2.0", method: "notifications/x" }])).status, 202);
  const refusals: [unknown[], string][] = [
    [batch, "2025-06-18"],
    [[], "2025-03-26"],
    [[INITIALIZE], "2025-03-26"],
    [Array(101).fill(PING), "2025-03-26"],
  ];
  for (const [messages, revision] of refusals) {
    const { status, body } = await post(messages, { headers: { "mcp-protocol-version": revision } });
    assert.deepEqual([status, body.error.code], [400, -32600]);
  }
});

test("GET opens a session's event stream and nothing else", async (t) => {
  const { post, url, app } = await serve(t);
  const id = (await post(INITIALIZE)).headers.get("mcp-session-id") ?? "";
  const get = (headers: Record<string, string>, signal?: AbortSignal) =>
    fetch(`${url}/mcp/call`, { headers: { accept: "text/event-stream", ...headers }, ...(signal && { signal }) });

  assert.equal((await get({})).status, 405);
  assert.equal((await get({ "mcp-session-id": "unknown" })).status, 404);
  assert.equal((await get({ "mcp-session-id": id, accept: "application/json" })).status, 406);
  assert.equal((await fetch(`${url}/mcp/call`, { method: "PUT" })).headers.get("allow"), "GET, POST, DELETE");
  assert.equal(app.boot.routingMode, "retrieve_tools");

  const leaving = new AbortController();
  const stream = await get({ "mcp-session-id": id }, leaving.signal);
  assert.equal(stream.status, 200);
  assert.equal(stream.headers.get("content-type"), "text/event-stream");
  leaving.abort();
});

test("a session's streams are bounded, and ending the session ends them", async (t) => {
  const { post, url } = await serve(t);
  const id = (await post(INITIALIZE)).headers.get("mcp-session-id") ?? "";
  const headers = { accept: "text/event-stream", "mcp-session-id": id };
  const open = async () => (await fetch(`${url}/mcp/call`, { headers })).body!.getReader();
  const streams = [];
  for (let i = 0; i < 5; i++) streams.push(await open());
  const over = async (reader: ReadableStreamDefaultReader<Uint8Array>) => {
    for (;;) if ((await reader.read()).done) return true;
  };

  assert.equal(await over(streams[0]!), true);
  await fetch(`${url}/mcp/call`, { method: "DELETE", headers });
  assert.deepEqual(await Promise.all(streams.slice(1).map(over)), [true, true, true, true]);
});

test("a message named like an object's own parts is data like any other", async (t) => {
  const { post } = await serve(t);
  const text =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"retrieve_tools","arguments":{"query":"x","__proto__":{"limit":0},"constructor":1},"_meta":{"__proto__":{"progressToken":1}}}}';
  const { status, body } = await post(text);
  assert.equal(status, 200);
  assert.match(body.result.content[0].text, /unknown parameter "(__proto__|constructor)"/);
});

verifies(
  "rest.session.handshake-only",
  "an idle client that only shook hands is not stored, one that called a tool is",
  async (t) => {
    const { app, post, url } = await serve(t);
    const open = async () => (await post(INITIALIZE)).headers.get("mcp-session-id") ?? "";
    const [idle, busy] = [await open(), await open()];
    await post(toolCall("retrieve_tools", { query: "x" }), { headers: { "mcp-session-id": busy } });
    await post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { headers: { "mcp-session-id": idle } });

    await until("the session is stored", async () => (await app.store.sessions.get(busy)) !== undefined);
    assert.equal(await app.store.sessions.get(idle), undefined);
    const stored = await app.store.sessions.get(busy);
    assert.deepEqual([stored?.status, stored?.client_name, stored?.mode], ["active", "raw", "retrieve_tools"]);
    for (const id of [idle, busy])
      await fetch(`${url}/mcp/call`, { method: "DELETE", headers: { "mcp-session-id": id } });
    await until("the session is closed", async () => (await app.store.sessions.get(busy))?.status === "closed");
    assert.equal(await app.store.sessions.get(idle), undefined);
  },
);
