import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { isServerHidden } from "../../policy/hidden.ts";
import type { Actor } from "../../schema/caller.ts";
import { findServer } from "./find.ts";
import { refuseHeld } from "./held.ts";
import { mayOperate } from "./may-manage.ts";
import { serverReview } from "./review.ts";
import { listedCount } from "./review-counts.ts";

/**
 * Requests a server's tool list now.
 *
 * @returns the number of its tools
 * @throws Fault server_not_found, server_held, server_disabled, server_not_ready, upstream_failed
 */
export async function refreshServer(app: App, name: string, by: Actor): Promise<number> {
  mayOperate(by);
  const server = findServer(app, name, by.caller);
  refuseHeld(server);
  if (!server.enabled) throw new Fault("server_disabled", { server: name });
  const upstream = app.upstreams.get(name);
  if (!upstream) throw new Fault("server_not_ready", { server: name, state: "Disconnected" });
  await upstream.discover("requested").catch((cause: unknown) => {
    if (!isServerHidden(serverReview(app, name), by.caller)) throw cause;
    if (!(cause instanceof Fault))
      throw new Fault("upstream_failed", { server: name, reason: "listing_failed" }, { cause });
    throw new Fault(
      "server_not_ready",
      { server: name, state: upstream.status().errorClass ?? "connection_failed" },
      { cause },
    );
  });
  return listedCount(app.catalog.of(name));
}
