import type { App } from "../app.ts";
import type { Caller } from "../shape/caller.ts";
import { scopeOf } from "../tokens/scope.ts";
import { unfit } from "../tokens/verify.ts";

/**
 * Who reads a stream at this moment. A stream outlives the request that opened it: meanwhile an agent's token may be
 * revoked or expire, and what it reaches may shrink with its profile; a browser may be signed out.
 *
 * @returns undefined when it is nobody any more
 */
export function readerNow(app: App, caller: Caller): Caller | undefined {
  if (caller.signIn !== undefined) {
    const row = app.store.signIns.get(caller.signIn);
    if (!row || app.clock.now() >= row.expiresAt) return undefined;
  }
  if (caller.tier !== "agent") return caller;
  const token = app.store.tokens.get(caller.name);
  if (!token || unfit(app, caller.name)) return undefined;
  return { ...caller, scope: scopeOf(token, app.config.current()) };
}
