import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { program, serve, textOf } from "#test/kit/mcp.ts";

test("a client of the next protocol era finds out and speaks the revision of this one", async (t) => {
  const { url } = await serve(t, { servers: [program("up")], connect: true });
  for (const versionNegotiation of [{ mode: "auto" }, undefined] as const) {
    const client = new Client({ name: "newer", version: "2" }, versionNegotiation ? { versionNegotiation } : {});
    t.after(() => client.close());

    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/all`)));

    assert.equal(client.getServerVersion()?.name, "proxy");
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "up__echo"));
    assert.equal(textOf(await client.callTool({ name: "up__echo", arguments: { a: 1 } })), '{"a":1}');
  }
});
