import assert from "node:assert/strict";
import { test } from "node:test";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { listSessions } from "#lib/core/verbs/sessions/list.ts";
import { revokeToken } from "#lib/core/verbs/tokens/revoke.ts";
import { handClock } from "#test/kit/clock.ts";
import { able, ask, ENVELOPE, listen, newer } from "#test/kit/era.ts";
import { frames } from "#test/kit/frames.ts";
import { INITIALIZE, program, serve, textOf, toolCall } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

const INFO = { name: "proxy", title: "MCP proxy", version: "0.0.0-test" };
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

test("server/discover says which revisions, what is offered, who answers and how it is used", async (t) => {
  const served = await serve(t);

  const { status, headers, body } = await ask(served, "server/discover", {}, { path: "/mcp/call" });

  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "application/json");
  assert.equal(headers.get("mcp-session-id"), null);
  const { instructions, ...rest } = body.result;
  assert.deepEqual(rest, {
    resultType: "complete",
    _meta: { [SERVER_INFO]: INFO },
    ttlMs: 300_000,
    cacheScope: "private",
    supportedVersions: REVISIONS,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
    },
  });
  assert.match(instructions, /retrieve_tools/);
});

test("each endpoint has its own instructions, and those of the configuration replace them", async (t) => {
  const served = await serve(t);
  const told = async (path: string) => (await ask(served, "server/discover", {}, { path })).body.result.instructions;
  const texts = await Promise.all(["/mcp/call", "/mcp/all", "/mcp/code"].map(told));
  assert.equal(new Set(texts).size, 3);

  await served.app.config.update((draft) => {
    draft.instructions = "Just ask.";
  }, "test");

  assert.equal(await told("/mcp"), "Just ask.");
});

test("a list is the older era's, marked as complete and for how long it is good for whom", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  for (const path of ["/mcp/call", "/mcp/all", "/mcp/code"]) {
    const older = await served.post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { path });

    const { tools, ...rest } = (await ask(served, "tools/list", {}, { path })).body.result;

    assert.deepEqual(tools, older.body.result.tools, path);
    assert.deepEqual(rest, {
      resultType: "complete",
      _meta: { [SERVER_INFO]: INFO, "proxy/servers": { up: "ready" } },
      ttlMs: 30_000,
      cacheScope: "private",
    });
  }
  assert.equal((await ask(served, "tools/list", { cursor: "2" })).body.error.code, -32602);
});

test("a result is passed on with its own bytes behind the mark that it is complete", async (t) => {
  const served = await serve(t, { servers: [program("up"), program("new", "--era", "modern")], connect: true });
  const meta = `"_meta":{"${SERVER_INFO}":${JSON.stringify(INFO)}}`;
  const rows: [raw: string, wanted: string][] = [
    [
      '{"content":[],"big":12345678901234567890}',
      `{"resultType":"complete",${meta},"content":[],"big":12345678901234567890}`,
    ],
    ['{ "content" : [ ] }', `{"resultType":"complete",${meta},"content" : [ ] }`],
    ['{"content":[],"_meta":{"own":1}}', '{"resultType":"complete","content":[],"_meta":{"own":1}}'],
    ["{ }", `{"resultType":"complete",${meta}}`],
    ['{"content":[],"resultType":"complete"}', '{"content":[],"resultType":"complete"}'],
  ];
  for (const [json, wanted] of rows) {
    const { text } = await ask(served, "tools/call", { name: "up__raw", arguments: { json } });
    assert.equal(text, `{"jsonrpc":"2.0","id":7,"result":${wanted}}`);
  }
  const { result } = (await ask(served, "tools/call", { name: "new__echo", arguments: { a: 1 } })).body;
  assert.deepEqual([result.resultType, textOf(result)], ["complete", '{"a":1}']);
});

test("what is no result of a known type is the upstream's failure", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  for (const json of ["[]", "7", '"x"', "null", '{"resultType":"task","taskId":"1"}', '{"resultType":7}']) {
    const { body } = await ask(served, "tools/call", { name: "up__raw", arguments: { json } });
    assert.equal(body.result.resultType, "complete", json);
    assert.equal(body.result.isError, true);
    assert.equal(body.result._meta["proxy/code"], "upstream_failed");
    assert.deepEqual(body.result._meta[SERVER_INFO], INFO);
  }
});

