import type { App } from "../../app.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { TokenEntry } from "../../schema/token-entry.ts";
import { noSuchToken, tokenEntry } from "./entry.ts";

/** Revokes a token but keeps its record. If it is revoked already, nothing changes. @throws Fault no_such_record */
export async function revokeToken(app: App, name: string, by: Actor): Promise<TokenEntry> {
  const now = app.clock.now();
  const { before, after } = await app.store.tokens.change(name, (row) => {
    if (!row) throw noSuchToken(name);
    return row.revokedAt === undefined ? { ...row, revokedAt: now } : undefined;
  });
  if (before === after) return tokenEntry(app, after!);
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "token_revoke", token: name },
  });
  return tokenEntry(app, after!);
}
