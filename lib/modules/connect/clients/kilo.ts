import { type Client, folders } from "../client.ts";
import { opencodeShape } from "./opencode.ts";

/** Its entries are OpenCode's, which it is built upon. */
export default {
  id: "kilo",
  name: "Kilo Code",
  format: "jsonc",
  paths: (m) => [folders.xdg(m, "kilo", "kilo.jsonc"), folders.xdg(m, "kilo", "kilo.json")],
  at: () => ["mcp"],
  shape: opencodeShape,
  creates: true,
} satisfies Client;
