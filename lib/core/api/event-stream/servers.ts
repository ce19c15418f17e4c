import type { App } from "../../app.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import type { EventOf, Events } from "../../schema/event.ts";
import { listMaskedServers } from "../../verbs/servers/list.ts";
import { maskedServerRecord } from "../../verbs/servers/record.ts";
import { serverTotals } from "../../verbs/servers/totals.ts";
import type { GatheredChanges } from "./change-gatherer.ts";
import type { Viewer } from "./narrow-event.ts";

/** Whether the payload of `servers.changed` carries every record, or those of the servers that changed. */
export const SERVERS_FORMS = ["all", "changed"] as const;
export type ServersForm = (typeof SERVERS_FORMS)[number];

/**
 * The payload of `servers.changed`: the list as REST shows it, but always masked, with its counts. An administrator who
 * may read real values by REST only gets the notice, and reads them there (spec 000 §2.9 rule 5, §6).
 *
 * Several changes that are told as one are in `changes`. A reader that asked for `changed` gets the records of those
 * servers and the names of those that are gone in `removed`; the whole list where nobody knows which changed. A reader
 * that asked for one server gets that one.
 */
export function serversPayload(
  app: App,
  viewer: Viewer,
  { extras, changes: gathered, any }: GatheredChanges,
  { form, only }: { form: ServersForm; only?: string | undefined },
): Record<string, unknown> {
  // What a reader may see may have become less since.
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

/** Users of the multi-user edition see each server as it is for them. */
function asCaller({ tier, scope, user }: Viewer): Caller {
  const person = tier !== "admin" && user && { user };
  return { tier: tier === "admin" ? "admin" : "agent", name: "events", listener: "internal", scope, ...person };
}

/** What else shows in a server's record, and why the list is sent again then: its tools and other items are counted there. */
export function changesServers({ kind, data }: EventOf): Events["servers.changed"] | undefined {
  if (kind === "tools.indexed") return { reason: "tools_indexed", server: data.server };
  if (kind === "tools.changed") return { reason: "tools_changed", server: data.server };
  if (kind === "items.changed") return { reason: "items_changed", server: data.server };
  return undefined;
}
