import { join } from "node:path";
import { type Client, folders } from "../client.ts";
import { shape } from "../shape.ts";

const FILE = ["settings", "cline_mcp_settings.json"];

const common: Pick<Client, "format" | "at" | "shape" | "creates"> = {
  format: "json",
  at: () => ["mcpServers"],
  shape: shape({ http: { type: "streamableHttp" }, sse: { type: "sse" }, stdio: { type: "stdio" } }),
  creates: true,
};

export const cline: Client = {
  id: "cline",
  name: "Cline",
  ...common,
  paths: (m) => [folders.app(m, "Code", "User", "globalStorage", "saoudrizwan.claude-dev", ...FILE)],
  note: "Cline in VS Code",
};

export const clineCli: Client = {
  id: "cline-cli",
  name: "Cline CLI",
  ...common,
  paths: (m) => [join(folders.named(m, "CLINE_DIR", ".cline"), "data", ...FILE)],
};
