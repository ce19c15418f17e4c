import type { App } from "../../app.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { TokenEntry } from "../../schema/token-entry.ts";
import { findToken, tokenEntry } from "./entry.ts";

/** Revokes a token but keeps its record. If it is revoked already, nothing changes. @throws Fault no_such_record */
export async function revokeToken(app: App, name: string, by: Actor): Promise<TokenEntry> {
  const row = findToken(app, name);
  if (row.revokedAt !== undefined) return tokenEntry(app, row);
  const revoked = { ...row, revokedAt: app.clock.now() };
  await app.store.tokens.put(revoked);
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "token_revoke", token: name },
  });
  return tokenEntry(app, revoked);
}
