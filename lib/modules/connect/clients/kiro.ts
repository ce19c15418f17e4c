import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** Editor and command line read the one file. */
export default {
  id: "kiro",
  name: "Kiro",
  format: "json",
  paths: (m) => [folders.home(m, ".kiro", "settings", "mcp.json")],
  at: () => ["mcpServers"],
  shape: shape(),
  creates: true,
} satisfies Client;
