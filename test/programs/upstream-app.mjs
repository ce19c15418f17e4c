// @ts-check
/**
 * A server of the official SDK with a user interface (MCP Apps): `node test/programs/upstream-app.mjs <page>`.
 *
 *   ui://board/main   the page, read from a file
 *   show_board        names it as its interface
 *   move_card {to}    only for apps
 */
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const page = process.argv[2] ?? "";
const uri = "ui://board/main";
const mimeType = "text/html;profile=mcp-app";
const annotations = { readOnlyHint: true };
/** @param {string} text */
const said = (text) => ({ content: [{ type: /** @type {const} */ ("text"), text }] });

serveStdio(() => {
  const server = new McpServer({ name: "app", version: "1" });
  server.registerResource("board", uri, { mimeType }, async () => ({
    contents: [{ uri, mimeType, text: readFileSync(page, "utf8") }],
  }));
  server.registerTool(
    "show_board",
    { inputSchema: z.object({ column: z.string() }), annotations, _meta: { ui: { resourceUri: uri } } },
    async ({ column }) => said(`board with ${column}`),
  );
  server.registerTool(
    "move_card",
    {
      inputSchema: z.object({ to: z.string() }),
      annotations,
      _meta: { ui: { resourceUri: uri, visibility: ["app"] } },
    },
    async ({ to }) => said(`moved to ${to}`),
  );
  return server;
});
