import { randomUUID } from "node:crypto";
import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor } from "../../core/schema/caller.ts";
import type { UserRow, UserSessionRow } from "../../core/schema/user.ts";
import type { UserSessionEntry } from "../../core/schema/user-entry.ts";
import { requireEdition } from "./begin.ts";
import { sessionLifeMs } from "./edition.ts";
import { Fault } from "./faults.ts";
import { forgetIdentity } from "./keep-identity.ts";
import { randomSecret, sha256Hex } from "./pending.ts";

/** Maximum number of sessions of one user; beyond it the oldest one ends. */
const MAX_SESSIONS_PER_USER = 20;

/** Creates a session for a browser. @returns the secret for its cookie, which is not stored */
export async function openSession(
  app: App,
  user: UserRow,
  from: { userAgent?: string | undefined; clientIp?: string | undefined },
): Promise<{ secret: string; session: UserSessionRow }> {
  const { store, clock } = app;
  const now = clock.now();
  const secret = randomSecret();
  const session: UserSessionRow = {
    id: randomUUID(),
    hash: sha256Hex(secret),
    userId: user.id,
    createdAt: now,
    expiresAt: now + sessionLifeMs(requireEdition(app)),
    ...(from.userAgent !== undefined && { userAgent: from.userAgent.slice(0, 300) }),
    ...(from.clientIp !== undefined && { clientIp: from.clientIp }),
  };
  const rows = store.userSessions.all();
  const own = rows.filter((row) => row.userId === user.id).sort((a, b) => b.createdAt - a.createdAt);
  const over = [...own.slice(MAX_SESSIONS_PER_USER - 1), ...rows.filter((row) => now >= row.expiresAt)];
  if (over.length > 0) await store.userSessions.remove([...new Set(over.map(({ id }) => id))]);
  await store.userSessions.change(session.id, () => session);
  return { secret, session };
}

/**
 * Makes sure that the user of a new session was not disabled since the sign-in. To be called when everything that the
 * sign-in stores is stored, because `disableUser` removes only what it finds.
 *
 * @throws Fault sign_in_denied, after the session has ended
 */
export async function confirmSession(app: App, user: UserRow, session: UserSessionRow): Promise<void> {
  const now = app.store.users.get(user.id);
  if (now && user.signedInAt >= now.bearersAfter) return;
  await app.store.userSessions.remove([session.id]);
  await forgetIdentity(app, user.id, session.id);
  throw new Fault("sign_in_denied", { reason: "this account was disabled meanwhile" });
}

/** Finds the valid session whose cookie contains this secret. */
export function liveSession(
  { store, clock }: Pick<App, "store" | "clock">,
  secret: string,
): UserSessionRow | undefined {
  const row = store.userSessions.byHash(sha256Hex(secret));
  return row && clock.now() < row.expiresAt ? row : undefined;
}

/** The valid sessions, newest first, of one user or of all. */
export function listSessions({ store, clock }: App, userId?: string): Omit<UserSessionEntry, "current">[] {
  return store.userSessions
    .all()
    .filter((row) => clock.now() < row.expiresAt && (userId === undefined || row.userId === userId))
    .sort((a, b) => b.createdAt - a.createdAt)
    .map(({ id, userId: user_id, createdAt, expiresAt, userAgent, clientIp }) => ({
      id,
      user_id,
      email: store.users.get(user_id)?.email ?? "",
      created_at: rfc3339(createdAt),
      expires_at: rfc3339(expiresAt),
      ...(userAgent !== undefined && { user_agent: userAgent }),
      ...(clientIp !== undefined && { ip_address: clientIp }),
    }));
}

/**
 * Ends a session and its streams immediately.
 *
 * @param userId the user to whom it must belong; absent for any user
 * @throws Fault no_such_record
 */
export async function endSession(app: App, id: string, by: Actor, userId?: string): Promise<void> {
  const row = app.store.userSessions.get(id);
  if (!row || (userId !== undefined && row.userId !== userId))
    throw new Fault("no_such_record", { what: "session", id });
  await app.store.userSessions.remove([id]);
  await forgetIdentity(app, row.userId, id);
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "user_session_end", user_id: row.userId },
  });
}
