import { randomUUID } from "node:crypto";
import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import { inScope } from "../../core/policy/scope.ts";
import type { Actor, Caller } from "../../core/schema/caller.ts";
import type { UpstreamSignIn } from "../../core/schema/upstream-sign-in.ts";
import type { CredentialEntry } from "../../core/schema/user-entry.ts";
import { oauth } from "../oauth/state.ts";
import { credentialKey } from "../oauth/user-key.ts";
import { publicOrigin, requireEdition } from "./begin.ts";
import { Fault } from "./faults.ts";

/**
 * Sign-ins of single users at shared servers (`auth_broker`): each user's calls use that user's credentials, sealed
 * with `credential_encryption_key`, and never those of another user or the operator (reference 12.6).
 */

/**
 * The page to which a user is sent to sign in at a server. It is a page of the panel, because requests from links on
 * other sites are rejected (`api/authenticate/same-origin.ts`), and a user can first sign in to the proxy there.
 */
export const signInPage = (app: Pick<App, "config">) => `${publicOrigin(requireEdition(app)) ?? ""}/ui/account`;

/** Where a user signs in to the proxy again, for servers that the identity provider lets the user use. */
const SIGN_IN_AGAIN = "/api/v1/auth/login?redirect_uri=/ui/account";

/** The path at which that page begins a sign-in at a server. */
const connectPath = (server: string) => `/api/v1/user/credentials/${encodeURIComponent(server)}/connect`;
const callbackPath = (server: string) => `/api/v1/user/credentials/${encodeURIComponent(server)}/callback`;

/** The state of a user's sign-ins, for each granted server with user sign-in. */
export async function listCredentials(app: App, { scope, user }: Caller): Promise<CredentialEntry[]> {
  const key = await credentialKey(app);
  const servers = app.config
    .current()
    .mcpServers.filter(({ name, auth_broker }) => auth_broker && inScope(scope, name));
  return Promise.all(
    servers.map(async ({ name, auth_broker }) => {
      const found = key
        ? await app
            .part(oauth)
            .load(name, user!.id)
            .catch(() => undefined)
        : undefined;
      const isRejected = app.upstreams.userStatus(name, user!.id)?.authRequired === true;
      return credentialEntry(name, auth_broker!.mode, key ? found : "off", isRejected);
    }),
  );
}

const STATES: Partial<Record<UpstreamSignIn["state"], CredentialEntry["status"]>> = {
  signed_in: "connected",
  expired: "expired",
};

/** @param isRejected whether the server rejected the token, whatever its expiry */
function credentialEntry(
  server: string,
  mode: CredentialEntry["mode"],
  found: UpstreamSignIn | "off" | undefined,
  isRejected: boolean,
): CredentialEntry {
  const credential = typeof found === "object" ? found : undefined;
  const { failure, ended } = credential ?? {};
  const byIdentity = mode === "id_jag" && (failure ? "not_connected" : "automatic");
  const isOver = credential?.state === "signed_in" && (isRejected || ended !== undefined);
  const stored = isOver ? "expired" : credential && STATES[credential.state];
  const status =
    found === "off" ? "unavailable" : stored === "connected" ? stored : byIdentity || stored || "not_connected";
  const isHeld = status === "connected" || status === "expired";
  const reason = reasonOf(mode, credential);
  return {
    server,
    mode,
    status,
    connect_path: mode === "id_jag" ? SIGN_IN_AGAIN : connectPath(server),
    ...(reason !== undefined && { reason }),
    ...(isHeld && { token_type: "Bearer", obtained_via: mode }),
    ...(isHeld && credential?.scope !== undefined && { scopes: credential.scope.split(" ") }),
    ...(isHeld && credential?.issuer !== undefined && { issuer: credential.issuer }),
    ...(isHeld && credential?.expiresAt !== undefined && { expires_at: rfc3339(credential.expiresAt) }),
  };
}

/** Why the user should sign in, or could not be signed in. */
function reasonOf(mode: CredentialEntry["mode"], credential: UpstreamSignIn | undefined): string | undefined {
  const { failure, needs, state } = credential ?? {};
  if (failure) return `${failure.reason}; ${failure.suggestion}`;
  if (mode === "id_jag" || !needs || state !== "signed_in") return undefined;
  return `a call lacked the scope ${needs.join(" ")}; sign in again to grant it`;
}

/**
 * Begins a sign-in of one user at a server.
 *
 * @param base origin under which the browser reached this service
 * @returns the URL to redirect the browser to
 * @throws Fault server_not_found, server_disabled, credentials_off, and the faults of `oauth.start`
 */
export async function connectCredential(
  app: App,
  name: string,
  by: Actor,
  { base, signal }: { base: string; signal: AbortSignal },
): Promise<string> {
  const server = brokered(app, name, by.caller);
  if (!server.enabled) throw new Fault("server_disabled", { server: name });
  if (!(await credentialKey(app))) throw new Fault("credentials_off");
  if (server.auth_broker?.mode === "id_jag") return (publicOrigin(requireEdition(app)) ?? base) + SIGN_IN_AGAIN;
  const { id, email } = by.caller.user!;
  const redirectUri = (publicOrigin(requireEdition(app)) ?? base) + callbackPath(name);
  const started = await app.part(oauth).start(name, {
    owner: id,
    redirectUri: async ({ configured }) => configured ?? redirectUri,
    correlationId: randomUUID(),
    by: email,
    signal,
  });
  return started.authUrl;
}

/**
 * Accepts the authorization response of a user's browser. The sign-in must belong to the user who is signed in to the
 * proxy in this browser, so that nobody can make another user complete a sign-in.
 *
 * @throws Fault server_not_found, code_flow_failed
 */
export async function finishCredential(app: App, name: string, answer: URLSearchParams, by: Actor): Promise<void> {
  brokered(app, name, by.caller);
  const { id } = by.caller.user!;
  await app.part(oauth).finish(answer, { server: name, owner: id });
  app.upstreams.dropUser(id, name);
  noted(app, by, name, "user_connect");
}

/** Deletes a user's sign-in at a server and revokes its tokens. @throws Fault server_not_found */
export async function removeCredential(app: App, name: string, by: Actor, signal: AbortSignal): Promise<boolean> {
  brokered(app, name, by.caller);
  const { id } = by.caller.user!;
  const { was } = await app.part(oauth).forget(name, signal, id);
  app.upstreams.dropUser(id, name);
  noted(app, by, name, "user_disconnect");
  return was;
}

/** @throws Fault server_not_found, also for a server that is not granted, or has no user sign-in */
function brokered(app: App, name: string, { scope }: Caller): ServerConfig {
  const server = app.config.server(name);
  if (!server?.auth_broker || !inScope(scope, name)) throw new Fault("server_not_found", { server: name });
  return server;
}

function noted(app: App, by: Actor, server: string, action: string): void {
  recordActivity(app, by, { type: "server_change", server_name: server, status: "success", metadata: { action } });
}
