import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "lm-studio",
  name: "LM Studio",
  format: "json",
  paths: (m) => [folders.home(m, ".lmstudio", "mcp.json")],
  at: () => ["mcpServers"],
  shape: shape(),
  creates: true,
} satisfies Client;
