import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** The editor and the command line share this file. */
export default {
  id: "kiro",
  name: "Kiro",
  format: "json",
  paths: (m) => [folders.home(m, ".kiro", "settings", "mcp.json")],
  at: () => ["mcpServers"],
  shape: shape(),
  creates: true,
} satisfies Client;
