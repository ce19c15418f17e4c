import { isJsonObject } from "../../../core/base/json-object.ts";
import { type Client, folders, lookUp } from "../client.ts";
import { shape } from "../shape.ts";

/** The entry format of OpenCode and of clients built on it. */
export const opencodeShape = shape({
  http: { type: "remote", enabled: true },
  sse: { type: "remote", enabled: true },
  stdio: { type: "local", enabled: true },
  env: "environment",
  commandLine: true,
});

/**
 * Only OpenCode creates its file. Version 2 has the servers one level deeper; the proxy keeps the structure of an
 * existing file.
 */
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

/** Whether the value is a map of servers, rather than a server that is named "servers". */
const isNested = (value: unknown) => isJsonObject(value) && typeof value.type !== "string";
