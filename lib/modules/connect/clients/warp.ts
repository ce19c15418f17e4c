import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** An entry has no `type`: Warp tries both HTTP transports. */
export default {
  id: "warp",
  name: "Warp",
  format: "json",
  paths: (m) => [folders.home(m, ".warp", ".mcp.json")],
  at: () => ["mcpServers"],
  shape: shape(),
  creates: true,
} satisfies Client;
