import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { Caller } from "../../schema/caller.ts";
import { currentCaller } from "./current-caller.ts";
import { tokenDefect } from "./verify.ts";

/**
 * Fires, with the reason as a fault, when whoever is being served may not be any more: an agent's token is revoked,
 * replaced or deleted, or its owner disabled; a user is signed out or disabled; a browser leaves the panel.
 */
export interface CredentialExpiry {
  readonly signal: AbortSignal;
  /** It was served; nothing is watched any more. */
  stop(): void;
}

/** @returns undefined for callers whose right does not end: the API key, the local socket, anybody */
export function watchCredential(app: App, caller: Caller): CredentialExpiry | undefined {
  const { tier, name, user, signIn } = caller;
  if (tier !== "agent" && !user && signIn === undefined) return undefined;
  const ending = new AbortController();
  const end = () => ending.abort(tier === "agent" ? endedTokenFault(app, name) : new Fault("unauthenticated"));
  const look = () => void (currentCaller(app, caller) || end());
  const { tokens, users, userSessions, signIns } = app.store;
  const stops = [
    // A token that has another secret now is good, but not for this request.
    tokens.onChange((changed) => tier === "agent" && changed === name && end()),
    users.onChange(look),
    userSessions.onEnd(look),
    signIns.onEnd(look),
  ];
  return { signal: ending.signal, stop: () => stops.forEach((stop) => void stop()) };
}

/** What became of a token, as whoever used it is told. */
export function endedTokenFault(app: App, name: string): Fault {
  const reason = tokenDefect(app, name);
  // Replaced by another secret, the token of that name is good again.
  return new Fault("agent_token_invalid", {
    reason: reason === undefined || reason === "unknown" ? "revoked" : reason,
  });
}
