import { type Client, folders } from "../client.ts";
import { opencodeShape } from "./opencode.ts";

/** Kilo is built on OpenCode and has the same entries. */
export default {
  id: "kilo",
  name: "Kilo Code",
  format: "jsonc",
  paths: (m) => [folders.xdg(m, "kilo", "kilo.jsonc"), folders.xdg(m, "kilo", "kilo.json")],
  at: () => ["mcp"],
  shape: opencodeShape,
  creates: true,
} satisfies Client;
