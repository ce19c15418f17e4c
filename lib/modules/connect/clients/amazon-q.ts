import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "amazon-q",
  name: "Amazon Q Developer",
  format: "json",
  paths: (m) => [folders.home(m, ".aws", "amazonq", "mcp.json")],
  at: () => ["mcpServers"],
  shape: shape({ http: { type: "http" } }),
  creates: true,
  note: "for the command line; agents without useLegacyMcpJson do not read this file",
} satisfies Client;
