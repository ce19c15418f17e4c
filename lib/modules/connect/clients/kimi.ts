import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** The previous version uses a different folder. */
export default {
  id: "kimi",
  name: "Kimi Code",
  format: "json",
  paths: (m) => [
    join(folders.named(m, "KIMI_CODE_HOME", ".kimi-code"), "mcp.json"),
    folders.home(m, ".kimi", "mcp.json"),
  ],
  at: () => ["mcpServers"],
  shape: shape({ sse: { transport: "sse" } }),
  creates: true,
} satisfies Client;
