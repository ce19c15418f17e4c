import { join } from "node:path";
import type { Client } from "../client.ts";
import { shape } from "../shape.ts";

/** `httpUrl` stands for the current HTTP transport, `url` for the older one. */
export default {
  id: "gemini",
  name: "Gemini CLI",
  format: "jsonc",
  paths: (m) => [join(m.env.GEMINI_CLI_HOME || m.home, ".gemini", "settings.json")],
  at: () => ["mcpServers"],
  shape: shape({ url: "httpUrl", sseUrl: "url", sse: { type: "sse" } }),
  creates: true,
  signsIn: true,
} satisfies Client;
