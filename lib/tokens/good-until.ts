import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import type { Caller } from "../shape/caller.ts";
import { unfit } from "./verify.ts";

/** Fires, with the reason as a fault, when an agent's token is revoked, replaced or deleted while it is being served. */
export interface GoodUntil {
  readonly signal: AbortSignal;
  /** It was served; nothing is watched any more. */
  stop(): void;
}

/** @returns undefined for callers without a token */
export function goodUntil(app: App, { tier, name }: Caller): GoodUntil | undefined {
  if (tier !== "agent") return undefined;
  const ending = new AbortController();
  const stop = app.store.tokens.onChange((changed) => {
    if (changed === name) ending.abort(endedFault(app, name));
  });
  return { signal: ending.signal, stop };
}

/** What became of a token, as whoever used it is told. */
export function endedFault(app: App, name: string): Fault {
  const reason = unfit(app, name);
  // Replaced by another secret, the token of that name is good again.
  return new Fault("agent_token_invalid", {
    reason: reason === undefined || reason === "unknown" ? "revoked" : reason,
  });
}
