import { type App, part } from "../../core/app.ts";
import type { UserConnectionState } from "../../core/extension/user-connections.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { oauth } from "../oauth/state.ts";
import { connectsAlone, signInPage } from "./credentials.ts";

/** Sign-ins already read since the start, by owner and server. */
const signInsRead = part("signInsRead", () => new Set<string>());

/**
 * A user's own state at a server, in place of the shared connection's, which says nothing about theirs. A connection is
 * opened with the first call, so that whoever is signed in counts as connected unless a connection of theirs failed.
 *
 * What is sealed on the disk is read behind the first question; until then the server counts as connecting, and after
 * it `servers.changed` is told.
 *
 * @returns undefined for whoever is not a user's, for administrators, and where the connection is shared
 */
export function ownState(app: App, caller: Caller, name: string): UserConnectionState | undefined {
  if (caller.tier === "admin" || !connectsAlone(app, caller, name)) return undefined;
  const { id } = caller.user!;
  const signIn = app.part(oauth).status(name, id);
  const at = { since: 0, attempts: 0, reconnects: 0 };
  if (signIn.state === "none" && !isRead(app, id, name)) return { signIn, status: { ...at, state: "Connecting" } };
  if (signIn.state === "pending") return { signIn, status: { ...at, state: "Authenticating" } };
  if (signIn.state === "signed_in")
    return { signIn, status: app.upstreams.userStatus(name, id) ?? { ...at, state: "Ready" } };
  const lastError = `sign in to the server yourself at ${signInPage(app)}`;
  return {
    signIn,
    status: { ...at, state: "Disconnected", authRequired: true, lastError, errorClass: "sign_in_required" },
  };
}

function isRead(app: App, owner: string, name: string): boolean {
  const known = app.part(signInsRead);
  const key = JSON.stringify([owner, name]);
  if (known.has(key)) return true;
  const done = () => {
    known.add(key);
    app.events.publish("servers.changed", { server: name, reason: "sign_in_changed" });
  };
  // `load` notes a failure as that of the sign-in.
  app.log.catch(`reading a sign-in at "${name}"`, app.part(oauth).load(name, owner).then(done));
  return false;
}
