import { type Actor, ANYBODY, type Caller, EVERYTHING, INTERNAL } from "#lib/core/schema/caller.ts";

const origin = (source: Actor["origin"]["source"]): Actor["origin"] => ({ source, requestId: "r-1" });
const ADMIN: Caller = { ...INTERNAL, name: "admin", door: "tcp" };

/** The administrator by REST. */
export const admin: Actor = { caller: ADMIN, origin: origin("api") };
/** The administrator by MCP, with the key. */
export const adminByMcp: Actor = { caller: ADMIN, origin: origin("mcp") };
/** A client of `/mcp` that showed nothing. */
export const nobodyByMcp: Actor = { caller: ANYBODY, origin: origin("mcp") };
/** An agent token for some servers, by either way in. */
export const agent = (servers: string[], source: "api" | "mcp" = "mcp"): Actor => ({
  caller: { tier: "agent", name: "bot", door: "tcp", scope: { ...EVERYTHING, servers: new Set(servers) } },
  origin: origin(source),
});
