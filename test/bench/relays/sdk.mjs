// A relay as most are written: the official SDK on both sides, one upstream, tools passed through.
//   node test/bench/relays/sdk.mjs --upstream http://127.0.0.1:9100/mcp   → prints {"url":…}
import { randomUUID } from "node:crypto";
import http from "node:http";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const { upstream } = parseArgs({ options: { upstream: { type: "string" } } }).values;
const client = new Client({ name: "sdk-relay", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(upstream)));
const transports = new Map();

async function open() {
  const server = new Server({ name: "sdk-relay", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => client.listTools());
  server.setRequestHandler(CallToolRequestSchema, (request) => client.callTool(request.params));
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: true,
    onsessioninitialized: (id) => void transports.set(id, transport),
  });
  await server.connect(transport);
  return transport;
}
const listener = http.createServer(async (req, res) => {
  const transport = transports.get(req.headers["mcp-session-id"]) ?? (await open());
  await transport.handleRequest(req, res);
});
listener.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${listener.address().port}/mcp` })),
);
