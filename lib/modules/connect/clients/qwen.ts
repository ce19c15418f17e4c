import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "qwen",
  name: "Qwen Code",
  format: "jsonc",
  paths: (m) => [join(folders.named(m, "QWEN_HOME", ".qwen"), "settings.json")],
  at: () => ["mcpServers"],
  shape: shape({ url: "httpUrl", sseUrl: "url", sse: { type: "sse" } }),
  creates: true,
} satisfies Client;
