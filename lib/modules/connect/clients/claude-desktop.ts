import { type Client, folders, type Reach, type Remote } from "../client.ts";
import { shape } from "../shape.ts";

const local = shape();
const FILE = "claude_desktop_config.json";

/** An exact version, so that what runs at each start of the client is what was tried. */
const BRIDGE = "mcp-remote@0.15.1";

/** Its file knows programs only; `mcp-remote` passes on to an address. */
export default {
  id: "claude-desktop",
  name: "Claude Desktop",
  format: "json",
  paths: (m) => [
    folders.app(m, "Claude", FILE),
    // Windows keeps what an installation from its store writes in a place of its own.
    ...(m.platform === "win32"
      ? [folders.localApp(m, "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude", FILE)]
      : []),
  ],
  at: () => ["mcpServers"],
  shape: {
    write: (reach, name) => local.write(reach.kind === "stdio" ? reach : bridged(reach), name),
    read: local.read,
  },
  creates: true,
  bridge: true,
  note: "needs Node.js: the entry starts mcp-remote through npx; restart Claude Desktop afterwards",
} satisfies Client;

/** Header values stand in the environment, so that no list of processes shows them. */
function bridged({ url, headers }: Remote): Reach {
  const names = Object.keys(headers);
  const variable = (i: number) => `MCP_HEADER_${i + 1}`;
  return {
    kind: "stdio",
    command: "npx",
    args: [
      "-y",
      BRIDGE,
      url,
      ...(plainElsewhere(url) ? ["--allow-http"] : []),
      ...names.flatMap((name, i) => ["--header", `${name}:\${${variable(i)}}`]),
    ],
    env: Object.fromEntries(names.map((name, i) => [variable(i), headers[name]!])),
  };
}

/** `mcp-remote` takes unencrypted addresses of this machine only, unless told. */
function plainElsewhere(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && hostname !== "localhost" && hostname !== "127.0.0.1";
}
