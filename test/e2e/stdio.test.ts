import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { Client as NextClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NextTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { BUNDLE, folder, type Scope, start } from "#test/kit/program.ts";
import { until } from "#test/kit/upstream.ts";
import { verifies } from "#test/kit/verifies.ts";
import type { Json } from "./daemon.ts";

/** How a proxy is started whose configuration has the noisy server. */
function serving(t: Scope, ...more: string[]): string[] {
  const dir = folder(t);
  const mcpServers = [{ name: "noisy", command: process.execPath, args: NOISY_ARGS, quarantined: true }];
  writeFileSync(join(dir, "mcp_config.json"), JSON.stringify({ mcpServers }));
  return [BUNDLE, "serve", "--stdio", "--data-dir", dir, ...more];
}
const jsonOf = (result: Json): Json => JSON.parse(result.content[0].text);

/** An upstream that prints what is no message, and much on standard error. */
const NOISY_ARGS = [resolve("test/programs/upstream-stdio.mjs"), "--garbage", "5", "--stderr", "5"];
/** The same as a client adds it. */
const NOISY = { operation: "add", name: "added", command: process.execPath, args_json: JSON.stringify(NOISY_ARGS) };

test("the official client adds, searches and calls over standard streams, and hears nothing but messages", async (t) => {
  const errors: Error[] = [];
  const client = new Client({ name: "end-to-end", version: "1.0.0" });
  client.onerror = (error) => errors.push(error);
  const args = serving(t, "--demo", "--log-level", "trace");
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  t.after(() => client.close());

  const { tools } = await client.listTools();
  const added = jsonOf(await client.callTool({ name: "upstream_servers", arguments: NOISY }));
  const list = async () =>
    jsonOf(await client.callTool({ name: "upstream_servers", arguments: { operation: "list" } }));
  const connected = async (name: string) => (await list()).servers.find((s: Json) => s.name === name).tool_count > 0;
  await until("both are connected", async () => (await connected("noisy")) && (await connected("demo")));
  const search = async () =>
    jsonOf(await client.callTool({ name: "retrieve_tools", arguments: { query: "calculate" } })).tools;
  // The index follows the listing.
  await until("the calculator is found", async () => (await search()).length > 0);
  const [{ name, call_with }] = await search();
  const sum = await client.callTool({
    name: call_with,
    arguments: { name, args: { expression: "6 * 7" }, intent: { operation_type: "read" } },
  });

  assert.ok(tools.some((tool) => tool.name === "retrieve_tools"));
  assert.deepEqual([added.quarantined, added.held], [true, true]);
  assert.equal(await connected("added"), false);
  assert.equal(name, "demo:calculator");
  assert.match(JSON.stringify(sum.content), /42/);
  assert.deepEqual(errors, []);
});

for (const [mode, revision] of [
  ["legacy", "2025-11-25"],
  ["auto", "2026-07-28"],
] as const)
  test(`the official client's second generation connects over standard streams (${mode})`, async (t) => {
    const client = new NextClient({ name: "end-to-end", version: "2.0.0" }, { versionNegotiation: { mode } });
    const args = serving(t);
    await client.connect(new NextTransport({ command: process.execPath, args, stderr: "ignore" }));
    t.after(() => client.close());

    const { tools } = await client.listTools();

    assert.equal(client.getNegotiatedProtocolVersion(), revision);
    assert.ok(tools.some((tool) => tool.name === "retrieve_tools"));
  });

verifies(
  "mcp.error.jsonrpc",
  "every line on standard output is a JSON-RPC message, whatever comes in, and the end of input is the end",
  async (t) => {
    const { child, ended } = start(t, serving(t, "--demo", "--log-level", "trace").slice(1));
    const lines = [
      { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} } },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/list" },
      { id: 3, method: "tools/call", params: { name: "upstream_servers", arguments: NOISY } },
      { id: 4, method: "no/such/method" },
    ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));

    child.stdin.end([...lines, "this is no JSON", "[]", "null", '{"id":{}}', ""].join("\n"));
    const { code, out } = await ended;

    const messages = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Json);
    assert.equal(code, 0);
    for (const { jsonrpc, id, method } of messages) {
      assert.equal(jsonrpc, "2.0");
      assert.ok(method !== undefined || id !== undefined);
    }
    const answered = (id: unknown) => messages.filter((m) => m.id === id && (m.result || m.error)).length;
    assert.deepEqual([1, 2, 3, 4, null].map(answered), [1, 1, 1, 1, 4]);
  },
);
