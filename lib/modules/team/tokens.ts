import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import type { Actor, Caller } from "../../core/schema/caller.ts";
import type { IssuedToken, NewToken, TokenEntry } from "../../core/schema/token-entry.ts";
import { createToken } from "../../core/verbs/tokens/create.ts";
import { tokenEntry, userTokenEntry, userTokenName } from "../../core/verbs/tokens/entry.ts";
import { regenerateToken } from "../../core/verbs/tokens/regenerate.ts";
import { removeToken } from "../../core/verbs/tokens/remove.ts";
import { revokeToken } from "../../core/verbs/tokens/revoke.ts";
import { requireEdition } from "./begin.ts";
import { sessionLifeMs } from "./edition.ts";

/** Maximum lifetime of an agent token (ms; spec 001 §5 item 4). */
export const MAX_TOKEN_LIFETIME_MS = 365 * 86_400_000;

/** A user's agent tokens, by the names that the user chose. */
export function ownTokens(app: App, { user }: Caller): TokenEntry[] {
  return app.store.tokens
    .all()
    .filter((row) => row.owner === user!.id)
    .map((row) => userTokenEntry(tokenEntry(app, row)));
}

/** @throws Fault already_exists, token_limit, invalid_request */
export async function createOwn(app: App, request: NewToken, by: Actor): Promise<IssuedToken> {
  const { id } = by.caller.user!;
  return userTokenEntry(await createToken(app, request, by, { id, until: latestTokenEnd(app, by.caller) }));
}

/** @throws Fault no_such_record */
export async function revokeOwn(app: App, name: string, by: Actor): Promise<TokenEntry> {
  return userTokenEntry(await revokeToken(app, ownTokenName(app, name, by), by));
}

/** @throws Fault no_such_record */
export async function removeOwn(app: App, name: string, by: Actor): Promise<void> {
  await removeToken(app, ownTokenName(app, name, by), by);
}

/** @throws Fault no_such_record, token_revoked */
export async function regenerateOwn(app: App, name: string, by: Actor): Promise<IssuedToken> {
  return userTokenEntry(await regenerateToken(app, ownTokenName(app, name, by), by, latestTokenEnd(app, by.caller)));
}

/**
 * The name under which a user's token is stored. Its existence is checked here, so that errors show the user's name for
 * it.
 *
 * @throws Fault no_such_record
 */
function ownTokenName(app: App, name: string, { caller }: Actor): string {
  const fullName = userTokenName(caller.user!.id, name);
  if (app.store.tokens.get(fullName)?.owner !== caller.user!.id)
    throw new Fault("no_such_record", { what: "agent token", id: name });
  return fullName;
}

/** The latest expiry of a new token: no token outlives its sign-in by more than the limit, however it is created. */
export function latestTokenEnd(app: App, { user }: Caller): number {
  return user!.signedInAt + sessionLifeMs(requireEdition(app)) + MAX_TOKEN_LIFETIME_MS;
}
