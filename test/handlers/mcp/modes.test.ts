import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { serve } from "#test/kit/mcp.ts";
import { verifies } from "#test/kit/verifies.ts";

const SEARCH = [
  "call_tool_destructive",
  "call_tool_read",
  "call_tool_write",
  "code_execution",
  "describe_tool",
  "list_registries",
  "retrieve_tools",
  "search_servers",
  "upstream_servers",
];
const CODE = ["code_execution", "list_registries", "retrieve_tools", "search_servers", "upstream_servers"];
const names = (list: { tools: { name: string }[] }) => list.tools.map((tool) => tool.name).sort();

verifies(
  ["mcp.endpoint.call", "mcp.endpoint.code", "mcp.endpoint.all", "mcp.endpoint.always", "mcp.what.modes"],
  "every endpoint has the tools of its mode, whatever the default is",
  async (t) => {
    for (const routing_mode of ["retrieve_tools", "direct", "code_execution"]) {
      const { client } = await serve(t, { config: { routing_mode } });
      const lists = await Promise.all(
        ["/mcp/call", "/mcp/code", "/mcp/all"].map(async (p) => names(await (await client(p)).listTools())),
      );
      assert.deepEqual(lists, [SEARCH, CODE, []]);
    }
  },
);

verifies(
  "mcp.endpoint.default",
  "/mcp serves the mode fixed at start, and a change waits for the next one",
  async (t) => {
    const { app, client } = await serve(t, { config: { routing_mode: "code_execution" } });
    assert.deepEqual(names(await (await client("/mcp")).listTools()), CODE);
    await app.config.update((draft) => {
      draft.routing_mode = "retrieve_tools";
    }, "test");
    assert.deepEqual(names(await (await client("/mcp")).listTools()), CODE);
  },
);

verifies("mcp.scripts.static", "a new stored script changes no tool list and is told to nobody", async (t) => {
  const { app, client } = await serve(t);
  const mcp = await client("/mcp/code");
  let heard = 0;
  mcp.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard++);
  const before = await mcp.listTools();

  mkdirSync(join(app.dir, "scripts"));
  writeFileSync(join(app.dir, "scripts", "sum.js"), "1 + 1");
  app.events.publish("servers.changed", { reason: "server_changed" });
  await new Promise((go) => setTimeout(go, 200));

  assert.deepEqual(await mcp.listTools(), before);
  assert.equal(heard, 0);
});

test("every listed tool has a title, annotations and an object schema", async (t) => {
  const { client } = await serve(t);
  for (const tool of (await (await client()).listTools()).tools) {
    assert.ok(tool.title && tool.description, tool.name);
    assert.equal(typeof tool.annotations?.readOnlyHint, "boolean");
    assert.equal(tool.inputSchema.type, "object");
    assert.ok(tool.name === "list_registries" || Object.keys(tool.inputSchema.properties ?? {}).length > 0, tool.name);
  }
});

test("the management tool goes with disable_management, at once", async (t) => {
  const { app, client } = await serve(t);
  const mcp = await client();
  await app.config.update((draft) => {
    draft.disable_management = true;
  }, "test");
  assert.ok(!names(await mcp.listTools()).includes("upstream_servers"));
  await assert.rejects(mcp.callTool({ name: "upstream_servers", arguments: { operation: "list" } }), /Unknown tool/);
});

test("code execution that is switched off says so", async (t) => {
  const { client } = await serve(t, { config: { enable_code_execution: false } });
  const answer = await (await client()).callTool({ name: "code_execution", arguments: { code: "1" } });
  assert.equal(answer.isError, true);
  assert.match(JSON.stringify(answer.content), /enable_code_execution/);
});

test("code execution that is switched off is neither listed nor recommended, and comes back when it is switched on", async (t) => {
  const { client, app } = await serve(t, { config: { enable_code_execution: false } });
  const names = async (mcp: Awaited<ReturnType<typeof client>>) =>
    (await mcp.listTools()).tools.map(({ name }) => name);

  for (const path of ["/mcp/call", "/mcp/code"]) {
    const off = await client(path);
    assert.ok(!(await names(off)).includes("code_execution"));
    assert.doesNotMatch(off.getInstructions() ?? "", /code_execution (?:runs|with)/);
  }
  await app.config.update((draft) => {
    draft.enable_code_execution = true;
  }, "test");

  const on = await client("/mcp/call");
  assert.ok((await names(on)).includes("code_execution"));
  assert.match(on.getInstructions() ?? "", /code_execution runs a short script/);
});

test("an endpoint answers at its alias that ends in /mcp as at its own path", async (t) => {
  const { app, client, url } = await serve(t);
  await app.config.update((draft) => {
    draft.profiles = [{ name: "front", servers: [] }];
  }, "test");
  for (const [path, alias] of [
    ["/mcp/all", "/all/mcp"],
    ["/mcp/call", "/call/mcp"],
    ["/mcp/code", "/code/mcp"],
    ["/mcp/p/front", "/p/front/mcp"],
    ["/mcp/p/front/code", "/p/front/code/mcp"],
  ] as const)
    assert.deepEqual(await (await client(alias)).listTools(), await (await client(path)).listTools(), alias);

  const rejected = await fetch(new URL("/p/none/mcp", url), { method: "POST", body: "{}" });
  assert.equal(rejected.status, (await fetch(new URL("/mcp/p/none", url), { method: "POST", body: "{}" })).status);
});

test("the tools without which nothing works are never deferred, and every built-in tool has a search hint", async (t) => {
  const { client } = await serve(t);
  const always = async (path: string) => {
    const { tools } = await (await client(path)).listTools();
    for (const { name, _meta } of tools)
      assert.match(String(_meta?.["anthropic/searchHint"]), /^[a-zA-Z,; ]{10,80}$/, name);
    return tools.filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true).map(({ name }) => name);
  };

  assert.deepEqual((await always("/mcp/call")).sort(), [
    "call_tool_destructive",
    "call_tool_read",
    "call_tool_write",
    "code_execution",
    "describe_tool",
    "retrieve_tools",
  ]);
  assert.deepEqual((await always("/mcp/code")).sort(), ["code_execution", "retrieve_tools"]);
});
