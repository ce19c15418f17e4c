import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "droid",
  name: "Factory Droid",
  format: "json",
  paths: (m) => [folders.home(m, ".factory", "mcp.json")],
  at: () => ["mcpServers"],
  shape: shape({ http: { type: "http", disabled: false }, stdio: { type: "stdio", disabled: false } }),
  creates: true,
} satisfies Client;
