import type { App } from "../../core/app.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import { type Actor, INTERNAL_CALLER } from "../../core/schema/caller.ts";
import { prepare } from "./exec.ts";
import { readRequest } from "./request.ts";

/** It only reads; what it may tell of stored scripts stays here. */
const BY: Actor = { caller: INTERNAL_CALLER, origin: { source: "internal", requestId: "servers-named" } };

/**
 * The servers that a request to run code names, in its source or input, of those that it may call. A script that puts a
 * name together while it runs reaches others too; they are for whoever asks to connect when they are used.
 *
 * @returns none for a request that will be refused, or that calls no tool
 */
export async function serversNamed(app: App, body: unknown): Promise<string[]> {
  try {
    const request = readRequest(body);
    const { source } = await prepare(app, BY, request);
    // Source that never names them cannot reach the functions that call tools, short of disguise.
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
    // Whoever runs the request says what is wrong with it.
    return [];
  }
}
