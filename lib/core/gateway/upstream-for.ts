import type { App } from "../app.ts";
import { userConnections } from "../extension/user-connections.ts";
import type { Caller } from "../schema/caller.ts";
import type { Upstream } from "../upstream/upstreams.ts";

/** Maximum time to wait for a server that is connected on use. (ms) */
const CONNECT_MS = 15_000;

/**
 * Returns the connection that a caller uses to a configured server: a separate one if each user signs in, otherwise the
 * shared one.
 *
 * @throws Fault user_connect_needed, server_not_ready
 */
export async function upstreamFor(app: App, caller: Caller, server: string, signal: AbortSignal): Promise<Upstream> {
  const own = app.part(userConnections);
  if (own.connectsAlone(caller, server)) return own.connect(caller, server, signal);
  // The call was judged before, so the server is configured.
  const upstream = app.upstreams.get(server)!;
  if (upstream.connectsOnUse) await upstream.ensureReady(CONNECT_MS, signal);
  return upstream;
}
