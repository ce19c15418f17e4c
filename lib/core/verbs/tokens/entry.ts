import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { TokenRow } from "../../schema/token.ts";
import type { TokenEntry } from "../../schema/token-entry.ts";

/** Returns the entry of a token in lists. */
export function tokenEntry({ store, clock }: Pick<App, "store" | "clock">, row: TokenRow): TokenEntry {
  const lastUsed = store.tokens.lastUsed(row.name);
  return {
    name: row.name,
    ...(row.owner !== undefined && { owner: store.users.get(row.owner)?.email ?? row.owner }),
    token_prefix: row.prefix,
    allowed_servers: [...row.servers],
    permissions: [...row.permissions],
    created_at: rfc3339(row.createdAt),
    expires_at: rfc3339(row.expiresAt),
    ...(lastUsed !== undefined && { last_used_at: rfc3339(lastUsed) }),
    expired: clock.now() >= row.expiresAt,
    revoked: row.revokedAt !== undefined,
    ...(row.profile !== undefined && { profile_pin: row.profile }),
    ...(row.clientGrant && { client: { ...row.clientGrant.client } }),
  };
}

/** Returns the name under which a user's token is stored. */
export const userTokenName = (owner: string, name: string) => `${owner}/${name}`;

/** Returns the entry of a token for its owner, with the name that the owner chose. */
export function userTokenEntry<E extends TokenEntry>(entry: E): E {
  return { ...entry, name: entry.name.slice(entry.name.indexOf("/") + 1) };
}

/** Returns the row of a token. @throws Fault no_such_record */
export function findToken({ store }: Pick<App, "store">, name: string): TokenRow {
  const row = store.tokens.get(name);
  if (!row) throw noSuchToken(name);
  return row;
}

export const noSuchToken = (name: string) => new Fault("no_such_record", { what: "agent token", id: name });
