import type { App } from "../../core/app.ts";
import { inScope } from "../../core/policy/scope.ts";
import type { Caller, Scope } from "../../core/schema/caller.ts";
import { serverRecord } from "../../core/verbs/servers/record.ts";
import { listCredentials } from "../team/credentials.ts";

/** A server at which a person has to sign in before a client can use it. */
export interface ServerSignIn {
  readonly server: string;
  /** `pending`: a sign-in is under way in a browser. */
  readonly state: "needed" | "pending";
  /** Why the sign-in is needed. */
  readonly reason?: string;
  /** The path at which a user begins a sign-in of the user's own; absent: an administrator signs in for everybody. */
  readonly connectPath?: string;
}

/**
 * Returns the servers of a scope at which the person in front of the panel can and has to sign in: with credentials of
 * their own where each user has them, and for everybody if the person is an administrator.
 */
export async function listServerSignIns(app: App, person: Caller, scope: Scope): Promise<ServerSignIn[]> {
  const own = person.user ? await listCredentials(app, { ...person, scope }) : [];
  const ownByName = new Map(own.map((credential) => [credential.server, credential]));
  const servers = app.config.current().mcpServers.filter(({ name, enabled }) => enabled && inScope(scope, name));
  return servers.flatMap(({ name }): ServerSignIn[] => {
    const credential = ownByName.get(name);
    if (credential) {
      const isNeeded = credential.status === "not_connected" || credential.status === "expired";
      return isNeeded ? [{ server: name, state: "needed", connectPath: credential.connect_path }] : [];
    }
    if (person.tier !== "admin") return [];
    const { health, oauth_status } = serverRecord(app, name, person);
    if (health.action !== "login") return [];
    const state = oauth_status === "pending" ? "pending" : "needed";
    return [{ server: name, state, ...(health.detail !== undefined && { reason: health.detail }) }];
  });
}
