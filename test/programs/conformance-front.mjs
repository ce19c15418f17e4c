// @ts-check
/**
 * An HTTP server in front of an MCP endpoint that hides a prefix of tool names: `node test/programs/conformance-front.mjs
 * --to http://127.0.0.1:8080/mcp/all --prefix fixture__`. Prints `{"url":…}`.
 *
 * The conformance suite calls tools by fixed names. Names in a `tools/call` and in `Mcp-Name` get the prefix, names in
 * a `tools/list` lose it, and everything else is forwarded unchanged: method, headers with Host and Origin, status, and
 * bodies in pieces.
 */
import { createServer, request } from "node:http";
import { readFlags } from "./core.mjs";

const { to, prefix } = readFlags();

const server = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const { body, listing } = outward(Buffer.concat(chunks));
  const raw = pairs(req.rawHeaders, body);
  const calling = req.headers["mcp-method"] === "tools/call";
  const headers = raw.map((text, i) => (calling && isName(raw, i) ? prefixed(text) : text));
  const forward = request(to, { method: req.method, headers, agent: false }, (answer) => {
    const { statusCode = 502, rawHeaders } = answer;
    if (!listing) {
      res.writeHead(statusCode, rawHeaders);
      return answer.pipe(res);
    }
    let text = "";
    answer.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    answer.on("end", () => {
      const shown = Buffer.from(text.replaceAll(`"name":"${prefix}`, '"name":"'));
      res.writeHead(statusCode, pairs(rawHeaders, shown)).end(shown);
    });
  });
  forward.on("error", () => res.destroy());
  res.on("close", () => forward.destroy());
  forward.end(body);
});

/** The body for the endpoint, and whether the request lists tools. @param {Buffer} body */
function outward(body) {
  if (body.length === 0) return { body, listing: false };
  const message = JSON.parse(body.toString());
  if (message.method === "tools/call") {
    message.params.name = prefix + message.params.name;
    return { body: Buffer.from(JSON.stringify(message)), listing: false };
  }
  return { body, listing: message.method === "tools/list" };
}

/** Whether this is the value of the header that repeats a tool's name. @param {string[]} raw @param {number} i */
function isName(raw, i) {
  return i % 2 === 1 && raw[i - 1]?.toLowerCase() === "mcp-name";
}

/** Adds the prefix to a header value and keeps the white space around it. @param {string} value */
function prefixed(value) {
  return value.replace(/\S/, (first) => prefix + first);
}

/** Raw headers with the length of another body. @param {string[]} raw @param {Buffer} body */
function pairs(raw, body) {
  return raw.map((text, i) => (raw[i - 1]?.toLowerCase() === "content-length" && i % 2 ? String(body.length) : text));
}

server.listen(0, "127.0.0.1", () => {
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}/`, pid: process.pid })}\n`);
});
