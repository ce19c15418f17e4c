import type { App } from "../../app.ts";
import { durationMs } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { nearestWords } from "../../base/nearest.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import { inScope, scopeWithinProfile } from "../../policy/scope.ts";
import type { Actor } from "../../schema/caller.ts";
import type { TokenRow } from "../../schema/token.ts";
import type { IssuedToken, NewToken } from "../../schema/token-entry.ts";
import { tokenEntry, userTokenName } from "./entry.ts";
import { newTokenSecret } from "./secret.ts";

/** Maximum number of stored tokens, including revoked and expired ones; each user has a separate limit. */
const MAX_TOKENS = 100;
const MAX_PER_USER = 20;

const DAY_MS = 86_400_000;
const MAX_LIFETIME_MS = 365 * DAY_MS;

/** The owner of a token, and the time at which all tokens from the owner's sign-in expire (spec 001 §5 item 4). */
interface TokenOwner {
  readonly id: string;
  readonly until: number;
}

/**
 * Issues an agent token. Its secret is only in the result (reference 1.6).
 *
 * @throws Fault already_exists, token_limit, invalid_request
 */
export async function createToken(app: App, request: NewToken, by: Actor, owner?: TokenOwner): Promise<IssuedToken> {
  const { row, secret } = prepareToken(app, request, by, owner);
  await app.store.tokens.change(row.name, (existing) => {
    if (existing) throw new Fault("already_exists", { what: "agent token", name: request.name });
    requireCapacity(app, row);
    return row;
  });
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "token_create", token: row.name },
  });
  return { ...tokenEntry(app, row), token: secret };
}

/**
 * Makes the row and the secret of a token without storing them.
 *
 * @throws Fault already_exists, token_limit, invalid_request
 */
export function prepareToken(
  app: App,
  request: NewToken,
  by: Actor,
  owner?: TokenOwner,
): { row: TokenRow; secret: string } {
  const {
    name: requestedName,
    allowed_servers = ["*"],
    permissions = ["read"],
    expires_in = "30d",
    profile_pin,
  } = request;
  const { tokens } = app.store;
  const name = owner ? userTokenName(owner.id, requestedName) : requestedName;
  const lifeMs = lifetime(expires_in);
  const servers = checkedServers(app, allowed_servers, by);
  if (profile_pin !== undefined && !scopeWithinProfile(by.caller.scope, app.config.current().profiles, profile_pin))
    throw invalid(`profile_pin: unknown profile: ${JSON.stringify(profile_pin)}`);
  if (tokens.get(name)) throw new Fault("already_exists", { what: "agent token", name: requestedName });
  requireCapacity(app, { name, owner: owner?.id });
  const { secret, hash, prefix } = newTokenSecret();
  const now = app.clock.now();
  const row: TokenRow = {
    name,
    ...(owner && { owner: owner.id }),
    hash,
    prefix,
    servers,
    permissions: [...new Set(permissions)],
    ...(profile_pin !== undefined && { profile: profile_pin }),
    createdAt: now,
    expiresAt: Math.min(now + lifeMs, owner?.until ?? Number.POSITIVE_INFINITY),
  };
  return { row, secret };
}

/** Checks that one more token may be stored. @throws Fault token_limit */
function requireCapacity({ store }: App, { name, owner }: { name: string; owner?: string | undefined }): void {
  const limit = owner === undefined ? MAX_TOKENS : MAX_PER_USER;
  // The token itself may be among them already, when the store repeats the change.
  const others = store.tokens.all().filter((row) => row.owner === owner && row.name !== name);
  if (others.length >= limit) throw new Fault("token_limit", { limit, ...(owner !== undefined && { own: true }) });
}

/** Parses the lifetime of a token to milliseconds. @throws Fault invalid_request */
function lifetime(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw invalid('expires_in: must be a duration such as "30d" or "12h"');
  if (ms <= 0 || ms > MAX_LIFETIME_MS) throw invalid("expires_in: must be more than 0 and at most 365d");
  return Math.ceil(ms);
}

/** Checks the names of servers. A server out of the caller's scope is reported like an unknown one. */
function checkedServers(app: App, servers: readonly string[], { caller }: Actor): string[] {
  const names = app.config.current().mcpServers.flatMap(({ name }) => (inScope(caller.scope, name) ? [name] : []));
  for (const server of servers) {
    if (server === "*" || names.includes(server)) continue;
    const near = nearestWords(server, names, 2);
    const remedy =
      near.length > 0 ? `did you mean ${near.join(" or ")}?` : "list the servers with: proxy upstream list";
    throw invalid(`allowed_servers: unknown server: ${JSON.stringify(server)}; ${remedy}`);
  }
  return servers.includes("*") ? ["*"] : [...new Set(servers)];
}

const invalid = (reason: string) => new Fault("invalid_request", { reason });
