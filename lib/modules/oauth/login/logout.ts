import type { App } from "../../../core/app.ts";
import { recordActivity } from "../../../core/gateway/record-activity.ts";
import type { Actor } from "../../../core/schema/caller.ts";
import { findServer } from "../../../core/verbs/servers/find.ts";
import { mayOperate } from "../../../core/verbs/servers/may-manage.ts";
import type { Forgotten } from "../oauth.ts";
import { oauth } from "../state.ts";

/**
 * Forgets the sign-in at an upstream server, has its tokens ended where they came from, and ends the connection made
 * with them; nothing is tried before somebody signs in again (spec 000 §4.2).
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
    // It fails, since nobody is signed in; that is what its status then says.
    await upstream.restart("a user signed out", signal).catch(() => undefined);
  return forgotten;
}
