// The MCP server that the program is connected to while its code cache is made: over HTTP within code-cache.cjs, over
// stdio as a program: node build/warm-upstream.cjs
const http = require("node:http");

const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const tools = [{ name: "echo", description: "Answers with the same text.", inputSchema: schema }];

/** @returns the result of a request; undefined for a method that this server does not know */
function resultOf({ method, params }) {
  if (method === "initialize") {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "warm", version: "1" } };
  }
  if (method === "ping") return {};
  if (method === "tools/list") return { tools };
  if (method === "tools/call") return { content: [{ type: "text", text: params.arguments.text }] };
}

/** @returns the answer to one line or body; undefined for a notification */
function answer(text) {
  const { id, ...request } = JSON.parse(text);
  if (id === undefined) return undefined;
  const result = resultOf(request);
  const error = { code: -32601, message: "Method not found" };
  return JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) });
}

/** Starts the server on a free port. @returns its URL and how to end it */
function serveHttp() {
  const server = http.createServer(async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    if (req.method !== "POST") return res.writeHead(405).end();
    const text = answer(body);
    if (text === undefined) return res.writeHead(202).end();
    res.writeHead(200, { "content-type": "application/json" }).end(text);
  });
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}/mcp`)),
  );
}

function serveStdio() {
  const lines = require("node:readline").createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const text = answer(line);
    if (text !== undefined) process.stdout.write(`${text}\n`);
  });
}

if (require.main === module) serveStdio();
module.exports = { serveHttp };
