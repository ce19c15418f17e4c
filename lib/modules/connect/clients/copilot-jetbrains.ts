import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

const FILE = ["github-copilot", "intellij", "mcp.json"];

/** All JetBrains editors share one file. Headers are one level deeper than usual. */
export default {
  id: "copilot-jetbrains",
  name: "GitHub Copilot in JetBrains IDEs",
  format: "jsonc",
  paths: (m) => [m.platform === "win32" ? folders.localApp(m, ...FILE) : folders.xdg(m, ...FILE)],
  at: () => ["servers"],
  shape: shape({ headers: ["requestInit", "headers"] }),
  creates: true,
} satisfies Client;
