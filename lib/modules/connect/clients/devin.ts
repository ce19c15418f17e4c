import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** The editor, formerly Windsurf, and the command line share this file. */
export default {
  id: "devin",
  name: "Devin",
  format: "json",
  paths: (m) => [
    m.platform === "win32" ? folders.app(m, "devin", "mcp_config.json") : folders.xdg(m, "devin", "mcp_config.json"),
  ],
  at: () => ["mcpServers"],
  shape: shape({ http: { transport: "http" }, sse: { transport: "sse" } }),
  creates: true,
  note: "Devin Desktop, formerly Windsurf, and Devin CLI",
} satisfies Client;
