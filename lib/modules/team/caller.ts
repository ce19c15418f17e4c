import type { App } from "../../core/app.ts";
import type { Config } from "../../core/config/config-keys.ts";
import type { Caller, Person } from "../../core/schema/caller.ts";
import { FULL_SCOPE } from "../../core/schema/caller.ts";
import type { UserRow } from "../../core/schema/user.ts";
import { editionOf } from "./edition.ts";
import { isAdmin, scopeOfUser } from "./scope.ts";

/** How a signed-in user authenticated. */
type Shown = Pick<Person, "by" | "session" | "signedInAt" | "issuedAt" | "until">;

/**
 * The caller for a signed-in user under the current configuration. Role and servers are computed for every request, so
 * that a narrower grant applies to the next one (spec 001 §5 item 4).
 *
 * @returns undefined for a user without access, and for a credential from before the user was last disabled
 */
export function userCaller(config: Config, user: UserRow, shown: Shown): Caller | undefined {
  const edition = editionOf(config);
  if (!edition || user.disabledAt !== undefined || shown.issuedAt < user.bearersAfter) return undefined;
  const admin = isAdmin(edition, user);
  return {
    tier: admin ? "admin" : "user",
    name: user.email,
    listener: "tcp",
    scope: admin ? FULL_SCOPE : scopeOfUser(config, user),
    user: { id: user.id, email: user.email, ...shown },
  };
}

/**
 * The caller for the same user at a later time, for streams that outlive the request that opened them.
 *
 * @returns undefined if the session or bearer token has ended, or the user no longer has access
 */
export function userNow(app: Pick<App, "store" | "config" | "clock">, { user }: Caller): Caller | undefined {
  const row = user && app.store.users.get(user.id);
  if (!row) return undefined;
  const { by, session, signedInAt, issuedAt, until } = user;
  if (app.clock.now() >= until) return undefined;
  if (by === "session" && !app.store.userSessions.get(session!)) return undefined;
  return userCaller(app.config.current(), row, {
    by,
    ...(session !== undefined && { session }),
    signedInAt,
    issuedAt,
    until,
  });
}