test("a tool's own failure, a refusal and an upstream's error are told as in the older era", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  for (const name of ["up__fail", "up__rpc_error", "nope"]) {
    const { body: older } = await served.post(toolCall(name), { path: "/mcp/all" });
    const { status, body } = await ask(served, "tools/call", { name, arguments: {} });

    assert.equal(status, 200);
    assert.deepEqual(body.error, older.error);
    assert.deepEqual(body.result?.content, older.result?.content);
    assert.equal(body.result?.isError, older.result?.isError);
  }
});

/** Changes to a request that fits, and what it is answered: status and code. */
const UNFIT: [says: string, headers: Record<string, string | undefined>, message: object, wanted: [number, number]][] =
  [
    ["no revision in the headers", { "mcp-protocol-version": undefined }, {}, [400, -32020]],
    ["another revision in the headers", { "mcp-protocol-version": "2025-11-25" }, {}, [400, -32020]],
    ["no method in the headers", { "mcp-method": undefined }, {}, [400, -32020]],
    ["another method in the headers", { "mcp-method": "tools/list" }, {}, [400, -32020]],
    ["no name in the headers", { "mcp-name": undefined }, {}, [400, -32020]],
    ["another name in the headers", { "mcp-name": "up__fail" }, {}, [400, -32020]],
    ["no metadata", {}, { params: { name: "up__echo" } }, [400, -32602]],
    ["no id that is one", {}, { id: null }, [400, -32600]],
    ["an unknown method", { "mcp-method": "no/such" }, { method: "no/such" }, [404, -32601]],
    ...["initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/list"].map(
      (method): (typeof UNFIT)[number] => [
        `${method}, which this era or this proxy has not`,
        { "mcp-method": method, "mcp-name": undefined },
        { method },
        [404, -32601],
      ],
    ),
  ];

for (const [says, headers, changes, wanted] of UNFIT)
  test(`a request that does not fit is refused with its own id: ${says}`, async (t) => {
    const { post } = await serve(t);
    const fit = newer("tools/call", { name: "up__echo", arguments: {} });

    const { status, body } = await post({ ...fit.message, ...changes }, { headers: { ...fit.headers, ...headers } });

    assert.deepEqual([status, body.error.code], wanted);
    assert.equal(body.id, "id" in changes ? null : 7);
  });

test("an unknown revision is answered with those that server/discover names", async (t) => {
  const { post } = await serve(t);
  const { message, headers } = newer("server/discover", { _meta: { "io.modelcontextprotocol/protocolVersion": "v9" } });

  const { status, body } = await post(message, { headers: { ...headers, "mcp-protocol-version": "v9" } });

  assert.equal(status, 400);
  assert.deepEqual(body.error.data, { supported: REVISIONS, requested: "v9" });
});

test("arguments that a tool's schema wants in headers are held against them, where the client could know", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  const inputSchema = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } };
  await served.post(toolCall("up__add_tool", { name: "routed", inputSchema }), { path: "/mcp/all" });
  await until("the new tool", () => served.app.catalog.get("up:routed")?.present === true);
  const call = (headers: Record<string, string>, region: string | null = "eu") =>
    ask(served, "tools/call", { name: "up__routed", arguments: { region } }, { headers });

  assert.equal((await call({ "mcp-param-region": "eu" })).status, 200);
  assert.equal((await call({}, null)).status, 200);
  for (const headers of [{}, { "mcp-param-region": "us" }, { "mcp-param-region": "=?base64?!?=" }] as const) {
    const { status, body } = await call(headers);
    assert.deepEqual([status, body.error.code, body.id], [400, -32020, 7]);
  }
  const older = await served.post(toolCall("up__routed", { region: "eu" }), { path: "/mcp/all" });
  assert.equal(older.body.result.isError, undefined);
  await served.app.config.update((draft) => {
    draft.direct_tool_response_mode = "deferred";
  }, "test");
  assert.equal((await call({})).status, 200);
});

test("there is no session: none is made, an id of one means nothing, and none is found by GET or DELETE", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  const opened = await served.post(INITIALIZE, { path: "/mcp/all" });
  const id = opened.headers.get("mcp-session-id")!;

  for (const headers of [{ "mcp-session-id": id }, { "mcp-session-id": "no-such" }]) {
    const { status, body } = await ask(served, "tools/call", { name: "up__echo", arguments: {} }, { headers });
    assert.deepEqual([status, body.result.resultType], [200, "complete"]);
  }
  for (const method of ["GET", "DELETE"]) {
    const headers = { "mcp-session-id": id, "mcp-protocol-version": "2026-07-28", accept: "text/event-stream" };
    const answer = await fetch(`${served.url}/mcp/all`, { method, headers });
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST"], method);
    await answer.body?.cancel();
  }
  const older = await served.post(toolCall("up__echo"), { path: "/mcp/all", headers: { "mcp-session-id": id } });
  assert.deepEqual([older.status, older.body.result.resultType], [200, undefined]);
});

