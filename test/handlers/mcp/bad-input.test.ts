import assert from "node:assert/strict";
import { test } from "node:test";
import { serve, toolCall } from "#test/kit/mcp.ts";

const deep = (depth: number): unknown => {
  let value: unknown = "x";
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
  return value;
};
const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "x",
  "../../etc/passwd",
  "a:b:c",
  "\u0000\ud800",
  "y".repeat(100_000),
  [],
  [null],
  {},
  { a: { b: [] } },
  deep(150),
  JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
];

test("every tool answers every kind of wrong input with a result or an error, never with a failure of its own", async (t) => {
  const { app, post } = await serve(t, {
    servers: [{ name: "git", command: "/nowhere/git", enabled: false }],
    tools: { "git:log": "approved" },
    config: { code_execution_timeout_ms: 500 },
  });
  const list = await post({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const tools: { name: string; inputSchema: { properties: object } }[] = list.body.result.tools;
  const right: Record<string, unknown> = {
    query: "log",
    ids: ["git:log"],
    name: "git:log",
    intent: { operation_type: "read" },
    operation: "patch",
    code: "1",
  };
  let asked = 0;
  for (const { name, inputSchema } of tools)
    for (const field of [...Object.keys(inputSchema.properties), "__proto__", "surprise"])
      for (const value of VALUES) {
        const required = Object.fromEntries(
          Object.keys(inputSchema.properties).flatMap((k) => (k in right ? [[k, right[k]]] : [])),
        );
        if (name === "code_execution" && field !== "code") delete required.code;
        const args = JSON.stringify({ ...required, [`#${field}`]: value }).replace(
          `"#${field}"`,
          JSON.stringify(field),
        );
        const message = JSON.stringify(toolCall(name, {})).replace('"arguments":{}', `"arguments":${args}`);
        const { status, body } = await post(message);
        const at = `${name} ${field} ${String(JSON.stringify(value)).slice(0, 60)}`;
        assert.equal(status, 200, at);
        assert.ok(body.result || body.error?.code === -32602, `${at}: ${JSON.stringify(body).slice(0, 300)}`);
        asked++;
      }
  assert.ok(asked > 500);
  assert.equal(({} as { polluted?: number }).polluted, undefined);
  assert.equal(app.config.server("git")?.name, "git");
});

test("every method takes wrong parameters without failing", async (t) => {
  const { post } = await serve(t);
  for (const method of ["initialize", "ping", "tools/list", "tools/call", "notifications/cancelled"])
    for (const value of VALUES)
      for (const params of [
        value,
        { name: value, protocolVersion: value, clientInfo: value, cursor: value, _meta: value, arguments: value },
      ]) {
        const { status, body } = await post({ jsonrpc: "2.0", id: 1, method, params });
        assert.ok([200, 400].includes(status), `${method} ${status}`);
        assert.notEqual(body.error?.code, -32603, `${method} ${JSON.stringify(params).slice(0, 80)}`);
      }
});

test("who shows a user's bearer token or a cookie on an MCP endpoint is told that neither counts there", async (t) => {
  const { post } = await serve(t, { config: { require_mcp_auth: true } });
  const jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiJ4In0", "c2ln"].join(".");
  const rows: [Record<string, string>, RegExp][] = [
    [{ authorization: `Bearer ${jwt}` }, /bearer token \(JWT\) is not valid on MCP endpoints/],
    [{ "x-api-key": jwt }, /bearer token \(JWT\) is not valid on MCP endpoints/],
    [{ cookie: "proxy_session_1=abc" }, /cookie is not valid on MCP endpoints/],
    [{}, /^Authentication required\. Provide an API key or agent token\.$/],
    [{ "x-api-key": "wrong" }, /^Authentication required\. Provide an API key or agent token\.$/],
  ];
  for (const [headers, text] of rows) {
    const { status, body } = await post(toolCall("retrieve_tools", { query: "x" }), { headers });
    assert.equal(status, 401);
    assert.match(body.error.message, text);
  }
});
