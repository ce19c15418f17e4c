// @ts-check
/**
 * Lets a running proxy act as the client for the official conformance suite: `node test/programs/conformance-client.mjs
 * PROXY_URL API_KEY SERVER_URL` connects the proxy to the suite's server, calls every tool, reads every resource and
 * gets every prompt. It accepts each question with the defaults of its form.
 */
import { META } from "./core.mjs";

const [proxy = "", key = "", url = ""] = process.argv.slice(2);
const name = `s${new URL(url).port}`;
const { toolCalls = [] } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

/** @typedef {Record<string, any>} Json */

/** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
async function api(method, path, body) {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await fetch(`${proxy}/api/v1/${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return await answer.json();
}

const _meta = {
  [`${META}protocolVersion`]: "2026-07-28",
  [`${META}clientInfo`]: { name: "conformance", version: "1" },
  [`${META}clientCapabilities`]: { elicitation: { form: {} } },
};

/** @param {string} method @param {Json} [params] @param {Record<string, string>} [extra] @returns {Promise<Json>} */
async function mcp(method, params = {}, extra = {}) {
  const answer = await fetch(`${proxy}/mcp/all`, {
    method: "POST",
    headers: {
      "x-api-key": key,
      "content-type": "application/json",
      accept: "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...((params.name ?? params.uri) && { "mcp-name": params.name ?? params.uri }),
      ...extra,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const { result } = /** @type {Json} */ (await answer.json());
  if (result?.resultType !== "input_required") return result ?? {};
  const { inputRequests, requestState } = result;
  const inputResponses = Object.fromEntries(
    Object.entries(inputRequests).map(([id, { params: form }]) => [id, { action: "accept", content: defaults(form) }]),
  );
  return mcp(method, { ...params, inputResponses, ...(requestState && { requestState }) }, extra);
}

/** @param {Json} form */
function defaults({ requestedSchema: { properties } }) {
  const given = Object.entries(properties).filter(([, schema]) => "default" in schema);
  return Object.fromEntries(given.map(([field, schema]) => [field, schema.default]));
}

/** A value for each parameter that a tool needs. @param {Json} tool */
function filled({ inputSchema: { properties = {}, required = [] } }) {
  return Object.fromEntries(
    required.map((/** @type {string} */ field) => [field, properties[field]?.type === "number" ? 1 : "x"]),
  );
}

/** The headers that repeat arguments. @param {Json} tool @param {Json} args @returns {Record<string, string>} */
function mirrored({ inputSchema: { properties = {} } }, args) {
  const marked = Object.keys(args).filter((field) => properties[field]?.["x-mcp-header"]);
  return Object.fromEntries(
    marked.map((field) => [`mcp-param-${properties[field]["x-mcp-header"]}`, String(args[field])]),
  );
}

/** @param {string} method @param {string} member @returns {Promise<Json[]>} */
async function listed(method, member) {
  return (await mcp(method))[member] ?? [];
}

await api("POST", "servers", { name, url, quarantined: false, auto_approve_tool_changes: true });
// Two of the suite's servers have no tools.
const hasTools = !["initialize", "request-metadata"].includes(process.env.MCP_CONFORMANCE_SCENARIO ?? "");
for (let left = 300; left > 0; left--) {
  const { data } = await api("GET", "servers");
  const server = data.servers.find((/** @type {Json} */ one) => one.name === name);
  if (server?.connected && (!hasTools || server.tool_count > 0)) break;
  await new Promise((done) => setTimeout(done, 50));
}
for (const { name: tool, arguments: args } of toolCalls)
  await api("POST", "tools/call", { tool_name: `${name}:${tool}`, arguments: args });
const tools = (await listed("tools/list", "tools")).filter((tool) => tool.name.startsWith(`${name}__`));
// One scenario expects a tool's schema back as it was listed.
const schema = tools.find((tool) => tool.name.endsWith("__json_schema_2020_12_tool"))?.inputSchema;
if (toolCalls.length === 0)
  for (const tool of tools) {
    const args = schema && tool.name.endsWith("__json_schema_echo") ? { schema } : filled(tool);
    await mcp("tools/call", { name: tool.name, arguments: args }, mirrored(tool, args));
  }
for (const { uri } of await listed("resources/list", "resources")) await mcp("resources/read", { uri });
for (const { name } of await listed("prompts/list", "prompts")) await mcp("prompts/get", { name });
await api("DELETE", `servers/${name}`);
