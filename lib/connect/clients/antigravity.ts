import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export const antigravity: Client = {
  id: "antigravity",
  name: "Antigravity",
  format: "json",
  paths: (m) => [folders.home(m, ".gemini", "antigravity", "mcp_config.json")],
  at: () => ["mcpServers"],
  shape: shape({ url: "serverUrl" }),
  creates: true,
};
