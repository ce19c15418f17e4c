import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

const all = { tools: ["*"] };

export default {
  id: "copilot-cli",
  name: "GitHub Copilot CLI",
  format: "json",
  paths: (m) => [join(folders.named(m, "COPILOT_HOME", ".copilot"), "mcp-config.json")],
  at: () => ["mcpServers"],
  shape: shape({ http: { type: "http", ...all }, sse: { type: "sse", ...all }, stdio: { type: "local", ...all } }),
  eager: { deferTools: "never" },
  creates: true,
} satisfies Client;
