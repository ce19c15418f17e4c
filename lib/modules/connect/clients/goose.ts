import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

const common = { enabled: true, description: "", timeout: 300 };

export default {
  id: "goose",
  name: "Goose",
  format: "yaml",
  paths: (m) => [
    m.env.GOOSE_PATH_ROOT
      ? join(m.env.GOOSE_PATH_ROOT, "config", "config.yaml")
      : m.platform === "win32"
        ? folders.app(m, "Block", "goose", "config", "config.yaml")
        : folders.xdg(m, "goose", "config.yaml"),
  ],
  at: () => ["extensions"],
  shape: shape({
    name: "name",
    url: "uri",
    http: { type: "streamable_http", ...common },
    sse: { type: "sse", ...common },
    stdio: { type: "stdio", ...common },
    command: "cmd",
    env: "envs",
  }),
  creates: true,
} satisfies Client;
