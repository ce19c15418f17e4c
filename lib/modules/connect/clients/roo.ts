import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "roo",
  name: "Roo Code",
  format: "json",
  paths: (m) => [
    folders.app(m, "Code", "User", "globalStorage", "rooveterinaryinc.roo-cline", "settings", "mcp_settings.json"),
  ],
  at: () => ["mcpServers"],
  shape: shape({ http: { type: "streamable-http" }, sse: { type: "sse" } }),
  creates: true,
  note: "Roo Code in VS Code",
} satisfies Client;
