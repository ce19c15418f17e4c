import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { IssuedToken } from "../../schema/token-entry.ts";
import { findToken, tokenEntry } from "./entry.ts";
import { newTokenSecret } from "./secret.ts";

/**
 * Replaces the secret of a token and starts its lifetime anew. The old secret becomes invalid immediately.
 *
 * @param until the latest expiry of a user's token
 * @throws Fault no_such_record, token_revoked
 */
export async function regenerateToken(app: App, name: string, by: Actor, until?: number): Promise<IssuedToken> {
  const row = findToken(app, name);
  if (row.revokedAt !== undefined) throw new Fault("token_revoked", { name });
  const { secret, hash, prefix } = newTokenSecret();
  const now = app.clock.now();
  // The old token is revoked in a separate write first: streams identify their token by its name and must notice that
  // it ended.
  await app.store.tokens.put({ ...row, revokedAt: now });
  const expiresAt = Math.min(now + (row.expiresAt - row.createdAt), until ?? Number.POSITIVE_INFINITY);
  const renewed = { ...row, hash, prefix, createdAt: now, expiresAt };
  await app.store.tokens.put(renewed);
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "token_regenerate", token: name },
  });
  return { ...tokenEntry(app, renewed), token: secret };
}
