import type { App } from "../../app.ts";
import type { Config } from "../../config/config-keys.ts";
import { callerSource } from "../../extension/caller-source.ts";
import type { Caller } from "../../schema/caller.ts";
import type { TokenRow } from "../../schema/token.ts";
import type { TokenGrant } from "../../schema/token-grant.ts";
import type { UserRow } from "../../schema/user.ts";
import { tokenScope } from "./scope.ts";
import { tokenHash } from "./secret.ts";

/** Why a token is rejected. */
export type TokenDefect = "unknown" | "revoked" | "expired" | "its owner is not allowed to sign in";

/** Cached callers by row. Rows and the configuration are replaced, never changed in place. */
const callers = new WeakMap<TokenRow, { config: Config; owner: UserRow | undefined; caller: Caller }>();

type TokenApp = Pick<App, "store" | "config" | "clock" | "part">;

/**
 * Returns the caller with this secret, or why the secret is rejected. Reads memory only, because every request needs
 * it.
 */
export function verifyToken(app: TokenApp, secret: string): Caller | TokenDefect {
  const { store, clock } = app;
  const hash = tokenHash(secret);
  const row = store.tokens.byHash(hash);
  if (!row) return "unknown";
  const unfit = unfitness(app, row);
  if (unfit) return unfit;
  if (row.clientGrant && clock.now() >= secretEnd(row.clientGrant, hash)) return "expired";
  store.tokens.used(row, clock.now());
  return tokenCaller(app, row);
}

/** Returns when a secret that a client got by a sign-in expires. */
function secretEnd({ secretUntil, older }: TokenGrant, hash: string): number {
  return older.find((one) => one.hash === hash)?.until ?? secretUntil;
}

/** Returns the caller for a valid token under the current configuration. */
export function tokenCaller(app: TokenApp, row: TokenRow): Caller {
  const { store, config } = app;
  const current = config.current();
  const owner = row.owner === undefined ? undefined : store.users.get(row.owner);
  const made = callers.get(row);
  if (made?.config === current && made.owner === owner) return made.caller;
  const { name, createdAt, expiresAt } = row;
  const scope = tokenScope(row, current, owner && app.part(callerSource).scopeOf(owner));
  const person = owner && {
    id: owner.id,
    email: owner.email,
    by: "token" as const,
    signedInAt: owner.signedInAt,
    issuedAt: createdAt,
    until: expiresAt,
  };
  const caller: Caller = { tier: "agent", name, listener: "tcp", scope, ...(person && { user: person }) };
  callers.set(row, { config: current, owner, caller });
  return caller;
}

/** Returns why a token with this name is rejected now; undefined if it is valid. */
export function tokenDefect(app: TokenApp, name: string): TokenDefect | undefined {
  const row = app.store.tokens.get(name);
  return row ? unfitness(app, row) : "unknown";
}

function unfitness(
  { store, clock, part }: TokenApp,
  { revokedAt, expiresAt, owner }: TokenRow,
): TokenDefect | undefined {
  if (revokedAt !== undefined) return "revoked";
  if (clock.now() >= expiresAt) return "expired";
  if (owner === undefined) return undefined;
  const user = store.users.get(owner);
  return user && part(callerSource).admits(user) ? undefined : "its owner is not allowed to sign in";
}
