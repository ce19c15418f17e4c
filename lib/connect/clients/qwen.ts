import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export const qwen: Client = {
  id: "qwen",
  name: "Qwen Code",
  format: "jsonc",
  paths: (m) => [folders.home(m, ".qwen", "settings.json")],
  at: () => ["mcpServers"],
  shape: shape({ url: "httpUrl", sseUrl: "url" }),
  creates: true,
};
