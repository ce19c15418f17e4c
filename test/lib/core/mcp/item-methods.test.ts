import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ask, listen } from "#test/kit/era.ts";
import { knowItems, type TestItem } from "#test/kit/items.ts";
import { INITIALIZE, serve, toolCall } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

const items = (server: string): TestItem[] => [
  { kind: "resource", server, name: "file:///readme" },
  { kind: "template", server, name: "note://{id}" },
  { kind: "prompt", server, name: "review", definition: { name: "review", arguments: [{ name: "style" }] } },
];

const entry = (name: string, trust_mode: "auto" | "manual" = "auto") => ({
  name,
  command: process.execPath,
  args: ["test/programs/upstream-items.mjs"],
  trust_mode,
});

/** A proxy in front of real servers, whose items are known. */
async function open(t: TestContext, ...servers: (string | ReturnType<typeof entry>)[]) {
  const entries = servers.map((server) => (typeof server === "string" ? entry(server) : server));
  const names = entries.map(({ name }) => name);
  const served = await serve(t, { servers: entries, connect: true });
  const change = knowItems(served.app, names.flatMap(items));
  let id = 10;
  const send = async (method: string, params: object = {}, headers: Record<string, string> = {}) => {
    const { body } = await served.post({ jsonrpc: "2.0", id: id++, method, params }, { path: "/mcp/all", headers });
    return body;
  };
  return { ...served, change, send };
}

test("prompts, resources and templates of every server are listed in every mode, under names that lead back", async (t) => {
  const { client } = await open(t, "one", "two");

  for (const path of ["/mcp/call", "/mcp/all", "/mcp/code"]) {
    const official = await client(path);
    const { resources } = await official.listResources();
    const { resourceTemplates } = await official.listResourceTemplates();
    const { prompts } = await official.listPrompts();

    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ["via://one/file:///readme", "via://two/file:///readme"],
    );
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ["via://one/note://{id}", "via://two/note://{id}"],
    );
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ["one__review", "two__review"],
    );
  }
});

test("a resource is read by its mapped URI, by the expansion of a template, and plainly where one server has it", async (t) => {
  const { client, send, change } = await open(t, "one", "two");
  const official = await client();
  const read = async (uri: string) => (await official.readResource({ uri })).contents;

  assert.deepEqual(await read("via://one/file:///readme"), [
    { uri: "via://one/file:///readme", text: "read file:///readme" },
  ]);
  assert.deepEqual(await read("via://two/note://7"), [{ uri: "via://two/note://7", text: "note 7" }]);
  const ambiguous = await send("resources/read", { uri: "file:///readme" });
  assert.equal(ambiguous.error.code, -32602);
  assert.match(ambiguous.error.message, /via:\/\/one\/file:\/\/\/readme, via:\/\/two\/file:\/\/\/readme/);

  change(items("two"));

  assert.deepEqual(await read("file:///readme"), [{ uri: "file:///readme", text: "read file:///readme" }]);
  assert.deepEqual(await read("note://8"), [{ uri: "note://8", text: "note 8" }]);
  // Listed nowhere, yet its server has it.
  assert.equal((await read("via://one/file:///readme"))[0]?.uri, "via://one/file:///readme");
});

test("a resource that is not there is reported with the code of the protocol version, in the spelling of the request", async (t) => {
  const served = await open(t, "one");

  for (const uri of ["via://one/file:///none", "via://nobody/x", "none:x"]) {
    assert.deepEqual((await served.send("resources/read", { uri })).error, {
      code: -32002,
      message: "Resource not found",
      data: { uri },
    });
    const { body } = await ask(served, "resources/read", { uri }, { headers: { "mcp-name": uri } });
    assert.deepEqual(body.error, { code: -32602, message: "Resource not found", data: { uri } });
  }
  assert.equal((await served.send("resources/read", { uri: 7 })).error.code, -32602);
});

test("a prompt is got by its name here, or by its own where one server has it, with its URIs mapped", async (t) => {
  const { client, send } = await open(t, "one");
  const official = await client();

  for (const name of ["one__review", "review"]) {
    const { messages } = await official.getPrompt({ name, arguments: { style: "via://one/file:///readme" } });
    assert.deepEqual(
      messages.map(({ content }) => content),
      [
        { type: "text", text: "review file:///readme" },
        { type: "resource", resource: { uri: "via://one/file:///readme", text: "it" } },
      ],
    );
  }
  assert.equal((await send("prompts/get", { name: "none" })).error.code, -32602);
  assert.equal((await send("prompts/get", { name: "review", arguments: { style: 7 } })).error.code, -32602);
});

