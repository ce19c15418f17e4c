import { findProxy } from "#lib/client/find-proxy.ts";
import type { ProxyTarget } from "#lib/client/open-request.ts";
import { BRIDGE_HEADER } from "#lib/core/schema/caller.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { requireNamedConfig } from "../daemon.ts";
import { EXIT, UsageError } from "../exit.ts";
import { AGENT } from "../version.ts";

const PATHS = { retrieve_tools: "/call", direct: "/all", code_execution: "/code" } as const;
const MODES = ["retrieve_tools", "direct", "code_execution"] as const;

export default command({
  meta: {
    group: "clients",
    description: "Connect a client that can only start programs",
    detail:
      "Passes MCP messages between standard input and output and the running proxy, over its local socket or --url. The client has the rights of the agent token in SERVICE_API_KEY or --api-key; without one it may use all servers but not manage approvals and quarantine. Ends with 0 at the end of input, and with 1 if the proxy accepted no message.",
    examples: ["proxy bridge", "proxy bridge --url https://proxy.example.com --profile work"],
  },
  args: {
    "routing-mode": {
      type: "enum",
      valueHint: "mode",
      options: MODES,
      description: `tools that the client sees: ${MODES.join(", ")} (default: those of /mcp)`,
    },
    profile: {
      type: "string",
      names: "profiles",
      valueHint: "name",
      description: "limit the client to the servers of a profile",
    },
  },
  async run({ cli, args }) {
    const { runBridge } = await import("#lib/client/bridge/run-bridge.ts");
    const { to, key, hasEndpoint } = proxyOf(cli);
    const isLimited = args.profile !== undefined || args["routing-mode"] !== undefined;
    if (hasEndpoint && isLimited)
      throw new UsageError("--url already names an MCP endpoint; leave out --profile and --routing-mode");
    // A proxy that is not running yet may start later; the bridge waits for it.
    await requireNamedConfig(cli.globals, cli).catch((error: unknown) => {
      if (error instanceof UsageError) throw error;
    });
    const profile = args.profile === undefined ? "" : `/p/${encodeURIComponent(args.profile)}`;
    const mode = args["routing-mode"] === undefined ? "" : PATHS[args["routing-mode"]];
    const wasReached = await runBridge({
      target: {
        to,
        path: hasEndpoint ? "" : `/mcp${profile}${mode}`,
        headers: { "user-agent": AGENT, [BRIDGE_HEADER]: "1", ...(key !== undefined && { "x-api-key": key }) },
      },
      input: cli.stdin,
      output: process.stdout,
      note: (text) => cli.note(`proxy bridge: ${text}`),
      signal: cli.signal,
    });
    if (cli.signal.aborted) return EXIT.interrupted;
    return wasReached ? EXIT.ok : EXIT.failed;
  },
});

/**
 * The selected proxy. A model must not get the administrator's key, so the key in the configuration file is not used.
 */
function proxyOf({ globals, env }: Cli): { to: ProxyTarget; key: string | undefined; hasEndpoint: boolean } {
  const found = findProxy({ ...globals, env });
  const key = globals.apiKey || env.SERVICE_API_KEY || undefined;
  if ("socketPath" in found) return { to: found, key, hasEndpoint: false };
  const { url, trust } = found;
  return { to: { url, ...(trust && { trust }) }, key, hasEndpoint: /\/mcp(?:\/|$)/.test(url.pathname) };
}
