import { type Actor, ANONYMOUS_CALLER, type Caller, FULL_SCOPE, INTERNAL_CALLER } from "#lib/core/schema/caller.ts";

const origin = (source: Actor["origin"]["source"]): Actor["origin"] => ({ source, requestId: "r-1" });
const ADMIN: Caller = { ...INTERNAL_CALLER, name: "admin", listener: "tcp" };

/** The administrator over REST. */
export const admin: Actor = { caller: ADMIN, origin: origin("api") };
/** The administrator over MCP, with the API key. */
export const adminByMcp: Actor = { caller: ADMIN, origin: origin("mcp") };
/** A client of `/mcp` without a credential. */
export const nobodyByMcp: Actor = { caller: ANONYMOUS_CALLER, origin: origin("mcp") };
/** An agent token for some servers, over REST or MCP. */
export const agent = (servers: string[], source: "api" | "mcp" = "mcp"): Actor => ({
  caller: { tier: "agent", name: "bot", listener: "tcp", scope: { ...FULL_SCOPE, servers: new Set(servers) } },
  origin: origin(source),
});
