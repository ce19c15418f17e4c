// @ts-check
/**
 * A server whose lists use every member that the protocol defines, over standard input and output. With `--era modern`
 * it speaks only 2026-07-28, otherwise 2025-11-25. It also has an app (MCP Apps) with a tool.
 */
import { createInterface } from "node:readline";

/** @typedef {Record<string, any>} Json */

const META = "io.modelcontextprotocol/";
const PAGE = "<!doctype html><title>Board</title>";
/** @param {string} of */
const common = (of) => ({
  title: `Title of ${of}`,
  description: `Description of ${of}.`,
  icons: [
    { src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48", "any"], theme: "light" },
    { src: "data:image/svg+xml;base64,PHN2Zy8+", mimeType: "image/svg+xml", sizes: ["any"], theme: "dark" },
  ],
  _meta: { "example.com/of": of, "example.com/deep": { list: [1, null, "x"] } },
});
const annotations = { audience: ["user", "assistant"], priority: 0.5, lastModified: "2026-01-02T03:04:05Z" };
const inputSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { city: { type: "string", title: "City", enum: ["a", "b"], default: "a" }, at: { $ref: "#/$defs/at" } },
  required: ["city"],
  additionalProperties: false,
  oneOf: [{ required: ["city"] }, { required: ["at"] }],
  $defs: { at: { type: "string", format: "date-time" } },
};
const ui = {
  csp: {
    connectDomains: ["https://api.example.com"],
    resourceDomains: ["https://*.example.com"],
    frameDomains: ["https://frames.example.com"],
    baseUriDomains: ["https://base.example.com"],
  },
  permissions: { camera: {}, microphone: {}, geolocation: {}, clipboardWrite: {} },
  domain: "board.example.com",
  prefersBorder: true,
};

export const LISTED = {
  tools: [
    {
      name: "full",
      ...common("full"),
      inputSchema,
      outputSchema: { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] },
      annotations: {
        title: "Shown title",
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      execution: { taskSupport: "required" },
    },
    { name: "rows", description: "Rows.", inputSchema, outputSchema: { type: "array", items: { type: "number" } } },
    {
      name: "any",
      description: "Anything.",
      inputSchema,
      outputSchema: { anyOf: [{ type: "object" }, { type: "null" }] },
    },
    { name: "least", inputSchema: { type: "object" } },
    {
      name: "show_board",
      description: "Shows the board.",
      inputSchema: { type: "object" },
      _meta: { ui: { resourceUri: "ui://board/main.html" }, "ui/resourceUri": "ui://board/main.html" },
    },
    {
      name: "move_card",
      description: "Moves a card.",
      inputSchema: { type: "object" },
      _meta: { ui: { resourceUri: "ui://board/main.html", visibility: ["app"] } },
    },
  ],
  prompts: [
    {
      name: "full",
      ...common("prompt"),
      arguments: [
        { name: "style", title: "Style", description: "Which style.", required: true },
        { name: "tone", title: "Tone", required: false },
      ],
    },
    { name: "least" },
  ],
  resources: [
    { uri: "file:///full", name: "full", ...common("resource"), mimeType: "text/plain", annotations, size: 12 },
    { uri: "file:///least", name: "least" },
    { uri: "ui://board/main.html", name: "board", mimeType: "text/html;profile=mcp-app", _meta: { ui } },
  ],
  resourceTemplates: [
    { uriTemplate: "file:///{+path}", name: "full", ...common("template"), mimeType: "text/plain", annotations },
    { uriTemplate: "note://{id}{?page,size}", name: "least" },
  ],
};

export const BOARD = { uri: "ui://board/main.html", mimeType: "text/html;profile=mcp-app", text: PAGE, _meta: { ui } };

const capabilities = {
  tools: {},
  prompts: {},
  resources: {},
  tasks: { requests: { tools: { call: {} } } },
  extensions: { [`${META}ui`]: { mimeTypes: ["text/html;profile=mcp-app"] } },
};

/** @param {string} method @param {Json} params @returns {Json} */
function answer(method, params) {
  switch (method) {
    case "server/discover":
      return { supportedVersions: ["2026-07-28"], capabilities };
    case "initialize":
      return { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "fields", version: "1" } };
    case "tools/list":
      return { tools: LISTED.tools };
    case "prompts/list":
      return { prompts: LISTED.prompts };
    case "resources/list":
      return { resources: LISTED.resources };
    case "resources/templates/list":
      return { resourceTemplates: LISTED.resourceTemplates };
    case "resources/read":
      return { contents: [BOARD] };
    case "tools/call":
      if (params.name === "rows") return { content: [{ type: "text", text: "[1]" }], structuredContent: [1] };
      return { content: [{ type: "text", text: `called ${params.name}` }] };
    case "ping":
      return {};
  }
  throw { code: -32601, message: `Method not found: ${method}` };
}

function run() {
  const at = process.argv.indexOf("--era");
  const modern = at > 0 && process.argv[at + 1] === "modern";
  /** @param {Json} message */
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) return;
    try {
      if (method === (modern ? "initialize" : "server/discover")) throw { code: -32601, message: "Method not found" };
      send({ id, result: modern ? { resultType: "complete", ...answer(method, params) } : answer(method, params) });
    } catch (error) {
      send({ id, error });
    }
  });
}

// A test that imports the lists is bundled with this file, so only the script's name shows whether it was started.
if (process.argv[1]?.endsWith("upstream-fields.mjs")) run();
