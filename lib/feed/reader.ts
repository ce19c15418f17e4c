import type { App } from "../app.ts";
import type { Caller } from "../shape/caller.ts";
import { userNow } from "../team/caller.ts";
import { callerOf, unfit } from "../tokens/verify.ts";

/**
 * Who reads a stream at this moment. A stream outlives the request that opened it: meanwhile an agent's token may be
 * revoked or expire, and what it reaches may shrink with its profile; a browser may be signed out, a user be
 * disabled or granted less.
 *
 * @returns undefined when it is nobody any more
 */
export function readerNow(app: App, caller: Caller): Caller | undefined {
  if (caller.signIn !== undefined) {
    const row = app.store.signIns.get(caller.signIn);
    if (!row || app.clock.now() >= row.expiresAt) return undefined;
  }
  if (caller.user && caller.user.by !== "token") return userNow(app, caller);
  if (caller.tier !== "agent") return caller;
  const token = app.store.tokens.get(caller.name);
  if (!token || unfit(app, caller.name)) return undefined;
  return { ...caller, scope: callerOf(app, token).scope };
}
