import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonOf, program, type Served, serve, toolCall } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";

const profiles = [
  { name: "front", servers: ["alpha"] },
  { name: "back", servers: ["beta", "gone"] },
  { name: "empty", servers: [] },
];
const WORLD = {
  connect: true,
  servers: [program("alpha"), program("beta")],
  config: { profiles },
};

/** The servers whose tools a search on this path finds, or the status. */
async function found({ post }: Served, path: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, body } = await post(toolCall("retrieve_tools", { query: "echo", limit: 50 }), { path, headers });
  if (status !== 200) return String(status);
  const servers = jsonOf(body.result).tools.map((tool: { server: string }) => tool.server);
  return [...new Set(servers)].sort().join("+");
}

test("/mcp/p/{profile} shows and calls the servers of the profile alone, in every mode (reference 3.10)", async (t) => {
  const served = await serve(t, WORLD);
  const { post } = served;
  for (const path of ["/mcp/p/front", "/mcp/p/front/", "/mcp/p/front/call", "/mcp/p/front/code"])
    assert.equal(await found(served, path), "alpha", path);
  assert.equal(await found(served, "/mcp/p/back"), "beta");
  assert.equal(await found(served, "/mcp"), "alpha+beta");
  assert.equal(await found(served, "/mcp/p/empty"), "");
  const { body: direct } = await post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { path: "/mcp/p/front/all" });
  const names: string[] = direct.result.tools.map((tool: { name: string }) => tool.name);
  assert.ok(names.includes("alpha__echo") && !names.some((name) => name.startsWith("beta__")));
  for (const [server, ok] of [
    ["alpha", true],
    ["beta", false],
  ] as const) {
    const intent = { operation_type: "read" };
    const called = await post(toolCall("call_tool_read", { name: `${server}:echo`, intent }), { path: "/mcp/p/front" });
    assert.equal(called.body.result.isError === undefined, ok, server);
    const code = `call_tool("${server}", "echo", {}).ok`;
    const ran = await post(toolCall("code_execution", { code }), { path: "/mcp/p/front/code" });
    assert.equal(jsonOf(ran.body.result).value, ok, server);
    const listed = await post(toolCall(`${server}__echo`), { path: "/mcp/p/front/all" });
    assert.equal(listed.body.error === undefined, ok, server);
  }
});

test("the path comes before the header X-MCP-Profile, and a token's pin before both (reference 3.10)", async (t) => {
  const served = await serve(t, WORLD);
  const pinned = shows(await issue(served.app, { name: "pinned", profile_pin: "front" }));
  const header = (name: string) => ({ "x-mcp-profile": name });
  const rows: [path: string, headers: Record<string, string>, wanted: string][] = [
    ["/mcp", header("front"), "alpha"],
    ["/mcp/code", header("back"), "beta"],
    ["/mcp", header(""), "alpha+beta"],
    ["/mcp/p/front", header("back"), "alpha"],
    ["/mcp/p/front", header("nothing"), "alpha"],
    ["/mcp", pinned, "alpha"],
    ["/mcp/p/front", pinned, "alpha"],
    ["/mcp", { ...pinned, ...header("front") }, "alpha"],
    ["/mcp/p/back", pinned, "403"],
    ["/mcp/p/nothing", pinned, "403"],
    ["/mcp", { ...pinned, ...header("back") }, "403"],
  ];
  for (const [path, headers, wanted] of rows)
    assert.equal(await found(served, path, headers), wanted, `${path} ${JSON.stringify(headers)}`);
});

test("an unknown profile is 404, and only an administrator is told which there are", async (t) => {
  const { app, key, post } = await serve(t, {
    connect: false,
    servers: [program("alpha"), program("beta")],
    config: { profiles },
  });
  const limited = await issue(app, { allowed_servers: ["alpha"] });
  const message = toolCall("retrieve_tools", { query: "x" });
  const text = async (path: string, headers: Record<string, string>) => {
    const answer = await post(message, { path, headers });
    assert.equal(answer.status, 404, path);
    return answer.body.error.message;
  };
  assert.equal(await text("/mcp/p/none", shows(key)), 'unknown profile "none"; configured: front, back, empty');
  for (const headers of [{}, shows(limited)])
    assert.equal(await text("/mcp/p/none", headers), 'unknown profile "none"');
  assert.equal(await text("/mcp/p/back", shows(limited)), 'unknown profile "back"');
  for (const path of ["/mcp/p/constructor", "/mcp/p/FRONT", "/mcp/p/fr%6fnt", "/mcp/p/__proto__/all"])
    assert.equal((await post(message, { path })).status, 404, path);
  for (const path of ["/mcp/p", "/mcp/p/", "/mcp/p/front/p/back", "/mcp/p/front/none", "/mcp/p//all"])
    assert.ok([401, 404].includes((await post(message, { path })).status), path);
});

test("a profile that changes is in force at the next request", async (t) => {
  const served = await serve(t, WORLD);
  await served.app.config.update((draft) => {
    draft.profiles[0]!.servers = ["beta"];
  }, "test");
  assert.equal(await found(served, "/mcp/p/front"), "beta");
});
