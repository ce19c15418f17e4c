import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { revisionOf } from "../../base/revision.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { Release } from "../../schema/release.ts";
import { pendingItems, releaseItems, type SeenItem } from "../items/release-items.ts";
import { approvePending, pendingPins } from "../tools/approve-pending.ts";
import type { SeenTools } from "../tools/approve-seen.ts";
import { changedFields } from "./merge.ts";

/** A definition before and after the edit. */
interface EditedServer {
  name: string;
  before: ServerConfig;
  after: ServerConfig;
  /** What was approved and what still waits, if the server was released from quarantine. */
  release?: Release;
}

/** What a person reviewed and accepts for a release; without `pins` and `items`: everything that is pending. */
export interface SeenRelease extends SeenTools {
  readonly items?: readonly SeenItem[] | undefined;
}

/**
 * Changes the definitions of servers in one write and records the changes. If a change ends a quarantine, the pending
 * items that the person reviewed are approved. The connections follow the changed configuration.
 *
 * @param names names of existing servers
 * @param change returns the new definition; if it returns its argument, the server is not changed
 * @param seen what the person reviewed and accepts, for servers that leave quarantine
 * @throws Fault server_not_found, changed_meanwhile, config_invalid, and the errors of `change`; then nothing is
 *   written
 */
export async function editServers(
  app: App,
  names: readonly string[],
  change: (server: ServerConfig) => ServerConfig,
  by: Actor,
  seen: SeenRelease = {},
): Promise<EditedServer[]> {
  const edited: EditedServer[] = [];
  const reviewedByServer = new Map<string, Required<Pick<SeenRelease, "items" | "pins">>>();
  // The first listing of a quarantined server is not trusted. That must be stored before the release, or else a crash
  // in between would let the next start trust it.
  const isQuarantined = (name: string) => {
    const server = app.config.server(name);
    return server !== undefined && app.config.quarantined(server);
  };
  if (names.some(isQuarantined)) await app.store.knownServers.durable();
  await app.config.update((draft) => {
    edited.length = 0;
    reviewedByServer.clear();
    for (const name of names) {
      const at = draft.mcpServers.findIndex((server) => server.name === name);
      const before = draft.mcpServers[at];
      if (!before) throw new Fault("server_not_found", { server: name });
      refuseOtherRevision(before, by);
      const after = change(before);
      if (changedFields(before, after).length === 0) continue;
      draft.mcpServers[at] = { ...after, updated: rfc3339(app.clock.now()) };
      edited.push({ name, before: structuredClone(before), after });
      // The pending items are selected now. While the file is being written, the server may list others that nobody
      // reviewed.
      if (!app.config.quarantined(before) || app.config.quarantined(after)) continue;
      const everything = !seen.pins && !seen.items;
      reviewedByServer.set(name, {
        pins: everything ? pendingPins(app, name) : (seen.pins ?? {}),
        items: everything ? pendingItems(app, name) : (seen.items ?? []),
      });
    }
  }, by.caller.name);
  for (const one of edited) {
    recordChange(app, one, by);
    const reviewed = reviewedByServer.get(one.name);
    if (reviewed) one.release = await approveReleased(app, one.name, { ...seen, ...reviewed }, by);
  }
  return edited;
}

/** Approves the tools, prompts, resources and templates of a released server that a person reviewed. */
export async function approveReleased(app: App, name: string, reviewed: SeenRelease, by: Actor): Promise<Release> {
  const release = await approvePending(app, name, reviewed, by);
  const items = await releaseItems(app, name, reviewed.items ?? [], by);
  return items.approved.length + items.pending.length > 0 ? { ...release, items } : release;
}

/**
 * Rejects a change if it was made for another revision of the server.
 *
 * @throws Fault changed_meanwhile
 */
export function refuseOtherRevision(stored: ServerConfig, { expected }: Pick<Actor, "expected">): void {
  if (expected && !expected.includes(revisionOf(stored)))
    throw new Fault("changed_meanwhile", { what: `server "${stored.name}"` });
}

function recordChange(app: App, { name, before, after }: EditedServer, by: Actor): void {
  const [was, is] = [app.config.quarantined(before), app.config.quarantined(after)];
  if (was !== is) recordQuarantine(app, name, is, by);
  const fields = changedFields(before, after).filter((field) => field !== "quarantined");
  if (fields.length > 0)
    recordActivity(app, by, {
      type: "server_change",
      server_name: name,
      status: "success",
      metadata: { action: actionOf(fields, after), fields },
    });
}

function actionOf(fields: readonly string[], after: ServerConfig): string {
  if (fields.length > 1 || fields[0] !== "enabled") return "patch";
  return after.enabled ? "enable" : "disable";
}

/** Records that a server went into quarantine or came out of it. */
export function recordQuarantine(app: App, name: string, quarantined: boolean, by: Actor): void {
  recordActivity(app, by, {
    type: "quarantine_change",
    server_name: name,
    status: "success",
    metadata: { action: quarantined ? "quarantine" : "unquarantine", quarantined },
  });
}
