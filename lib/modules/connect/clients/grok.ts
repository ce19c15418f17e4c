import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

export default {
  id: "grok",
  name: "Grok Build",
  format: "toml",
  paths: (m) => [join(folders.named(m, "GROK_HOME", ".grok"), "config.toml")],
  at: () => ["mcp_servers"],
  shape: shape(),
  creates: true,
} satisfies Client;
