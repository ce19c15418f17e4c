import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "auggie",
  name: "Auggie",
  format: "jsonc",
  paths: (m) => [folders.home(m, ".augment", "settings.json")],
  at: () => ["mcpServers"],
  shape: shape({ http: { type: "http" }, sse: { type: "sse" }, stdio: { type: "stdio" } }),
  creates: true,
  note: "Augment's command line",
} satisfies Client;
