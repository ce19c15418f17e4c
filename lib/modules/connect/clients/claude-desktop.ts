import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

const FILE = "claude_desktop_config.json";

/** Claude Desktop's file supports local programs only. */
export default {
  id: "claude-desktop",
  name: "Claude Desktop",
  format: "json",
  paths: (m) => [
    folders.app(m, "Claude", FILE),
    // Windows redirects the files of a program installed from the Microsoft Store to a separate folder.
    ...(m.platform === "win32"
      ? [folders.localApp(m, "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude", FILE)]
      : []),
  ],
  at: () => ["mcpServers"],
  shape: shape(),
  creates: true,
  bridge: true,
  note: "restart Claude Desktop afterwards",
} satisfies Client;
