import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import type { UserRow } from "../../core/schema/user.ts";
import { oauth } from "../oauth/state.ts";
import { credentialKey } from "../oauth/user-key.ts";
import { currentEdition } from "./edition.ts";
import { deleteIdentity, isIdentityNeeded, readIdentity, writeIdentity } from "./identity-record.ts";
import { provider } from "./provider.ts";
import { isAdmin } from "./scope.ts";

/** What the identity provider issued at a sign-in. */
export interface IdentityTokens {
  readonly idToken: string;
  /** When the ID token expires (ms). */
  readonly expiresAt: number;
  readonly refreshToken?: string;
}

/** Longest tokens that are kept, together (characters). */
const MAX_CHARACTERS = 64 * 1024;

/**
 * Keeps what the identity provider issued at a sign-in, if a server needs it, so that the proxy can request assertions
 * about the user. It replaces what an earlier sign-in left. After an administrator's sign-in, servers without a
 * connection are tried again, because their tools are listed as an administrator.
 */
export async function keepIdentity(app: App, user: UserRow, tokens: IdentityTokens, session: string): Promise<void> {
  if (!isIdentityNeeded(app)) return;
  const size = tokens.idToken.length + (tokens.refreshToken?.length ?? 0);
  const why =
    size > MAX_CHARACTERS
      ? `the tokens of the identity provider are longer than ${MAX_CHARACTERS} characters`
      : (await credentialKey(app)) === undefined
        ? "server_edition.credential_encryption_key is not set"
        : undefined;
  if (why) return void app.log.warn(`the sign-in cannot be used for servers with the mode id_jag: ${why}`);
  await writeIdentity(app, user.id, { ...tokens, session });
  app.part(oauth).retryFor(user.id);
  const edition = currentEdition(app);
  if (edition && isAdmin(edition, user)) connectListings(app);
}

function connectListings(app: App): void {
  for (const { name, enabled, auth_broker } of app.config.current().mcpServers) {
    const upstream = enabled && auth_broker?.mode === "id_jag" ? app.upstreams.get(name) : undefined;
    const { state, authRequired } = upstream?.status() ?? {};
    if (!upstream || (state === "Ready" && !authRequired)) continue;
    app.part(oauth).retryFor("");
    // A failure is shown as that of the server.
    upstream.restart("an administrator signed in").catch(() => undefined);
  }
}

/**
 * Deletes what the identity provider issued to a user, and the tokens at servers that the proxy got with it. The refresh
 * token is revoked at the identity provider, the others at the authorization servers.
 *
 * @param session only if it came from this browser session, which ends; absent: in any case
 */
export async function forgetIdentity(app: App, user: string, session?: string): Promise<void> {
  const record = await readIdentity(app, user);
  if (session !== undefined && record && record.session !== session) return;
  await deleteIdentity(app, user);
  for (const server of await app.part(oauth).forgetObtained(user)) app.upstreams.dropUser(user, server);
  const { refreshToken } = record ?? {};
  const edition = currentEdition(app);
  if (refreshToken === undefined || !edition) return;
  const revoked = provider(app, edition).then(({ oidc, configuration }) =>
    configuration.serverMetadata().revocation_endpoint === undefined
      ? undefined
      : oidc.tokenRevocation(configuration, refreshToken, { token_type_hint: "refresh_token" }),
  );
  revoked.catch((error: unknown) => app.log.info(`the identity provider did not revoke a token: ${reasonOf(error)}`));
}
