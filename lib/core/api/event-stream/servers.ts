import type { App } from "../../app.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import type { EventOf, Events } from "../../schema/event.ts";
import { listMaskedServers } from "../../verbs/servers/list.ts";
import { maskedServerRecord } from "../../verbs/servers/record.ts";
import { serverTotals } from "../../verbs/servers/totals.ts";
import type { GatheredChanges } from "./change-gatherer.ts";
import type { Viewer } from "./narrow-event.ts";

/** Whether the payload of `servers.changed` contains all records, or those of the servers that changed. */
export const SERVERS_FORMS = ["all", "changed"] as const;
export type ServersForm = (typeof SERVERS_FORMS)[number];

/**
 * Returns the payload of `servers.changed`: the list as in REST, but always masked, with its counts. An administrator
 * who may read unmasked values in REST only gets the notice and requests the list there (spec 000 §2.9 rule 5, §6).
 *
 * If several changes were combined, `changes` lists them. A reader that requested the form `changed` gets only the
 * records of those servers, and the names of removed ones in `removed`; if it is unknown which servers changed, it gets
 * the whole list. A reader that filters by one server gets only that server.
 */
export function serversPayload(
  app: App,
  viewer: Viewer,
  { extras, changes: gathered, any }: GatheredChanges,
  { form, only }: { form: ServersForm; only?: string | undefined },
): Record<string, unknown> {
  // The reader's scope may have become smaller since the change.
  const changes = gathered.filter(({ server }) => inScope(viewer.scope, server));
  const notice = changes.length > 1 ? { ...extras, changes } : extras;
  if (viewer.tier === "admin" && app.config.current().reveal_secret_headers) return notice;
  const caller = asCaller(viewer);
  if (only === undefined && (form === "all" || any)) {
    const servers = listMaskedServers(app, caller);
    return { ...notice, servers, stats: serverTotals(servers) };
  }
  const names =
    only === undefined ? changes.map(({ server }) => server) : [only].filter((n) => inScope(viewer.scope, n));
  const removed = names.filter((name) => !app.config.server(name));
  const servers = names.filter((name) => !removed.includes(name)).map((name) => maskedServerRecord(app, name, caller));
  return { ...notice, servers, ...(removed.length > 0 && { removed }) };
}

/** Returns a caller for the reader. Users of the multi-user edition see each server with their own connection. */
function asCaller({ tier, scope, user }: Viewer): Caller {
  const person = tier !== "admin" && user && { user };
  return { tier: tier === "admin" ? "admin" : "agent", name: "events", listener: "internal", scope, ...person };
}

/**
 * Returns the change of servers that an event means: the record of a server contains counts of its tools and other
 * items, so the list is sent when they change.
 */
export function changesServers({ kind, data }: EventOf): Events["servers.changed"] | undefined {
  if (kind === "tools.indexed") return { reason: "tools_indexed", server: data.server };
  if (kind === "tools.changed") return { reason: "tools_changed", server: data.server };
  if (kind === "items.changed") return { reason: "items_changed", server: data.server };
  return undefined;
}
