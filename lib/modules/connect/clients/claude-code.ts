import { join } from "node:path";
import type { Client } from "../client.ts";
import { shape } from "../shape.ts";

/** The servers for all projects. Those of a single project are in its `.mcp.json`, which the proxy does not change. */
export default {
  id: "claude-code",
  name: "Claude Code",
  format: "json",
  paths: (m) => [join(m.env.CLAUDE_CONFIG_DIR || m.home, ".claude.json")],
  at: () => ["mcpServers"],
  shape: shape({ http: { type: "http" }, sse: { type: "sse" }, stdio: { type: "stdio" } }),
  eager: { alwaysLoad: true },
  creates: true,
  signsIn: true,
} satisfies Client;
