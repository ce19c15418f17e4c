import { join } from "node:path";
import type { Client } from "../client.ts";
import { shape } from "../shape.ts";

/** Servers of all projects; those of one project stand in its `.mcp.json`, which is not touched. */
export default {
  id: "claude-code",
  name: "Claude Code",
  format: "json",
  paths: (m) => [join(m.env.CLAUDE_CONFIG_DIR || m.home, ".claude.json")],
  at: () => ["mcpServers"],
  shape: shape({ http: { type: "http" }, sse: { type: "sse" }, stdio: { type: "stdio" } }),
  eager: { alwaysLoad: true },
  creates: true,
} satisfies Client;
