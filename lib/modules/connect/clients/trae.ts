import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "trae",
  name: "Trae",
  format: "json",
  paths: (m) => [folders.app(m, "Trae", "User", "mcp.json"), folders.app(m, "Trae CN", "User", "mcp.json")],
  at: () => ["mcpServers"],
  shape: shape(),
  creates: true,
} satisfies Client;
