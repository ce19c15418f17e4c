import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { able, ask } from "#test/kit/era.ts";
import { INITIALIZE, program, type Served, serve, textOf } from "#test/kit/mcp.ts";
import { folder, type Scope } from "#test/kit/program.ts";

const UI = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };

const tool = (name: string, _meta?: object) => ({ name, description: name, inputSchema: { type: "object" }, _meta });
const TOOLS = [
  tool("show_board", { ui: { resourceUri: "ui://board/main" }, "ui/resourceUri": "ui://board/main", other: 1 }),
  tool("move_card", { ui: { resourceUri: "ui://board/main", visibility: ["app"] } }),
  tool("count_cards", { ui: { visibility: ["model", "app"] } }),
  tool("think", { ui: { visibility: ["model"] } }),
];

async function board(t: Scope, more: object = {}): Promise<Served> {
  const file = join(folder(t), "tools.json");
  writeFileSync(file, JSON.stringify(TOOLS));
  const servers = [program("board", "--tools-file", file), program("other")];
  return serve(t as Parameters<typeof serve>[0], { servers, connect: true, ...more });
}

const names = async (served: Served, capabilities: object, path = "/mcp/all") => {
  const { tools } = (await ask(served, "tools/list", able(capabilities), { path })).body.result;
  return (tools as { name: string }[]).map(({ name }) => name).filter((name) => name.startsWith("board__"));
};
const call = async (served: Served, name: string, capabilities: object, path = "/mcp/all") => {
  const params = { name, arguments: { a: 1 }, ...able(capabilities) };
  const { result, error } = (await ask(served, "tools/call", params, { path })).body;
  return error ? `error ${error.code}` : result.isError ? `refused ${textOf(result)}` : "called";
};

test("a tool's interface is listed under the address it can be read at, in both spellings", async (t) => {
  const served = await board(t);

  const { tools } = (await ask(served, "tools/list", able(UI))).body.result;

  const shown = tools.find(({ name }: { name: string }) => name === "board__show_board");
  const uri = "ui://via.board/board/main";
  assert.deepEqual(shown._meta, { ui: { resourceUri: uri }, "ui/resourceUri": uri, other: 1 });
});

test("tools that are only for apps are listed and callable where apps are shown, and do not exist for models", async (t) => {
  const served = await board(t);

  assert.ok((await names(served, UI)).includes("board__move_card"));
  assert.ok(!(await names(served, {})).includes("board__move_card"));
  assert.equal(await call(served, "board__move_card", UI), "called");
  assert.match(await call(served, "board__move_card", {}), /^refused .*board:move_card/);
  const client = await served.client();
  const found = await client.callTool({ name: "retrieve_tools", arguments: { query: "move card" } });
  assert.ok(!textOf(found).includes("move_card"));
  const args = { name: "board:move_card", args: {} };
  const refused = await client.callTool({ name: "call_tool_destructive", arguments: args });
  assert.equal(refused.isError, true);
  const described = await client.callTool({ name: "describe_tool", arguments: { names: ["board:move_card"] } });
  assert.doesNotMatch(textOf(described), /inputSchema/);
});

test("2025: what initialize declares counts for the session", async (t) => {
  const served = await board(t);
  const listed = async (capabilities: object) => {
    const opened = await served.post(
      { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } },
      { path: "/mcp/all" },
    );
    const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    const { body } = await served.post({ jsonrpc: "2.0", id: 2, method: "tools/list" }, { path: "/mcp/all", headers });
    return body.result.tools.some(({ name }: { name: string }) => name === "board__move_card");
  };

  assert.equal(await listed(UI), true);
  assert.equal(await listed({}), false);
});

test("an app calls the tools of its server by their own names, where one server alone has them", async (t) => {
  const served = await board(t);

  assert.equal(await call(served, "move_card", UI), "called");
  assert.equal(await call(served, "count_cards", UI), "called");
  assert.equal(await call(served, "think", UI), "error -32602", "it is for models only");
  assert.equal(await call(served, "echo", UI), "error -32602", "two servers have it");
  assert.equal(await call(served, "move_card", {}), "error -32602", "no app is shown there");
});

test("a tool of the setting expose has its name in every mode, with the tools of its app", async (t) => {
  const served = await board(t);
  assert.deepEqual(await names(served, UI, "/mcp/call"), []);
  await served.app.config.update((draft) => Object.assign(draft, { expose: ["board:show_board"] }), "test");

  for (const path of ["/mcp/call", "/mcp/code"]) {
    assert.deepEqual(await names(served, UI, path), ["board__show_board", "board__move_card"]);
    assert.deepEqual(await names(served, {}, path), ["board__show_board"]);
    assert.equal(await call(served, "board__show_board", {}, path), "called");
    assert.equal(await call(served, "count_cards", UI, path), "called");
    assert.equal(await call(served, "board__count_cards", UI, path), "error -32602", "it is not exposed");
  }
});
