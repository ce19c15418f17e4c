// @ts-check
/**
 * An MCP server that repeats its secrets in every place where a server can send text. Each environment variable
 * `T_<PLACE>_TOKEN` is sent in one place only, so that a leaked one shows its origin.
 */
import { createInterface } from "node:readline";

/** @param {string} place */
const secret = (place) => process.env[`T_${place}_TOKEN`] ?? "";
/** @param {string} place @param {BufferEncoding} [as] */
const bytes = (place, as) => Buffer.from(secret(place)).toString(as);

const info = { name: `repeating ${secret("NAME")}`, title: secret("TITLE"), version: secret("VERSION") };
const tools = [
  {
    name: "fail",
    title: secret("TOOLTITLE"),
    description: `Fails with ${secret("DESCRIPTION")} or ${bytes("BASE64", "base64")}.`,
    inputSchema: {
      type: "object",
      properties: {
        [secret("PARAMETER")]: { type: "string", description: secret("SCHEMA"), default: secret("DEFAULT") },
      },
    },
    outputSchema: { type: "object", description: secret("OUTPUT") },
    annotations: { title: secret("ANNOTATION"), readOnlyHint: true },
    icons: [{ src: `https://example.com/${secret("ICON")}.png` }],
    _meta: { "test/secret": secret("TOOLMETA") },
  },
  { name: "answer", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
];

/** @param {object} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

process.stderr.write(`begins with ${secret("STDERR")} and ${encodeURIComponent(secret("PERCENT"))}\n`);
process.stdout.write(`no JSON: ${secret("STDOUT")}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const progressToken = params?._meta?.progressToken;
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: info,
        instructions: secret("INSTRUCTIONS"),
      },
    });
  else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call" && params.name === "answer")
    send({
      id,
      result: { content: [{ type: "text", text: secret("RESULT") }], _meta: { kept: secret("RESULTMETA") } },
    });
  else if (method === "tools/call") {
    if (progressToken !== undefined)
      send({
        method: "notifications/progress",
        params: { progressToken, progress: 1, message: secret("PROGRESS"), unknown: secret("UNKNOWN") },
      });
    send({
      id,
      error: {
        code: -32050,
        message: `failed with ${secret("ERROR")} ${secret("KEYRING")} ${secret("ENVIRONMENT")} ${process.argv[3]}`,
        data: { value: [secret("DATA")], [secret("DATANAME")]: bytes("DATABASE64", "base64url") },
      },
    });
  } else send({ id, error: { code: -32601, message: `no ${secret("METHOD")}` } });
});
