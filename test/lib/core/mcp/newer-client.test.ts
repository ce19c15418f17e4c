import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { program, serve, textOf } from "#test/kit/mcp.ts";

const NEGOTIATIONS = [
  ["asks for the newer era first", { mode: "auto" }, "2026-07-28"],
  ["insists on it", { mode: { pin: "2026-07-28" } }, "2026-07-28"],
  ["asks for nothing", undefined, "2025-11-25"],
] as const;
for (const [says, versionNegotiation, revision] of NEGOTIATIONS)
  test(`a client of the second generation that ${says} finds and calls tools`, async (t) => {
    const { url } = await serve(t, { servers: [program("up")], connect: true });
    const client = new Client({ name: "newer", version: "2" }, versionNegotiation ? { versionNegotiation } : {});
    t.after(() => client.close());

    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/all`)));

    assert.equal(client.getNegotiatedProtocolVersion(), revision);
    assert.equal(client.getServerVersion()?.name, "proxy");
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "up__echo"));
    assert.equal(textOf(await client.callTool({ name: "up__echo", arguments: { a: 1 } })), '{"a":1}');
  });
