import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** Earlier versions keep their file in a separate folder. */
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
