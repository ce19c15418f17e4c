import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "cursor",
  name: "Cursor",
  format: "json",
  paths: (m) => [folders.home(m, ".cursor", "mcp.json")],
  at: () => ["mcpServers"],
  shape: shape(),
  creates: true,
  signsIn: true,
} satisfies Client;
