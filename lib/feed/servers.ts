import type { App } from "../app.ts";
import { listMasked } from "../servers/list.ts";
import { totals } from "../servers/totals.ts";
import type { Caller } from "../shape/caller.ts";
import type { EventOf } from "../shape/event.ts";
import type { Viewer } from "./narrow.ts";

/**
 * The payload of `servers.changed`: the list as REST shows it, but always masked, with its counts. An administrator who
 * may read real values by REST only gets the notice, and reads them there (spec 000 §2.9 rule 5, §6).
 */
export function serversPayload(app: App, viewer: Viewer, extras: Record<string, unknown>): Record<string, unknown> {
  if (viewer.tier === "admin" && app.config.current().reveal_secret_headers) return extras;
  const servers = listMasked(app, asCaller(viewer));
  return { ...extras, servers, stats: totals(servers) };
}

/** Users of the multi-user edition see each server as it is for them. */
function asCaller({ tier, scope, user }: Viewer): Caller {
  const person = tier !== "admin" && user && { user };
  return { tier: tier === "admin" ? "admin" : "agent", name: "events", door: "internal", scope, ...person };
}

/** What else shows in a server's record, and why the list is told anew then: its tools are counted there. */
export function movesServers({ kind, data }: EventOf): Record<string, unknown> | undefined {
  if (kind === "tools.indexed") return { reason: "tools_indexed", server: data.server };
  if (kind === "tools.changed") return { reason: "tools_changed", server: data.server };
  return undefined;
}
