import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** Crush reads this file in addition to its script `crushrc`, which the proxy does not change. */
const FILE = "crush.json";

export default {
  id: "crush",
  name: "Crush",
  format: "json",
  paths: (m) =>
    m.env.CRUSH_GLOBAL_CONFIG
      ? [join(m.env.CRUSH_GLOBAL_CONFIG, FILE)]
      : // Earlier versions use a different folder on Windows.
        [folders.xdg(m, "crush", FILE), ...(m.platform === "win32" ? [folders.localApp(m, "crush", FILE)] : [])],
  at: () => ["mcp"],
  shape: shape({ http: { type: "http" }, sse: { type: "sse" }, stdio: { type: "stdio" } }),
  creates: true,
} satisfies Client;