test("a completion is asked of the server whose prompt or template it is about", async (t) => {
  const { client, send } = await open(t, "one", "two");
  const official = await client();
  const complete = async (
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
    name: string,
  ) => (await official.complete({ ref, argument: { name, value: "a" } })).completion.values;

  assert.deepEqual(await complete({ type: "ref/prompt", name: "two__review" }, "style"), ["a!"]);
  assert.deepEqual(await complete({ type: "ref/resource", uri: "via://two/note://{id}" }, "id"), ["a1", "a2"]);
  for (const ref of [{ type: "ref/prompt", name: "review" }, { type: "ref/resource", uri: "x" }, { type: "other" }, 7])
    assert.equal((await send("completion/complete", { ref, argument: { name: "a", value: "" } })).error.code, -32602);
});

test("links in a tool's answer are mapped, and mapped URIs in its arguments are its server's own", async (t) => {
  const { send } = await open(t, "one");

  const { params } = toolCall("one__link", { to: "via://one/file:///readme" });
  const { result } = await send("tools/call", params);

  assert.deepEqual(
    result.content.map((block: { text?: string; uri?: string }) => block.text ?? block.uri),
    ["linked file:///readme", "via://one/file:///readme", "https://example.com/x"],
  );
});

test("what is out of a token's scope, blocked or waiting for approval is neither listed nor given", async (t) => {
  const { app, send, change } = await open(t, entry("one", "manual"), "two");
  const headers = shows(await issue(app, { allowed_servers: ["one"], permissions: ["read"] }));
  const uri = "via://two/file:///readme";

  assert.deepEqual(
    (await send("resources/list", {}, headers)).result.resources.map((one: { uri: string }) => one.uri),
    ["via://one/file:///readme"],
  );
  assert.deepEqual((await send("resources/read", { uri }, headers)).error.data, { uri });
  assert.equal((await send("resources/read", { uri: "file:///readme" }, headers)).result.contents.length, 1);
  assert.equal((await send("prompts/get", { name: "two__review" }, headers)).error.code, -32602);

  change([
    { kind: "resource", server: "one", name: "file:///readme", disabled: true },
    { kind: "template", server: "one", name: "note://{id}", status: "pending" },
  ]);

  assert.deepEqual((await send("resources/list")).result.resources, []);
  for (const refused of ["via://one/file:///readme", "via://one/note://1"])
    assert.equal((await send("resources/read", { uri: refused })).error.data.code, "item_blocked", refused);
});

test("a URI that cannot be compared with a blocked template does not pass", async (t) => {
  const { change, send } = await open(t, "one");
  const long = (scheme: string) => `via://one/${scheme}://${"7".repeat(8100)}`;
  const codeOf = async (uri: string) => (await send("resources/read", { uri })).error?.data?.code;
  change([{ kind: "template", server: "one", name: "note://x{id}{+more}", disabled: true }]);

  // Of another scheme than every template, so that the server alone decides.
  assert.notEqual(await codeOf(long("other")), "item_blocked");
  assert.equal(await codeOf("via://one/note://x7"), "item_blocked");
  change([{ kind: "template", server: "one", name: `note://{id}${"{+more}".repeat(40)}`, disabled: true }]);
  assert.deepEqual((await send("resources/read", { uri: "via://one/note://7" })).error.message, "Resource not found");
});

test("a blocked template decides over an approved one that matches too, even when the server lists it no longer", async (t) => {
  const { change, send } = await open(t, "one");
  const codeOf = async (uri: string) => (await send("resources/read", { uri })).error?.data?.code;
  const broad = { kind: "template", server: "one", name: "note://{+any}" } as const;
  const narrow = { kind: "template", server: "one", name: "note://secret/{id}" } as const;
  change([broad, narrow]);
  assert.notEqual(await codeOf("via://one/note://secret/1"), "item_blocked");

  change([broad, { ...narrow, disabled: true }]);
  assert.equal(await codeOf("via://one/note://secret/1"), "item_blocked");
  assert.notEqual(await codeOf("via://one/note://open/1"), "item_blocked");

  change([broad, { ...narrow, disabled: true, present: false }]);
  assert.equal(await codeOf("via://one/note://secret/1"), "item_blocked");
});

