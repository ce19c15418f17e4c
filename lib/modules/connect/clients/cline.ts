import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

const FILE = "cline_mcp_settings.json";

/** The command line and the editors share one file. Versions of the extension that do not use it yet keep their own. */
export default {
  id: "cline",
  name: "Cline",
  format: "json",
  paths: (m) => [
    m.env.CLINE_MCP_SETTINGS_PATH ||
      join(m.env.CLINE_DATA_DIR || join(folders.named(m, "CLINE_DIR", ".cline"), "data"), "settings", FILE),
    folders.app(m, "Code", "User", "globalStorage", "saoudrizwan.claude-dev", "settings", FILE),
  ],
  at: () => ["mcpServers"],
  shape: shape({ http: { type: "streamableHttp" }, sse: { type: "sse" }, stdio: { type: "stdio" } }),
  creates: true,
} satisfies Client;
