import { record } from "../activity/record.ts";
import type { App } from "../app.ts";
import { durationMs } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import type { Actor } from "../shape/caller.ts";
import type { TokenRow } from "../shape/token.ts";
import type { IssuedToken, NewToken } from "../shape/token-entry.ts";
import { entry } from "./entry.ts";
import { newSecret } from "./secret.ts";

/** Most tokens kept, revoked and expired ones among them. */
export const MOST_TOKENS = 100;

const DAY_MS = 86_400_000;
const LONGEST_MS = 365 * DAY_MS;

/**
 * Issues an agent token; its secret is in the answer and nowhere else (reference 1.6).
 *
 * @throws Fault already_exists, token_limit, invalid_request
 */
export async function create(app: App, wanted: NewToken, by: Actor): Promise<IssuedToken> {
  const { name, allowed_servers = ["*"], permissions = ["read"], expires_in = "30d", profile_pin } = wanted;
  const { tokens } = app.store;
  const lifeMs = lifetime(expires_in);
  const servers = checkedServers(app, allowed_servers);
  if (profile_pin !== undefined && !app.config.current().profiles.some((p) => p.name === profile_pin))
    throw invalid(`profile_pin: unknown profile: ${JSON.stringify(profile_pin)}`);
  if (tokens.get(name)) throw new Fault("already_exists", { what: "agent token", name });
  if (tokens.all().length >= MOST_TOKENS) throw new Fault("token_limit", { limit: MOST_TOKENS });
  const { secret, hash, prefix } = newSecret();
  const now = app.clock.now();
  const row: TokenRow = {
    name,
    hash,
    prefix,
    servers,
    permissions: [...new Set(permissions)],
    ...(profile_pin !== undefined && { profile: profile_pin }),
    createdAt: now,
    expiresAt: now + lifeMs,
  };
  await tokens.put(row);
  record(app, by, { type: "config_change", status: "success", metadata: { action: "token_create", token: name } });
  return { ...entry(app, row), token: secret };
}

/** @throws Fault invalid_request */
function lifetime(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw invalid('expires_in: must be a duration such as "30d" or "12h"');
  if (ms <= 0 || ms > LONGEST_MS) throw invalid("expires_in: must be more than 0 and at most 365d");
  return Math.ceil(ms);
}

function checkedServers(app: App, servers: readonly string[]): string[] {
  for (const server of servers)
    if (server !== "*" && !app.config.server(server))
      throw invalid(`allowed_servers: unknown server: ${JSON.stringify(server)}`);
  return servers.includes("*") ? ["*"] : [...new Set(servers)];
}

const invalid = (reason: string) => new Fault("invalid_request", { reason });
