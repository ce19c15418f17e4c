import type { UpstreamSignIn } from "../../core/schema/upstream-sign-in.ts";
import type { Credentials, Pending, Tokens } from "./credentials.ts";

/** The state of one sign-in. */
interface Known {
  record: Credentials | undefined;
  /** The sign-in whose authorization code is being exchanged. */
  exchanged: Pending | undefined;
  failure: UpstreamSignIn["failure"];
  retry: UpstreamSignIn["retry"];
}

/** The state of a sign-in for display, without secrets. */
export function standOf({ record, exchanged, failure, retry }: Known, now: number): UpstreamSignIn {
  const { authority, client, tokens, ended, needs } = record ?? {};
  const pending = record?.pending ?? exchanged;
  const waits = pending !== undefined && (pending === exchanged || pending.expires_at > now);
  return {
    state: waits ? "pending" : stateOf(record, failure, now),
    renewable: isRenewable(record),
    ...(authority && { issuer: authority.issuer }),
    ...(client && { client_id: client.id }),
    ...(tokens?.scope !== undefined && { scope: tokens.scope }),
    ...(tokens && { obtainedAt: tokens.obtained_at }),
    ...(tokens?.expires_at !== undefined && { expiresAt: tokens.expires_at }),
    ...(waits && { pending: { expiresAt: pending.expires_at, correlationId: pending.correlation_id } }),
    ...(failure && { failure }),
    ...(retry && { retry }),
    ...(ended && { ended: ended.reason }),
    ...(needs && { needs }),
  };
}

function stateOf(
  record: Credentials | undefined,
  failure: UpstreamSignIn["failure"],
  now: number,
): UpstreamSignIn["state"] {
  const { tokens, signed_out, ended } = record ?? {};
  if (tokens && (isGoodAt(tokens, now) || isRenewable(record))) return "signed_in";
  if (failure) return "failed";
  if (signed_out) return "signed_out";
  return tokens || ended ? "expired" : "none";
}

/** Whether the proxy can get a new token without a person. */
export const isRenewable = (record: Credentials | undefined): boolean =>
  record?.tokens !== undefined && (record.tokens.refresh !== undefined || record.grant !== undefined);

/** Whether a token expired that cannot be renewed, so that only a new sign-in helps. */
export function isSpent(record: Credentials | undefined, now: number): boolean {
  const { tokens, signed_out, ended } = record ?? {};
  if (tokens) return !isRenewable(record) && !isGoodAt(tokens, now);
  return ended !== undefined && signed_out !== true;
}

/** Whether an access token is still valid. */
export function isGoodAt(tokens: Tokens, now: number): boolean {
  return tokens.expires_at === undefined || now < tokens.expires_at;
}
