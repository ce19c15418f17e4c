import type { App } from "../../../core/app.ts";
import { recordActivity } from "../../../core/gateway/record-activity.ts";
import type { Actor } from "../../../core/schema/caller.ts";
import { findServer } from "../../../core/verbs/servers/find.ts";
import { mayOperate } from "../../../core/verbs/servers/may-manage.ts";
import type { Forgotten } from "../oauth.ts";
import { oauth } from "../state.ts";

/**
 * Deletes the sign-in at an upstream server, revokes its tokens at the authorization server and closes the connection.
 * No connection is attempted before the next sign-in (spec 000 §4.2).
 *
 * @throws Fault server_not_found, admin_required
 */
export async function logout(app: App, name: string, by: Actor, signal: AbortSignal): Promise<Forgotten> {
  mayOperate(by);
  findServer(app, name, by.caller);
  const forgotten = await app.part(oauth).forget(name, signal);
  recordActivity(app, by, {
    type: "server_change",
    server_name: name,
    status: "success",
    metadata: { action: "logout", revoked: forgotten.revoked },
  });
  const upstream = app.upstreams.get(name);
  if (forgotten.was && upstream && app.config.server(name)?.enabled)
    // The reconnection fails because nobody is signed in, and the server's status then says so.
    await upstream.restart("a user signed out", signal).catch(() => undefined);
  return forgotten;
}
