// @ts-check
/**
 * A server of the official SDK that reports updates of resources and writes log messages:
 * `node test/programs/upstream-live.mjs <sdk> <transport>`, as `upstream-sdk.mjs`.
 *
 *   file:///log, file:///more   resources that can be subscribed to
 *   touch {uri, times}          reports a resource as updated; answers what is subscribed to, with the number of requests for it
 *   say {level, text, times}    writes log messages in the name of the call
 *   mutter {level, text}        writes one that names no call, where the protocol version knows that
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, McpServer as McpServer2 } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const [sdk, transport] = process.argv.slice(2);
const capabilities = { resources: { subscribe: true, listChanged: true }, logging: {} };
const URIS = ["file:///log", "file:///more"];
/** @param {unknown} value */
const answer = (value) => ({ content: [{ type: /** @type {const} */ ("text"), text: JSON.stringify(value) }] });
/** @param {URL} uri */
const read = async (uri) => ({ contents: [{ uri: uri.href, text: "read" }] });
const Touch = { uri: z.string(), times: z.number().optional() };
const Say = { level: z.string(), text: z.string(), times: z.number().optional() };
const annotations = { readOnlyHint: true };

/**
 * Number of requests for each resource, and whether one is open. @type {Map<string, { asked: number, open: boolean }>}
 */
const watched = new Map();
/** @type {Set<McpServer1>} */
const open = new Set();

/** @param {string} uri @param {boolean} isOpen */
function watch(uri, isOpen) {
  const asked = (watched.get(uri)?.asked ?? 0) + (isOpen ? 1 : 0);
  watched.set(uri, { asked, open: isOpen });
  return {};
}
const subscribed = () => [...watched].filter(([, one]) => one.open).map(([uri, { asked }]) => [uri, asked]);

function build1() {
  const server = new McpServer1({ name: "live-1", version: "1" }, { capabilities });
  open.add(server);
  server.server.onclose = () => open.delete(server);
  for (const uri of URIS) server.registerResource(uri, uri, {}, read);
  server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => watch(params.uri, true));
  server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => watch(params.uri, false));
  server.registerTool("touch", { inputSchema: Touch, annotations }, async ({ uri, times = 1 }) => {
    for (let i = 0; i < times; i++) for (const one of open) void one.server.sendResourceUpdated({ uri });
    return answer(subscribed());
  });
  server.registerTool("say", { inputSchema: Say, annotations }, async ({ level, text: data, times = 1 }, extra) => {
    const params = { level: /** @type {any} */ (level), logger: "tool", data };
    for (let i = 0; i < times; i++) await extra.sendNotification({ method: "notifications/message", params });
    return answer("said");
  });
  server.registerTool("mutter", { inputSchema: Say, annotations }, async ({ level, text: data }) => {
    const params = { level: /** @type {any} */ (level), data };
    setTimeout(() => void server.server.notification({ method: "notifications/message", params }), 200);
    return answer("muttered");
  });
  return server;
}

/** @type {(uri: string) => void} */
let report = () => {};
function build2() {
  const server = new McpServer2({ name: "live-2", version: "1" }, { capabilities });
  if (transport === "stdio") report = (uri) => void server.server.sendResourceUpdated({ uri });
  for (const uri of URIS) server.registerResource(uri, uri, {}, read);
  server.registerTool("touch", { inputSchema: z.object(Touch), annotations }, async ({ uri, times = 1 }) => {
    for (let i = 0; i < times; i++) report(uri);
    return answer([]);
  });
  server.registerTool("say", { inputSchema: z.object(Say), annotations }, async ({ level, text, times = 1 }, ctx) => {
    for (let i = 0; i < times; i++) await ctx.mcpReq.log(/** @type {any} */ (level), text, "tool");
    return answer("said");
  });
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

const handler = createMcpHandler(build2);
if (transport === "http") report = (uri) => handler.notify.resourceUpdated(uri);
/** @type {import("node:http").RequestListener} */
async function serve2(request, response) {
  const body = await bodyOf(request);
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const given = await handler.fetch(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? "GET",
      headers: /** @type {Record<string, string>} */ (request.headers),
      signal: gone.signal,
      ...(body.length > 0 && { body }),
    }),
  );
  response.writeHead(given.status, Object.fromEntries(given.headers));
  response.flushHeaders();
  if (given.body) for await (const chunk of given.body) response.write(chunk);
  response.end();
}

if (transport === "stdio") {
  if (sdk === "1") await build1().connect(new StdioServerTransport());
  else serveStdio(build2);
} else {
  const server = createServer((request, response) => {
    const served = sdk === "1" ? serve1(request, response) : serve2(request, response);
    served?.catch?.(() => response.destroy());
  });
  server.listen(0, "127.0.0.1", () => {
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/mcp`, pid: process.pid }));
  });
}
