import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "zed",
  name: "Zed",
  format: "jsonc",
  paths: (m) => [
    m.platform === "win32"
      ? folders.app(m, "Zed", "settings.json")
      : m.platform === "darwin"
        ? folders.home(m, ".config", "zed", "settings.json")
        : folders.xdg(m, "zed", "settings.json"),
  ],
  at: () => ["context_servers"],
  shape: shape(),
  creates: true,
} satisfies Client;
