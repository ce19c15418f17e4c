import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Scope } from "./program.ts";

/** Writes the configuration of Cursor with these servers. Returns the path and the text of the file. */
export function writeCursorFile(home: string, mcpServers: object): { file: string; text: string } {
  const file = join(home, ".cursor", "mcp.json");
  const text = `${JSON.stringify({ mcpServers }, null, 2)}\n`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return { file, text };
}

/** Connects as Cursor does after a setup, by the only entry of its file. */
export async function connectAsCursor(t: Scope, file: string): Promise<Client> {
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual(Object.keys(mcpServers), ["mcpproxy"]);
  const client = new Client({ name: "cursor", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpServers.mcpproxy.url)));
  t.after(() => client.close());
  return client;
}

/** Calls a reading tool of a server, found in search mode. */
export function callRead(client: Client, name: string, args: Record<string, unknown> = {}) {
  return client.callTool({ name: "call_tool_read", arguments: { name, args } });
}
