import type { App } from "../../core/app.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import { type Actor, INTERNAL_CALLER } from "../../core/schema/caller.ts";
import { prepare } from "./exec.ts";
import { readRequest } from "./request.ts";

/** An internal caller suffices: the request only reads, and no message about stored scripts leaves this function. */
const BY: Actor = { caller: INTERNAL_CALLER, origin: { source: "internal", requestId: "servers-named" } };

/**
 * The servers that a request to run code names in its source or input, of those that the caller may use. A name that
 * the script builds at run time is not found; such a server is connected when the script calls it.
 *
 * @returns an empty list for a request that will be rejected, or that calls no tool
 */
export async function serversNamed(app: App, body: unknown): Promise<string[]> {
  try {
    const request = readRequest(body);
    const { source } = await prepare(app, BY, request);
    // Source without these names calls no tool, unless it is obfuscated.
    if (!source.includes("call_tool")) return [];
    const text = `${source}\n${JSON.stringify(request.input)}`;
    const { allowedServers: allowed } = request;
    const named = ({ name }: ServerConfig) =>
      allowed.length > 0
        ? allowed.includes(name)
        : text.includes(name) || text.includes(JSON.stringify(name).slice(1, -1));
    const { mcpServers } = app.config.current();
    return mcpServers
      .filter((server) => server.enabled && !server.held && !app.config.quarantined(server) && named(server))
      .map(({ name }) => name);
  } catch {
    // The execution of the request reports the error.
    return [];
  }
}