test("a blocked or waiting resource is not read by another spelling of its URI that its server may understand", async (t) => {
  const { change, send } = await open(t, "one", entry("slow", "manual"));
  const codeOf = async (uri: string) => (await send("resources/read", { uri })).error?.data?.code;
  const broad = { kind: "template", server: "one", name: "note://{+any}" } as const;
  change([
    broad,
    { kind: "resource", server: "one", name: "note://bad/x", disabled: true },
    { kind: "resource", server: "one", name: "note://gone", disabled: true, present: false },
    { kind: "resource", server: "slow", name: "note://bad/x", status: "pending" },
    { kind: "template", server: "one", name: "row://{id}", disabled: true },
  ]);

  const spellings = ["NOTE://bad/x", "note://bad/./x", "note://bad/y/../x", " note://bad/x", "no\tte://bad/x"];
  const others = [
    "note://bad/%78",
    "note://bad//x/",
    "note://bad\\x",
    "note://bad/x#a",
    "note://bad/x?a",
    "note://BAD/X",
  ];
  for (const server of ["one", "slow"])
    for (const uri of ["note://bad/x", ...spellings, ...others, "note://bad/y%252f..%252fx"])
      assert.equal(await codeOf(`via://${server}/${uri}`), "item_blocked", `${server} ${uri}`);
  assert.equal(await codeOf("via://one/note://gone/"), "item_blocked");
  for (const uri of ["row://a@b", "ROW://a"]) assert.equal(await codeOf(`via://one/${uri}`), "item_blocked", uri);
  for (const uri of ["note://bad/xy", "note://bad", "note://bad/x/y", "other://bad/x"])
    assert.notEqual(await codeOf(`via://one/${uri}`), "item_blocked", uri);
});

test("a read and a prompt are recorded with their server, their name and how they ended", async (t) => {
  const { app, send } = await open(t, "one");
  await send("resources/read", { uri: "via://one/file:///readme" });
  await send("resources/read", { uri: "via://one/file:///none" });
  await send("prompts/get", { name: "review", arguments: { style: "x" } });

  const page = async () => await app.store.activity.select({ type: ["resource_read", "prompt_get"] }, { limit: 10 });
  await until("the records", async () => (await page()).total === 3);

  assert.deepEqual(
    (await page()).records
      .map(({ type, server_name, tool_name, status }) => [type, server_name, tool_name, status])
      .sort(),
    [
      ["prompt_get", "one", "review", "success"],
      ["resource_read", "one", "file:///none", "error"],
      ["resource_read", "one", "file:///readme", "success"],
    ],
  );
});

test("in the newer protocol version lists and reads say how long they are fresh, for one caller alone", async (t) => {
  const served = await open(t, "one");
  const uri = "via://one/file:///readme";

  const { body: list } = await ask(served, "resources/list");
  const { body: read } = await ask(served, "resources/read", { uri }, { headers: { "mcp-name": uri } });

  const { resultType, ttlMs, cacheScope } = list.result;
  assert.deepEqual([resultType, ttlMs, cacheScope], ["complete", 30_000, "private"]);
  assert.equal(read.result.resultType, "complete");
  assert.deepEqual([read.result.ttlMs, read.result.cacheScope], [0, "private"]);
  assert.deepEqual(read.result.contents, [{ uri, text: "read file:///readme" }]);
});

test("a session and a subscription are notified of lists that really changed, each of what it listens for", async (t) => {
  const served = await open(t, "one");
  const opened = await served.post(INITIALIZE);
  const session = opened.headers.get("mcp-session-id")!;
  const stream = await fetch(`${served.url}/mcp/call`, {
    headers: { accept: "text/event-stream", "mcp-session-id": session },
  });
  const reader = stream.body!.getReader();
  const listening = await listen(served, { promptsListChanged: true });
  assert.deepEqual((await listening.next()).params.notifications, { promptsListChanged: true });
  await new Promise((resolve) => setTimeout(resolve, 50));

  served.change([...items("one"), { kind: "resource", server: "one", name: "file:///new" }]);
  served.change([...items("one"), { kind: "prompt", server: "one", name: "new" }]);

  assert.equal((await listening.next()).method, "notifications/prompts/list_changed");
  let heard = "";
  while (!heard.includes("prompts/list_changed")) heard += new TextDecoder().decode((await reader.read()).value);
  assert.doesNotMatch(heard, /resources\/list_changed|tools\/list_changed/);
  await reader.cancel();
  listening.close();
});

test("the list of another kind, of another caller and a made-up cursor are refused", async (t) => {
  const { send } = await open(t, "one");

  assert.equal((await send("prompts/list", { cursor: "x" })).error.code, -32602);
  assert.equal((await send("resources/list", { cursor: "" })).error.code, -32602);
});
