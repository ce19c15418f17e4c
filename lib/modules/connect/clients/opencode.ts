import { isJsonObject } from "../../../core/base/json-object.ts";
import { type Client, folders, lookUp } from "../client.ts";
import { shape } from "../shape.ts";

/** How it and what is built upon it write a server down. */
export const opencodeShape = shape({
  http: { type: "remote", enabled: true },
  sse: { type: "remote", enabled: true },
  stdio: { type: "local", enabled: true },
  env: "environment",
  commandLine: true,
});

/** It makes its file itself; version 2 has the servers one level lower, and each file keeps the way it has. */
export default {
  id: "opencode",
  name: "OpenCode",
  format: "jsonc",
  paths: (m) => [
    folders.xdg(m, "opencode", "opencode.jsonc"),
    folders.xdg(m, "opencode", "opencode.json"),
    ...(m.platform === "win32"
      ? [folders.localApp(m, "opencode", "opencode.jsonc"), folders.localApp(m, "opencode", "opencode.json")]
      : []),
  ],
  at: (document) => (isNested(lookUp(document, ["mcp", "servers"])) ? ["mcp", "servers"] : ["mcp"]),
  shape: opencodeShape,
  creates: false,
} satisfies Client;

/** Not a server that happens to be called "servers". */
const isNested = (value: unknown) => isJsonObject(value) && typeof value.type !== "string";
