import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import type { JsonObject } from "../../core/base/json-object.ts";
import type { Actor } from "../../core/schema/caller.ts";
import { maskSecret } from "../../core/secrets/mask/mask.ts";
import { createToken } from "../../core/verbs/tokens/create.ts";
import { removeToken } from "../../core/verbs/tokens/remove.ts";
import { revokeToken } from "../../core/verbs/tokens/revoke.ts";
import { tokenHash } from "../../core/verbs/tokens/secret.ts";
import { tokenDefect } from "../../core/verbs/tokens/verify.ts";
import type { Client } from "./client.ts";
import { endpointOf } from "./target.ts";
import { addMadeToken, dropMadeToken, isMade } from "./writes.ts";

/** Placeholder for the secret of a token that does not exist yet: a mask with the length of a secret. */
const TO_BE_MADE = "•••• (72 chars)";

const TOKEN = /mcp_agt_[0-9a-f]{64}/g;
/** An existing token is used again only if it is valid for at least this long (ms). */
const MIN_REMAINING_MS = 30 * 86_400_000;

/**
 * Whether clients must authenticate: the configuration requires it, or the listener is reachable from other machines.
 */
export function needsCredential(app: App): boolean {
  const { require_mcp_auth, server_edition } = app.config.current();
  return require_mcp_auth || server_edition?.enabled === true || endpointOf(app)?.loopback === false;
}

/** Whether a client gets its token by a sign-in, so that its entry holds only the URL. */
export const signsInAlone = (app: App, { signsIn }: Client): boolean =>
  signsIn === true && app.config.current().auth.oauth.enabled;

/** The token in an entry, if the proxy created it for this client and it is still valid. */
export function usableIn(app: App, clientId: string, raw: JsonObject | undefined): string | undefined {
  return secretsIn(raw).find((secret) => {
    const row = app.store.tokens.byHash(tokenHash(secret));
    if (!row || !isMade(app, clientId, row.name) || tokenDefect(app, row.name) !== undefined) return false;
    return row.expiresAt - app.clock.now() > MIN_REMAINING_MS;
  });
}

/** The secrets of agent tokens anywhere in an entry. */
function secretsIn(raw: JsonObject | undefined): string[] {
  return raw === undefined ? [] : (JSON.stringify(raw).match(TOKEN) ?? []);
}

/**
 * Creates an agent token for one client. It may call every tool that the proxy allows for agents, and change nothing.
 *
 * @throws Fault token_limit
 */
export async function makeToken(app: App, clientId: string, by: Actor): Promise<{ name: string; secret: string }> {
  const name = await freeName(app, clientId, by);
  const tokenRequest = { name, permissions: ["read", "write", "destructive"] as const, expires_in: "365d" };
  const { token } = await createToken(app, { ...tokenRequest, permissions: [...tokenRequest.permissions] }, by);
  await addMadeToken(app, clientId, name);
  return { name, secret: token };
}

/** A name that no valid token has. An expired or revoked token of that name is removed. */
async function freeName(app: App, clientId: string, by: Actor): Promise<string> {
  for (let i = 1; ; i++) {
    const name = `connect-${clientId}${i === 1 ? "" : `-${i}`}`;
    if (!app.store.tokens.get(name)) return name;
    if (tokenDefect(app, name) === undefined || !isMade(app, clientId, name)) continue;
    await removeToken(app, name, by);
    return name;
  }
}

/** Revokes a token that a connect created. */
export async function endToken(app: App, clientId: string, name: string, by: Actor): Promise<void> {
  if (!isMade(app, clientId, name)) return;
  if (app.store.tokens.get(name)) await revokeToken(app, name, by);
}

/** Deletes a token whose connect failed. */
export async function unmakeToken(app: App, clientId: string, name: string, by: Actor): Promise<void> {
  await removeToken(app, name, by).catch((error) => app.log.warn(`token ${name}: ${reasonOf(error)}`));
  await dropMadeToken(app, clientId, name);
}

/** Revokes the tokens in a removed entry, if a connect of this client created them. */
export async function endTokensIn(app: App, clientId: string, raw: JsonObject, by: Actor): Promise<string[]> {
  const ended: string[] = [];
  for (const secret of secretsIn(raw)) {
    const row = app.store.tokens.byHash(tokenHash(secret));
    if (!row || !isMade(app, clientId, row.name)) continue;
    await endToken(app, clientId, row.name, by);
    ended.push(row.name);
  }
  return ended;
}

/** The secret in an entry, masked for display. */
export const shownSecret = (secret: string | undefined) => (secret === undefined ? TO_BE_MADE : maskSecret(secret));
