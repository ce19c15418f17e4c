// @ts-check
/**
 * A tool, a prompt and a resource of servers of the official SDK that ask the client for a form, a URL, a sample or
 * roots.
 */
import { ResourceTemplate as ResourceTemplate1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { inputRequired, ResourceTemplate as ResourceTemplate2 } from "@modelcontextprotocol/server";
import { z } from "zod";

const FORM = {
  message: "Your name?",
  requestedSchema: {
    type: /** @type {const} */ ("object"),
    properties: { name: { type: /** @type {const} */ ("string") } },
    required: ["name"],
  },
};
const ADDRESS = { message: "Sign in", url: "https://sign-in.example.com/x" };
const SAMPLE = {
  messages: [{ role: /** @type {const} */ ("user"), content: { type: /** @type {const} */ ("text"), text: "2+2?" } }],
  maxTokens: 5,
};

/** @type {Record<string, [method: string, params: object, schema: any]>} */
const QUESTIONS_1 = {
  form: ["elicitation/create", { mode: "form", ...FORM }, ElicitResultSchema],
  url: ["elicitation/create", { mode: "url", elicitationId: "e-1", ...ADDRESS }, ElicitResultSchema],
  sampling: ["sampling/createMessage", SAMPLE, CreateMessageResultSchema],
  roots: ["roots/list", {}, ListRootsResultSchema],
};
/** @type {Record<string, () => any>} */
const QUESTIONS_2 = {
  form: () => inputRequired.elicit(FORM),
  url: () => inputRequired.elicitUrl(ADDRESS),
  sampling: () => inputRequired.createMessage(SAMPLE),
  roots: () => inputRequired.listRoots(),
};

/** @param {unknown} said */
const asTool = (said) => ({ content: [{ type: /** @type {const} */ ("text"), text: JSON.stringify(said) }] });
/** @param {unknown} said */
const asPrompt = (said) => ({
  messages: [
    {
      role: /** @type {const} */ ("user"),
      content: { type: /** @type {const} */ ("text"), text: JSON.stringify(said) },
    },
  ],
});
/** @param {URL} uri @param {unknown} said */
const asResource = (uri, said) => ({ contents: [{ uri: uri.href, text: JSON.stringify(said) }] });
const READ = { readOnlyHint: true };

/** @param {import("@modelcontextprotocol/sdk/server/mcp.js").McpServer} server */
export function addAsks1(server) {
  /** @param {string} kind @param {any} extra */
  const ask = (kind, extra) => {
    const [method, params, schema] = QUESTIONS_1[kind] ?? [];
    return extra.sendRequest({ method, params }, schema);
  };
  server.registerTool("ask", { inputSchema: { kind: z.string() }, annotations: READ }, async ({ kind }, extra) =>
    asTool(await ask(kind, extra)),
  );
  server.registerPrompt("ask", { argsSchema: { kind: z.string() } }, async ({ kind }, extra) =>
    asPrompt(await ask(kind, extra)),
  );
  const template = new ResourceTemplate1("ask://{kind}", { list: undefined });
  server.registerResource("ask", template, {}, async (uri, { kind }, extra) =>
    asResource(uri, await ask(String(kind), extra)),
  );
}

/** @param {import("@modelcontextprotocol/server").McpServer} server */
export function addAsks2(server) {
  /** @param {string} kind @param {any} context @param {(said: unknown) => any} done */
  const ask = (kind, context, done) => {
    const { it } = context.mcpReq.inputResponses ?? {};
    return it ? done(it) : inputRequired({ inputRequests: { it: QUESTIONS_2[kind]?.() } });
  };
  server.registerTool(
    "ask",
    { inputSchema: z.object({ kind: z.string() }), annotations: READ },
    async ({ kind }, context) => ask(kind, context, asTool),
  );
  server.registerPrompt("ask", { argsSchema: z.object({ kind: z.string() }) }, async ({ kind }, context) =>
    ask(kind, context, asPrompt),
  );
  const template = new ResourceTemplate2("ask://{kind}", { list: undefined });
  server.registerResource("ask", template, {}, async (uri, { kind }, context) =>
    ask(String(kind), context, (said) => asResource(uri, said)),
  );
}