test("a notification is taken, a batch that holds a request of this era is not", async (t) => {
  const { post } = await serve(t);
  const headers = { "mcp-protocol-version": "2026-07-28" };

  const note = await post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, { headers });
  const batch = await post([newer("tools/list").message], { headers: { "mcp-protocol-version": "2025-03-26" } });
  const both = await post([newer("tools/list").message], { headers });

  assert.deepEqual([note.status, note.text], [202, ""]);
  for (const { status, body } of [batch, both]) assert.deepEqual([status, body.error.code], [400, -32600]);
});

test("records name the client as each request does", async (t) => {
  const { app, ...served } = await serve(t, { servers: [program("up")], connect: true });
  await ask(served, "tools/call", { name: "up__echo", arguments: {} });

  const record = async () => (await app.store.activity.select({ type: ["tool_call"] }, { limit: 10 })).records[0];
  await until("the record", async () => (await record()) !== undefined);

  assert.deepEqual((await record())?.metadata, { client_name: "raw", client_version: "1", client_ip: "127.0.0.1" });
  assert.match((await record())?.session_id ?? "", /^client-\w+$/);
});

test("what a client says of itself stays with the proxy, the rest of its metadata goes on", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  const upstream = served.app.upstreams.get("up")!;
  const sent: unknown[] = [];
  const { start } = upstream;
  upstream.start = (method, params, options, receiver) => {
    sent.push(params._meta);
    start(method, params, options, receiver);
  };

  await ask(served, "tools/call", {
    name: "up__echo",
    arguments: {},
    _meta: { traceparent: "00-a-b-01", progressToken: 1 },
  });
  await ask(served, "tools/call", { name: "up__echo", arguments: {} });

  assert.deepEqual(sent, [{ traceparent: "00-a-b-01" }, undefined]);
});

test("progress comes on the request's own stream, before its answer", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });

  const { headers, text } = await ask(served, "tools/call", {
    name: "up__progress",
    arguments: { steps: 2, ms: 1 },
    _meta: { progressToken: "mine" },
  });

  assert.equal(headers.get("content-type"), "text/event-stream");
  assert.equal(headers.get("x-accel-buffering"), "no");
  const seen = frames(text).map(({ data }) => data);
  assert.deepEqual(
    seen.map(({ method, params, result }) => params?.progressToken ?? result?.resultType ?? method),
    ["mine", "mine", "complete"],
  );
});

test("a client that hangs up has cancelled", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  const started = new Promise<void>((done) => {
    served.app.events.subscribe(({ kind }) => kind === "activity.tool_call.started" && done());
  });
  const control = new AbortController();
  const slow = ask(served, "tools/call", { name: "up__slow", arguments: { ms: 60_000 } }, { signal: control.signal });
  await started;

  control.abort();

  await assert.rejects(slow);
  await until("the upstream heard of it", async () => {
    const { body } = await ask(served, "tools/call", { name: "up__stats", arguments: {} });
    return JSON.parse(textOf(body.result)).cancelled === 1;
  });
});

test("a question of an upstream is answered in another round, with the upstream's own state", async (t) => {
  const served = await serve(t, { servers: [program("new", "--era", "modern")], connect: true });
  const capable = able({ elicitation: {} });
  for (const [path, name, args] of [
    ["/mcp/all", "new__ask", {}],
    ["/mcp/call", "call_tool_read", { name: "new:ask", intent: { operation_type: "read" } }],
  ] as const) {
    const call = (more: object = {}) =>
      ask(served, "tools/call", { name, arguments: args, ...capable, ...more }, { path });

    const { result: question } = (await call()).body;
    assert.equal(question.resultType, "input_required");
    assert.equal(question.inputRequests.name.params.message, "[new] Your name?");
    assert.notEqual(question.requestState, "opaque-1");
    const { requestState } = question;
    const inputResponses = { name: { action: "accept", content: { name: "Ada" } } };
    const { result: answer } = (await call({ inputResponses, requestState })).body;

    assert.deepEqual([answer.resultType, textOf(answer)], ["complete", "hello Ada state=opaque-1"], path);
  }
});

