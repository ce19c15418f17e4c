import type { App } from "../../app.ts";
import { callerSource } from "../../extension/caller-source.ts";
import { intersectServers } from "../../policy/grant.ts";
import type { Caller, Scope } from "../../schema/caller.ts";
import { tokenCaller, tokenDefect } from "./verify.ts";

type NowApp = Pick<App, "store" | "config" | "clock" | "part">;

/**
 * Who somebody is at this moment whose stream, call or script outlives the request that began it: meanwhile an agent's
 * token may be revoked or expire, and what it reaches may shrink; a browser may be signed out, a user be disabled or
 * granted less.
 *
 * @returns undefined when it is nobody any more
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
 * The same within what the request was allowed when it began: a profile of its path narrows it still, and whatever was
 * granted since counts for the next request.
 *
 * @returns somebody who reaches nothing when it is nobody any more
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
