import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** The command line, the desktop program and the editor extension share this file. */
export default {
  id: "codex",
  name: "Codex",
  format: "toml",
  paths: (m) => [join(folders.named(m, "CODEX_HOME", ".codex"), "config.toml")],
  at: () => ["mcp_servers"],
  shape: shape({ headers: ["http_headers"] }),
  creates: true,
} satisfies Client;
