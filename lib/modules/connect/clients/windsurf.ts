import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "windsurf",
  name: "Windsurf",
  format: "json",
  paths: (m) => [folders.home(m, ".codeium", "windsurf", "mcp_config.json")],
  at: () => ["mcpServers"],
  shape: shape({ url: "serverUrl" }),
  creates: true,
  note: "versions before it became Devin Desktop, whose id is devin",
} satisfies Client;
