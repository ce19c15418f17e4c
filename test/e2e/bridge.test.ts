import assert from "node:assert/strict";
import { test } from "node:test";
import { Client as NextClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NextTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { program } from "#test/kit/mcp.ts";
import { BUNDLE, start } from "#test/kit/program.ts";
import { callThrough, jsonOf, KEY, serve } from "./daemon.ts";

const servers = { mcpServers: [{ ...program("up"), quarantined: false }] };
const bridged = (dir: string, ...more: string[]) => ({
  command: process.execPath,
  args: [BUNDLE, "bridge", "--data-dir", dir, ...more],
  stderr: "ignore" as const,
});

test("the official client calls and answers questions through the bridge, also after the proxy was killed", async (t) => {
  const first = await serve(t, { config: servers });
  const { dir } = first;
  await first.listed("up");
  const client = new Client({ name: "end-to-end", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { name: "Ann" } }));
  await client.connect(new StdioClientTransport(bridged(dir)));
  t.after(() => client.close());

  assert.ok((await client.listTools()).tools.some(({ name }) => name === "retrieve_tools"));
  assert.deepEqual(jsonOf(await callThrough(client, "call_tool_read", "up:echo", { n: 1 })), { n: 1 });
  assert.match(JSON.stringify(await callThrough(client, "call_tool_read", "up:ask", {})), /Ann/);

  first.child.kill("SIGKILL");
  await first.ended;
  const second = await serve(t, { dir });
  await second.listed("up");
  assert.deepEqual(jsonOf(await callThrough(client, "call_tool_read", "up:echo", { n: 2 })), { n: 2 });
});

for (const [mode, revision] of [
  ["legacy", "2025-11-25"],
  ["auto", "2026-07-28"],
] as const)
  test(`the official client's second generation connects through the bridge (${mode})`, async (t) => {
    const { dir, listed } = await serve(t, { config: servers });
    await listed("up");
    const client = new NextClient({ name: "end-to-end", version: "2.0.0" }, { versionNegotiation: { mode } });
    await client.connect(new NextTransport(bridged(dir, "--routing-mode", "direct")));
    t.after(() => client.close());

    const { tools } = await client.listTools();
    const echoed = await client.callTool({ name: "up__echo", arguments: { text: "é" } });

    assert.equal(client.getNegotiatedProtocolVersion(), revision);
    assert.ok(tools.some(({ name }) => name === "up__echo"));
    assert.deepEqual(jsonOf(echoed), { text: "é" });
  });

test("over a URL the bridge shows its token, and never the administrator's key in the configuration", async (t) => {
  const { dir, url } = await serve(t, { config: { ...servers, require_mcp_auth: true } });
  const ping = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`;
  const run = async (env: Record<string, string>, ...more: string[]) => {
    const { child, ended } = start(t, ["bridge", "--data-dir", dir, "--url", url, ...more], env);
    child.stdin.end(ping);
    const { code, out } = await ended;
    return [code, JSON.parse(out)];
  };

  const [refused, { error }] = await run({});
  assert.equal(refused, 1);
  assert.match(error.message, /Authentication required/);
  for (const [code, { result }] of [await run({ SERVICE_API_KEY: KEY }), await run({}, "--api-key", KEY)]) {
    assert.equal(code, 0);
    assert.ok(result.tools.length > 3);
  }
});
