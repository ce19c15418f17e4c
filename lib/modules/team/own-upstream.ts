import type { App } from "../../core/app.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { abortable } from "../../core/upstream/abortable.ts";
import { hasConfiguredCredentials } from "../../core/upstream/configured-credentials.ts";
import type { Upstream } from "../../core/upstream/upstreams.ts";
import { NoPersonalToken } from "../oauth/identity-assertions.ts";
import { oauth } from "../oauth/state.ts";
import { credentialKey } from "../oauth/user-key.ts";
import { signInPage } from "./credentials.ts";
import { currentEdition } from "./edition.ts";
import { Fault } from "./faults.ts";

/**
 * Whether a caller's calls use a connection of the caller's own. At a server that the identity provider lets people use,
 * this holds for callers that are no person too: there is none that they could use.
 */
export function connectsAlone(app: Pick<App, "config">, { user }: Caller, name: string): boolean {
  const mode = app.config.server(name)?.auth_broker?.mode;
  return mode !== undefined && (user !== undefined || (mode === "id_jag" && currentEdition(app) !== undefined));
}

/** Timeout for one user's connection (ms). */
const READY_MS = 15_000;

/** How often a server may require wider scopes (ms): each time asks the identity provider again. */
const WIDER_MS = 60_000;

/**
 * Returns the connection for a user's calls when it is ready.
 *
 * @throws Fault server_needs_user; user_connect_needed if the user has not signed in there; proxy_sign_in_needed,
 *   server_access_denied, server_access_unavailable, credentials_off for a server with an assertion of the identity provider;
 *   server_not_ready
 */
export async function ownUpstream(app: App, { user }: Caller, name: string, signal: AbortSignal): Promise<Upstream> {
  const server = app.config.server(name);
  const state = "Disconnected";
  if (!user) throw new Fault("server_needs_user", { server: name });
  if (!server?.url || !server.enabled) throw new Fault("server_not_ready", { server: name, state });
  // Credentials in the server's entry would be sent for every user.
  if (URL.canParse(server.url) && hasConfiguredCredentials(server, new URL(server.url)))
    throw new Fault("server_not_ready", { server: name, state, reason: "its entry contains shared credentials" });
  return server.auth_broker?.mode === "id_jag"
    ? connectByIdentity(app, user.id, name, signal)
    : connectBySignIn(app, user.id, name, signal);
}

async function connectBySignIn(app: App, user: string, name: string, signal: AbortSignal): Promise<Upstream> {
  const path = signInPage(app);
  const { state } = await app.part(oauth).load(name, user);
  if (state !== "signed_in") throw new Fault("user_connect_needed", { server: name, path });
  const upstream = app.upstreams.forUser(name, user)!;
  try {
    await upstream.ensureReady(READY_MS, signal);
  } catch (error) {
    if (upstream.status().authRequired)
      throw new Fault("user_connect_needed", { server: name, path }, { cause: error });
    throw error;
  }
  return upstream;
}

async function connectByIdentity(app: App, user: string, name: string, signal: AbortSignal): Promise<Upstream> {
  if (!(await credentialKey(app))) throw new Fault("credentials_off");
  if (!(await isTokenGood(app, user, name))) await obtainToken(app, user, name, signal);
  const upstream = app.upstreams.forUser(name, user)!;
  try {
    await upstream.ensureReady(READY_MS, signal);
    return upstream;
  } catch (error) {
    if (!upstream.status().authRequired) throw error;
  }
  // The server no longer accepted the token, and it could not be replaced.
  await obtainToken(app, user, name, signal);
  const fresh = app.upstreams.forUser(name, user)!;
  await fresh.ensureReady(READY_MS, signal);
  return fresh;
}

/** Whether the stored token is valid and sufficient. */
async function isTokenGood(app: App, user: string, name: string): Promise<boolean> {
  const now = app.clock.now();
  const { state, expiresAt, obtainedAt = 0, needs } = await app.part(oauth).load(name, user);
  const isEnough = !needs || now - obtainedAt < WIDER_MS;
  return state === "signed_in" && isEnough && (expiresAt === undefined || now < expiresAt);
}

/** Gets a token, and ends a connection that failed without one. */
async function obtainToken(app: App, user: string, name: string, signal: AbortSignal): Promise<void> {
  try {
    await abortable(app.part(oauth).obtain(name, user), signal);
  } catch (error) {
    if (!(error instanceof NoPersonalToken)) throw error;
    const { code, reason, remedy } = error;
    throw new Fault(code, { server: name, reason, remedy, path: signInPage(app) }, { cause: error });
  }
  if (app.upstreams.userStatus(name, user)?.authRequired) app.upstreams.dropUser(user, name);
}
