import { type App, part } from "../../core/app.ts";
import type { UserConnectionState } from "../../core/extension/user-connections.ts";
import type { Caller } from "../../core/schema/caller.ts";
import type { UpstreamSignIn } from "../../core/schema/upstream-sign-in.ts";
import { oauth } from "../oauth/state.ts";
import { signInPage } from "./credentials.ts";
import { connectsAlone } from "./own-upstream.ts";

/** Sign-ins that were read from disk since the start, by owner and server. */
const signInsRead = part("signInsRead", () => new Set<string>());

/**
 * The state of a user's own connection to a server, which replaces that of the shared connection. A connection opens
 * with the first call, so a signed-in user counts as connected unless the connection failed.
 *
 * The stored sign-in is read in the background after the first request. Until then the state is connecting; afterwards
 * `servers.changed` is published.
 *
 * @returns undefined for callers without a user, for administrators, and if the connection is shared
 */
export function ownState(app: App, caller: Caller, name: string): UserConnectionState | undefined {
  if (caller.tier === "admin" || !caller.user || !connectsAlone(app, caller, name)) return undefined;
  const { id } = caller.user;
  const signIn = app.part(oauth).status(name, id);
  const at = { since: 0, attempts: 0, reconnects: 0 };
  if (signIn.state === "none" && !isRead(app, id, name)) return { signIn, status: { ...at, state: "Connecting" } };
  if (signIn.state === "pending") return { signIn, status: { ...at, state: "Authenticating" } };
  if (app.config.server(name)?.auth_broker?.mode === "id_jag") return stateByIdentity(app, signIn, name, id);
  if (signIn.state === "signed_in")
    return { signIn, status: app.upstreams.userStatus(name, id) ?? { ...at, state: "Ready" } };
  const lastError = `sign in to the server yourself at ${signInPage(app)}`;
  return {
    signIn,
    status: { ...at, state: "Disconnected", authRequired: true, lastError, errorClass: "sign_in_required" },
  };
}

/**
 * At a server that the identity provider lets people use, a call gets a token when it needs one. So the state prevents
 * no call, unless only a new sign-in to the proxy helps.
 */
function stateByIdentity(app: App, signIn: UpstreamSignIn, name: string, id: string): UserConnectionState {
  const at = { since: 0, attempts: 0, reconnects: 0 };
  const { failure } = signIn;
  if (failure?.errorType === "proxy_sign_in_needed") {
    const lastError = `${failure.reason}; ${failure.suggestion} at ${signInPage(app)}`;
    return {
      signIn,
      status: { ...at, state: "Disconnected", authRequired: true, lastError, errorClass: "sign_in_required" },
    };
  }
  const { authRequired: _, ...status } = app.upstreams.userStatus(name, id) ?? { ...at, state: "Ready" as const };
  return { signIn, status: signIn.state === "signed_in" ? status : { ...status, state: "Ready" } };
}

function isRead(app: App, owner: string, name: string): boolean {
  const known = app.part(signInsRead);
  const key = JSON.stringify([owner, name]);
  if (known.has(key)) return true;
  const done = () => {
    known.add(key);
    app.events.publish("servers.changed", { server: name, reason: "sign_in_changed" });
  };
  // `load` records a failure as that of the sign-in.
  app.log.catch(`reading a sign-in at "${name}"`, app.part(oauth).load(name, owner).then(done));
  return false;
}