test("a client that cannot be asked hears what it would need, in either era", async (t) => {
  const served = await serve(t, { servers: [program("new", "--era", "modern")], connect: true });

  const { status, body } = await ask(served, "tools/call", { name: "new__ask", arguments: {} });
  assert.deepEqual([status, body.error.code, body.id], [400, -32021, 7]);
  assert.deepEqual(body.error.data, { requiredCapabilities: { elicitation: {} } });

  const older = (await served.post(toolCall("new__ask"), { path: "/mcp/all" })).body.result;
  assert.equal(older._meta["proxy/code"], "upstream_failed");
  assert.match(textOf(older), /asks for input, and this caller cannot be asked/);
});

test("a state is taken from the caller it was given to, for the call it was given for, for half an hour", async (t) => {
  const clock = handClock();
  const served = await serve(t, { clock, servers: [program("new", "--era", "modern")], connect: true });
  const shown = shows(await issue(served.app, { name: "one" }));
  const other = shows(await issue(served.app, { name: "two" }));
  const capable = able({ elicitation: {} });
  const call = (headers: Record<string, string>, more: object = {}) =>
    ask(served, "tools/call", { name: "new__ask", arguments: {}, ...capable, ...more }, { headers });
  const { requestState } = (await call(shown)).body.result;
  const inputResponses = { name: { action: "accept", content: { name: "Ada" } } };
  const retry = { inputResponses, requestState };

  assert.match(textOf((await call(shown, retry)).body.result), /hello Ada/);
  const refused = [
    await call(other, retry),
    await call({}, retry),
    await call(shown, { ...retry, arguments: { another: 1 } }),
    await call(shown, { ...retry, requestState: `${requestState}A` }),
    await call(shown, { ...retry, requestState: 7 }),
    await call(shown, { inputResponses: { name: 7 } }),
    await call(shown, { inputResponses: null }),
  ];
  for (const [i, { status, body }] of refused.entries())
    assert.deepEqual([status, body.error?.code], [200, -32602], String(i));
  await clock.advance(30 * 60_000 + 1);
  assert.match((await call(shown, retry)).body.error.message, /has expired/);
});

test("what a person answers is looked through as arguments are", async (t) => {
  const sensitive_data_detection = { enabled: true, block_requests: "high" };
  const served = await serve(t, {
    servers: [program("new", "--era", "modern")],
    connect: true,
    config: { sensitive_data_detection },
  });
  const inputResponses = { name: { action: "accept", content: { name: "AKIAQYLPMN5HHHFPZAM2" } } };

  const { body } = await ask(served, "tools/call", {
    name: "new__ask",
    arguments: {},
    ...able({ elicitation: {} }),
    inputResponses,
  });

  assert.equal(body.result._meta["proxy/code"], "sensitive_arguments");
});

test("the state behind a question reaches its upstream unharmed, also where answers are cleaned", async (t) => {
  const served = await serve(t, {
    servers: [program("new", "--era", "modern")],
    connect: true,
    config: { output_sanitisation: { response_action: "redact" } },
  });
  const call = (more: object = {}) =>
    ask(served, "tools/call", {
      name: "new__ask",
      arguments: { state: "AKIAQYLPMN5HHHFPZAM2" },
      ...able({ elicitation: {} }),
      ...more,
    });

  const { requestState } = (await call()).body.result;
  const inputResponses = { name: { action: "accept", content: { name: "Ada" } } };

  assert.equal(textOf((await call({ inputResponses, requestState })).body.result), "kept: true");
});

test("a subscription is confirmed first, and told of a change of the very list that its caller is shown", async (t) => {
  const served = await serve(t, { servers: [program("up"), program("other")], connect: true });
  const narrow = shows(await issue(served.app, { name: "narrow", allowed_servers: ["other"] }));
  const all = await listen(served, {
    toolsListChanged: true,
    unknownChanged: true,
    resourceSubscriptions: ["a://b"],
  });
  const less = await listen(served, { toolsListChanged: true }, { headers: narrow, id: "less" });
  t.after(() => [all, less].map((one) => one.close()));

  for (const [one, id] of [
    [all, "sub"],
    [less, "less"],
  ] as const)
    assert.deepEqual(await one.next(), {
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { _meta: { [SUBSCRIPTION]: id }, notifications: { toolsListChanged: true } },
    });
  const add = (server: string) =>
    ask(served, "tools/call", {
      name: `${server}__add_tool`,
      arguments: { name: "fresh", annotations: { readOnlyHint: true } },
    });
  await add("up");
  const changed = (id: string) => ({
    jsonrpc: "2.0",
    method: "notifications/tools/list_changed",
    params: { _meta: { [SUBSCRIPTION]: id } },
  });
  assert.deepEqual(await all.next(), changed("sub"));
  // Had the narrow one been told of the first change, it would hear of it now, and of the second thereafter.
  await add("other");
  assert.deepEqual(await less.next(), changed("less"));
  assert.deepEqual(await all.next(), changed("sub"));
  await revokeToken(served.app, "narrow", {
    caller: INTERNAL_CALLER,
    origin: { source: "internal", requestId: "r-1" },
  });
  assert.equal((await less.next())?.id, "less");
  assert.equal(await less.next(), undefined);
});

