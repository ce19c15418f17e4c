import type { Boot } from "#lib/core/app.ts";
import { quoted, selfWith } from "./self.ts";

interface Greeting {
  boot: Pick<Boot, "version" | "listenAddr" | "socketPath" | "dataDir">;
  configPath: string;
  /** The command that starts this program. */
  name: string;
  /** Names of the configured servers. */
  servers: readonly string[];
  demo: boolean;
  /** Path of the authority that clients must trust if the listener uses TLS; empty for a public one. */
  authority?: string | undefined;
}

/** The text that `proxy serve` prints when it listens: address, key, and next steps. */
export function greeting({ boot, configPath, name, servers, demo, authority }: Greeting): string {
  const { version, listenAddr, socketPath, dataDir } = boot;
  const base =
    listenAddr &&
    `${authority === undefined ? "http" : "https"}://${listenAddr.replace(/^(0\.0\.0\.0|\[::\]|::)(?=:\d+$)/, "127.0.0.1")}`;
  const proxy = selfWith(demo || !dataDir.endsWith("/.mcpproxy") ? { dataDir } : {}, name);
  const where: [string, string | undefined][] = [
    ["control panel", base && `${base}/ui/, sign in with: ${proxy} ui`],
    ["MCP endpoint", base ? `${base}/mcp` : "standard input and output"],
    ["REST API", base && `${base}/api/v1, header X-API-Key`],
    ["API key", base && `"api_key" in ${configPath}, or SERVICE_API_KEY in the environment`],
    ["certificates", authority && `signed by ${authority}; to trust them run: ${proxy} trust-cert`],
    ["local socket", socketPath && `${socketPath}, no key needed`],
    ["data", demo ? `${dataDir}; ~/.mcpproxy is not used` : dataDir],
    ["servers", servers.length > 0 ? servers.join(", ") : "none yet"],
  ];
  const lines = where.filter(([, text]) => text).map(([what, text]) => `  ${what.padEnd(15)}${text}`);
  return `\nproxy ${version} is ready\n${lines.join("\n")}\n${base ? next({ base, socketPath, proxy, demo, authority }) : ""}`;
}

interface At extends Pick<Greeting, "demo" | "authority"> {
  base: string;
  socketPath: string;
  proxy: string;
}

function next({ base, socketPath, proxy, demo, authority }: At): string {
  // curl cannot use the named pipe of Windows.
  const curl =
    socketPath && !socketPath.startsWith("\\\\.\\pipe\\")
      ? `curl -s --unix-socket ${quoted(socketPath)} http://localhost/api/v1/status`
      : `curl -s ${authority ? `--cacert ${quoted(authority)} ` : ""}${base}/api/v1/status -H "X-API-Key: $SERVICE_API_KEY"`;
  const steps = demo
    ? [
        `${proxy} status`,
        `${proxy} tools search calculate`,
        `${proxy} call demo:calculator 'expression=6 * 7'`,
        curl,
        "",
        "# add a server of your own; it stays in quarantine until you release it",
        `${proxy} upstream add files -- npx -y @modelcontextprotocol/server-filesystem "$PWD"`,
        `${proxy} review files`,
      ]
    : [
        "# import the servers of your MCP clients, review them, and connect the clients",
        `${proxy} setup`,
        "",
        "# or add a server",
        `${proxy} upstream add files -- npx -y @modelcontextprotocol/server-filesystem "$PWD"`,
        `${proxy} review files`,
        `${proxy} status`,
      ];
  const clients = [
    "# connect an MCP client (cursor, vscode, codex and more: see `connect list`), or configure it by hand",
    `${proxy} connect add cursor`,
    `claude mcp add --transport http mcpproxy ${base}/mcp`,
    `{ "mcpServers": { "mcpproxy": { "url": "${base}/mcp" } } }      # ~/.cursor/mcp.json and the like`,
  ];
  return `\nTry next, in another terminal:\n${[...steps, "", ...clients].map((s) => (s ? `  ${s}` : "")).join("\n")}\n`;
}
