import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** The editor and the command line share this file. An entry has no `type`. */
export default {
  id: "junie",
  name: "JetBrains Junie",
  format: "json",
  paths: (m) => [folders.home(m, ".junie", "mcp", "mcp.json")],
  at: () => ["mcpServers"],
  shape: shape(),
  creates: true,
} satisfies Client;
