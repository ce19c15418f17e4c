// @ts-check
/** A server of the official SDK with prompts, resources, a template and completions, over stdio. */
import { completable } from "@modelcontextprotocol/sdk/server/completable.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "items", version: "1" });
const text = (/** @type {URL} */ uri, /** @type {string} */ said) => ({ contents: [{ uri: uri.href, text: said }] });

server.registerResource("readme", "file:///readme", { title: "Read me" }, async (uri) =>
  text(uri, "read file:///readme"),
);
server.registerResource(
  "note",
  new ResourceTemplate("note://{id}", { list: undefined, complete: { id: (value) => [`${value}1`, `${value}2`] } }),
  {},
  async (uri, { id }) => text(uri, `note ${id}`),
);
server.registerPrompt(
  "review",
  { argsSchema: { style: completable(z.string(), (value) => [`${value}!`]) } },
  ({ style }) => ({
    messages: [
      { role: "user", content: { type: "text", text: `review ${style}` } },
      { role: "user", content: { type: "resource", resource: { uri: "file:///readme", text: "it" } } },
    ],
  }),
);
server.registerTool(
  "link",
  { inputSchema: { to: z.string() }, annotations: { readOnlyHint: true } },
  async ({ to }) => ({
    content: [
      { type: "text", text: `linked ${to}` },
      { type: "resource_link", uri: "file:///readme", name: "r" },
      { type: "resource_link", uri: "https://example.com/x", name: "w" },
    ],
  }),
);
await server.connect(new StdioServerTransport());
