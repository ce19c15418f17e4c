import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

/** The servers are a list of entries with a `name`. Only Continue creates the file, because it also contains models. */
export default {
  id: "continue",
  name: "Continue",
  format: "yaml",
  paths: (m) => [join(folders.named(m, "CONTINUE_GLOBAL_DIR", ".continue"), "config.yaml")],
  at: () => ["mcpServers"],
  list: true,
  shape: shape({
    name: "name",
    http: { type: "streamable-http" },
    sse: { type: "sse" },
    stdio: { type: "stdio" },
    headers: ["requestOptions", "headers"],
  }),
  creates: false,
} satisfies Client;
