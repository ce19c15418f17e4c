import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { IssuedToken } from "../../schema/token-entry.ts";
import { findToken, noSuchToken, tokenEntry } from "./entry.ts";
import { newTokenSecret } from "./secret.ts";

/**
 * Replaces the secret of a token and starts its lifetime anew. The old secret becomes invalid immediately.
 *
 * @param until the latest expiry of a user's token
 * @throws Fault no_such_record, token_revoked, invalid_request for the token of a client that signed in
 */
export async function regenerateToken(app: App, name: string, by: Actor, until?: number): Promise<IssuedToken> {
  const { hash: oldHash, clientGrant: grant } = findToken(app, name);
  if (grant)
    throw new Fault("invalid_request", {
      reason: `the token belongs to ${grant.client.name}, which renews it by itself; revoke it, then sign in again there`,
    });
  const { secret, hash, prefix } = newTokenSecret();
  const now = app.clock.now();
  const { after: renewed } = await app.store.tokens.change(name, (row) => {
    // The token may have been removed, and its name used for another one, before this change.
    if (row?.hash !== oldHash) throw noSuchToken(name);
    if (row.revokedAt !== undefined) throw new Fault("token_revoked", { name });
    const expiresAt = Math.min(now + (row.expiresAt - row.createdAt), until ?? Number.POSITIVE_INFINITY);
    return { ...row, hash, prefix, createdAt: now, expiresAt };
  });
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "token_regenerate", token: name },
  });
  return { ...tokenEntry(app, renewed!), token: secret };
}
