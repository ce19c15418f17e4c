import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export const crush: Client = {
  id: "crush",
  name: "Crush",
  format: "json",
  paths: (m) => [
    join(
      m.env.CRUSH_GLOBAL_CONFIG || (m.platform === "win32" ? folders.localApp(m, "crush") : folders.xdg(m, "crush")),
      "crush.json",
    ),
  ],
  at: () => ["mcp"],
  shape: shape({ http: { type: "http" }, sse: { type: "sse" }, stdio: { type: "stdio" } }),
  creates: true,
};
