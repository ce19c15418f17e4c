import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** Earlier versions have their file in a folder of their own. */
export default {
  id: "antigravity",
  name: "Antigravity",
  format: "json",
  paths: (m) => [
    folders.home(m, ".gemini", "config", "mcp_config.json"),
    folders.home(m, ".gemini", "antigravity", "mcp_config.json"),
  ],
  at: () => ["mcpServers"],
  shape: shape({ url: "serverUrl" }),
  creates: true,
} satisfies Client;
