// @ts-check
/**
 * A server of the official SDK: `node test/programs/upstream-sdk.mjs <sdk> <transport> [versions] [asks]`.
 *
 *   sdk         1 or 2: its major version
 *   transport   stdio, http, or sse (of 2024-11-05, for SDK 1); but for stdio its address is printed as
 *               upstream-http.mjs prints it
 *   versions    both (default) or modern; for SDK 2
 *   asks        with a tool, a prompt and a resource that ask the client (sdk-asks.mjs)
 *
 * The result of its tool `hi` contains the `_meta` of the call, as the SDK received it.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServer2 } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { addAsks1, addAsks2 } from "./sdk-asks.mjs";

const [sdk, transport, versions = "both", asks] = process.argv.slice(2);
const legacy = versions === "modern" ? /** @type {const} */ ({ legacy: "reject" }) : {};
/** @param {object} [received] the `_meta` of the call */
const answer = (received) => ({
  content: [{ type: /** @type {const} */ ("text"), text: "hi" }],
  ...(received && { _meta: { "test/received": received } }),
});

function build1() {
  const server = new McpServer1({ name: "sdk-1", version: "1" });
  server.registerTool("hi", { inputSchema: {} }, async (_, { _meta }) => answer(_meta));
  if (asks) addAsks1(server);
  return server;
}
function build2() {
  const server = new McpServer2({ name: "sdk-2", version: "1" });
  server.registerTool("hi", { inputSchema: z.object({}) }, async (_, { mcpReq }) => answer(mcpReq._meta));
  if (asks) addAsks2(server);
  return server;
}

/** @param {import("node:http").IncomingMessage} request */
async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @type {Map<string, StreamableHTTPServerTransport>} */
const sessions = new Map();
/** @type {import("node:http").RequestListener} */
async function serve1(request, response) {
  const body = await bodyOf(request);
  const message = body.length > 0 ? JSON.parse(body.toString()) : undefined;
  let to = sessions.get(String(request.headers["mcp-session-id"]));
  if (!to) {
    /** @type {StreamableHTTPServerTransport} */
    const opened = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, opened),
    });
    await build1().connect(/** @type {any} */ (opened));
    to = opened;
  }
  await to.handleRequest(request, response, message);
}

/** @type {Map<string, SSEServerTransport>} */
const streams = new Map();
/** @type {import("node:http").RequestListener} */
async function serveSse(request, response) {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  if (pathname !== "/mcp") {
    const to = streams.get(searchParams.get("sessionId") ?? "");
    if (to) await to.handlePostMessage(request, response);
    else response.writeHead(404).end();
    return;
  }
  if (request.method !== "GET") return void response.writeHead(405).end();
  const opened = new SSEServerTransport("/messages", response);
  streams.set(opened.sessionId, opened);
  await build1().connect(/** @type {any} */ (opened));
}

const handler = createMcpHandler(build2, legacy);
/** @type {import("node:http").RequestListener} */
async function serve2(request, response) {
  const body = await bodyOf(request);
  const given = await handler.fetch(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? "GET",
      headers: /** @type {Record<string, string>} */ (request.headers),
      ...(body.length > 0 && { body }),
    }),
  );
  response.writeHead(given.status, Object.fromEntries(given.headers));
  if (given.body) for await (const chunk of given.body) response.write(chunk);
  response.end();
}

if (transport === "stdio") {
  if (sdk === "1") await build1().connect(new StdioServerTransport());
  else serveStdio(build2, legacy);
} else {
  const server = createServer(transport === "sse" ? serveSse : sdk === "1" ? serve1 : serve2);
  server.listen(0, "127.0.0.1", () => {
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/mcp`, pid: process.pid }));
  });
}
