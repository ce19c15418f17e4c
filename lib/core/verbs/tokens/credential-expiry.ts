import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { Caller } from "../../schema/caller.ts";
import { currentCaller } from "./current-caller.ts";
import { tokenDefect } from "./verify.ts";

/**
 * Aborts, with a fault as the reason, when the credential of a caller ends: an agent token is revoked, replaced or
 * deleted, or its owner is disabled; a user signs out or is disabled; a browser signs out of the panel.
 */
export interface CredentialExpiry {
  readonly signal: AbortSignal;
  /** Stops watching; call it when the request has ended. */
  stop(): void;
}

/**
 * Watches the credential of a caller. @returns undefined for callers without a credential that can end: the API key,
 * the local socket, anonymous clients
 */
export function watchCredential(app: App, caller: Caller): CredentialExpiry | undefined {
  const { tier, name, user, signIn } = caller;
  if (tier !== "agent" && !user && signIn === undefined) return undefined;
  const ending = new AbortController();
  const end = () => ending.abort(tier === "agent" ? endedTokenFault(app, name) : new Fault("unauthenticated"));
  const look = () => void (currentCaller(app, caller) || end());
  const { tokens, users, userSessions, signIns } = app.store;
  const stops = [
    // If the token got a new secret, it is valid, but not for this request.
    tokens.onChange((changed) => tier === "agent" && changed === name && end()),
    users.onChange(look),
    userSessions.onEnd(look),
    signIns.onEnd(look),
  ];
  return { signal: ending.signal, stop: () => stops.forEach((stop) => void stop()) };
}

/** Returns the fault for a request whose token has ended. */
export function endedTokenFault(app: App, name: string): Fault {
  const reason = tokenDefect(app, name);
  // If the token got a new secret, `tokenDefect` finds no defect.
  return new Fault("agent_token_invalid", {
    reason: reason === undefined || reason === "unknown" ? "revoked" : reason,
  });
}
