import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** `httpUrl` is the present transport, `url` the older one. */
export const gemini: Client = {
  id: "gemini",
  name: "Gemini CLI",
  format: "jsonc",
  paths: (m) => [folders.home(m, ".gemini", "settings.json")],
  at: () => ["mcpServers"],
  shape: shape({ url: "httpUrl", sseUrl: "url" }),
  creates: true,
};
