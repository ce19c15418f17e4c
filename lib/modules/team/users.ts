import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import { inScope } from "../../core/policy/scope.ts";
import type { Actor } from "../../core/schema/caller.ts";
import type { UserRow } from "../../core/schema/user.ts";
import type { Me, UserEntry } from "../../core/schema/user-entry.ts";
import { currentEdition } from "./edition.ts";
import { Fault } from "./faults.ts";
import { forgetIdentity } from "./keep-identity.ts";
import { isAdmin, scopeOfUser } from "./scope.ts";

/** All users who ever signed in, by email address. */
export function listUsers(app: App): UserEntry[] {
  return app.store.users.all().map((user) => userEntry(app, user));
}

/** The row of a user. @throws Fault no_such_record */
export function findUser({ store }: Pick<App, "store">, id: string): UserRow {
  const user = store.users.get(id);
  if (!user) throw new Fault("no_such_record", { what: "user", id });
  return user;
}

/** The signed-in user's own record. */
export function me(app: Pick<App, "config">, user: UserRow): Me {
  const { id, email, displayName = "" } = user;
  const block = currentEdition(app);
  const role = block && isAdmin(block, user) ? "admin" : "user";
  return { id, email, display_name: displayName, role, provider: block?.oauth.provider ?? "oidc" };
}

function userEntry(app: App, user: UserRow): UserEntry {
  const { store, config, clock } = app;
  const current = config.current();
  const scope = scopeOfUser(current, user);
  const mine = (row: { userId: string; expiresAt: number }) => row.userId === user.id && clock.now() < row.expiresAt;
  return {
    ...me(app, user),
    groups: [...user.groups],
    servers: current.mcpServers.map(({ name }) => name).filter((name) => inScope(scope, name)),
    created_at: rfc3339(user.createdAt),
    last_login_at: rfc3339(user.signedInAt),
    disabled: user.disabledAt !== undefined,
    active_sessions: store.userSessions.all().filter(mine).length,
    tokens: store.tokens.all().filter((token) => token.owner === user.id).length,
  };
}

/**
 * Disables a user immediately: sessions and bearer tokens are invalidated, agent tokens are suspended, streams end.
 * Groups and role from the provider are deleted, so that after `enable` no outdated rights apply before the next
 * sign-in (spec 001 §5 item 4).
 *
 * @throws Fault no_such_record, own_account
 */
export async function disableUser(app: App, id: string, by: Actor): Promise<UserEntry> {
  findUser(app, id);
  if (by.caller.user?.id === id) throw new Fault("own_account");
  const now = app.clock.now();
  const sessions = app.store.userSessions.all().filter(({ userId }) => userId === id);
  const [{ after }] = await Promise.all([
    app.store.users.change(
      id,
      (user) =>
        user && { ...user, groups: [], admin: false, bearersAfter: now + 1, disabledAt: user.disabledAt ?? now },
    ),
    sessions.length > 0 && app.store.userSessions.remove(sessions.map((session) => session.id)),
  ]);
  app.upstreams.dropUser(id);
  await forgetIdentity(app, id);
  logUserChange(app, by, "user_disable", after!);
  return userEntry(app, after!);
}

/** Enables a user, who must sign in again. @throws Fault no_such_record */
export async function enableUser(app: App, id: string, by: Actor): Promise<UserEntry> {
  findUser(app, id);
  const { before, after } = await app.store.users.change(id, (user) => {
    if (user?.disabledAt === undefined) return undefined;
    const { disabledAt: _, ...enabled } = user;
    return enabled;
  });
  if (before !== after) logUserChange(app, by, "user_enable", after!);
  return userEntry(app, after!);
}

function logUserChange(app: App, by: Actor, action: string, user: UserRow): void {
  const metadata = { action, affected_entity: user.email, affected_user: user.id };
  recordActivity(app, by, { type: "config_change", status: "success", metadata });
}
