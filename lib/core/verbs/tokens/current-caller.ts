import type { App } from "../../app.ts";
import { callerSource } from "../../extension/caller-source.ts";
import { intersectServers } from "../../policy/grant.ts";
import type { Caller, Scope } from "../../schema/caller.ts";
import { tokenCaller, tokenDefect } from "./verify.ts";

type NowApp = Pick<App, "store" | "config" | "clock" | "part">;

/**
 * Returns the current caller for a stream, call or script that lasts longer than its request. Meanwhile an agent's
 * token may have been revoked, expired or limited further, a browser may have signed out, or a user may have been
 * disabled or lost rights.
 *
 * @returns undefined if the credential is no longer valid
 */
export function currentCaller(app: NowApp, caller: Caller): Caller | undefined {
  if (caller.signIn !== undefined) {
    const row = app.store.signIns.get(caller.signIn);
    if (!row || app.clock.now() >= row.expiresAt) return undefined;
  }
  if (caller.user && caller.user.by !== "token") return app.part(callerSource).refreshed(caller);
  if (caller.tier !== "agent") return caller;
  const token = app.store.tokens.get(caller.name);
  if (!token || tokenDefect(app, caller.name)) return undefined;
  return { ...caller, scope: tokenCaller(app, token).scope };
}

/**
 * Returns the current caller, limited to what the request was allowed when it began: the profile of its path still
 * applies, and rights that were granted since apply only to the next request.
 *
 * @returns a caller with an empty scope if the credential is no longer valid
 */
export function currentRequestCaller(app: NowApp, caller: Caller): Caller {
  const now = currentCaller(app, caller);
  if (!now) return { ...caller, scope: { ...caller.scope, servers: new Set() } };
  if (now.scope === caller.scope) return now;
  return { ...now, scope: { ...caller.scope, ...inBoth(now.scope, caller.scope) } };
}

function inBoth(a: Scope, b: Scope): Pick<Scope, "servers" | "permissions"> {
  const servers = intersectServers(a.servers, b.servers);
  if (a.permissions === "all") return { servers, permissions: b.permissions };
  if (b.permissions === "all") return { servers, permissions: a.permissions };
  const { permissions: others } = b;
  return { servers, permissions: new Set([...a.permissions].filter((one) => others.has(one))) };
}