test("a subscription to what never comes ends at once, with a word", async (t) => {
  const served = await serve(t);
  const one = await listen(served, { resourceSubscriptions: ["a://b"] });

  assert.deepEqual((await one.next())?.params.notifications, {});
  assert.deepEqual(await one.next(), {
    jsonrpc: "2.0",
    id: "sub",
    result: { resultType: "complete", _meta: { [SERVER_INFO]: INFO, [SUBSCRIPTION]: "sub" } },
  });
  assert.equal(await one.next(), undefined);
});

test("a subscription needs to say what for, and a client that takes streams", async (t) => {
  const served = await serve(t);

  const wordless = await ask(served, "subscriptions/listen");
  const deaf = await ask(
    served,
    "subscriptions/listen",
    { notifications: { toolsListChanged: true } },
    { headers: { accept: "application/json" } },
  );

  assert.deepEqual([wordless.status, wordless.body.error.code], [200, -32602]);
  assert.deepEqual([deaf.status, deaf.body.error.code], [406, -32600]);
  assert.equal(deaf.headers.get("content-type"), "application/json");
});

test("a subscription ends with its token, and with its client", async (t) => {
  const clock = handClock();
  const served = await serve(t, { clock });
  const token = shows(await issue(served.app, { expires_in: "1m" }));
  const expiring = await listen(served, { toolsListChanged: true }, { headers: token });
  const lasting = await listen(served, { toolsListChanged: true });
  for (const one of [expiring, lasting]) await one.next();

  await clock.advance(80_000);
  assert.equal((await expiring.next())?.result.resultType, "complete");
  const left = lasting.next().catch(() => undefined);
  lasting.close();
  assert.equal(await left, undefined);
});

test("a stopping proxy does not wait for subscriptions, and tells them", async (t) => {
  const { app, close, url } = await (async () => {
    const { listenTest, testApp } = await import("#test/kit/app.ts");
    const opened = await testApp({ connect: false });
    return { app: opened, ...(await listenTest(opened)) };
  })();
  t.after(() => app.close());
  const one = await listen({ url }, { toolsListChanged: true });
  await one.next();

  const closing = close();

  assert.equal((await one.next())?.result.resultType, "complete");
  await closing;
});

test("the envelope of one request says nothing about the next", async (t) => {
  const served = await serve(t, { servers: [program("new", "--era", "modern")], connect: true });
  const call = (capabilities: object) =>
    ask(served, "tools/call", { name: "new__ask", arguments: {}, ...able(capabilities) });

  const answers = await Promise.all([call({ elicitation: {} }), call({}), call({ elicitation: {} })]);

  assert.deepEqual(
    answers.map(({ body }) => body.result?.resultType ?? body.error.code),
    ["input_required", -32021, "input_required"],
  );
  assert.deepEqual(ENVELOPE["io.modelcontextprotocol/clientCapabilities"], {});
});

test("a client of this revision is listed like a session, and its calls are found by it", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  for (const path of ["/mcp/all", "/mcp/all", "/mcp/call"])
    await ask(served, "tools/call", { name: "retrieve_tools", arguments: { query: "echo" } }, { path });
  await ask(served, "tools/call", { name: "up__echo", arguments: {} }, { path: "/mcp/all" });

  const { sessions } = await listSessions(served.app, {}, { limit: 10, offset: 0 });

  const [all] = sessions.filter(({ mode }) => mode === "direct");
  assert.deepEqual([sessions.length, all!.stateless, all!.status], [2, true, "active"]);
  assert.ok(all!.client_name !== "");
  const called = async () =>
    (await served.app.store.activity.select({ session_id: all!.id, tool: "echo" }, { limit: 10 })).records;
  await until("the call is recorded", async () => (await called()).length === 1);
});
