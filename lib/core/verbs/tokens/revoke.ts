import type { App } from "../../app.ts";
import { record } from "../../gateway/record.ts";
import type { Actor } from "../../schema/caller.ts";
import type { TokenEntry } from "../../schema/token-entry.ts";
import { entry, find } from "./entry.ts";

/** Ends a token at once and keeps its record; one that is revoked already stays as it is. @throws Fault no_such_record */
export async function revoke(app: App, name: string, by: Actor): Promise<TokenEntry> {
  const row = find(app, name);
  if (row.revokedAt !== undefined) return entry(app, row);
  const revoked = { ...row, revokedAt: app.clock.now() };
  await app.store.tokens.put(revoked);
  record(app, by, { type: "config_change", status: "success", metadata: { action: "token_revoke", token: name } });
  return entry(app, revoked);
}
