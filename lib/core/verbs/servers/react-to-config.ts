import type { App } from "../../app.ts";
import { sameJson } from "../../base/json-object.ts";
import type { Config, ServerConfig } from "../../config/config-keys.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import { type Actor, INTERNAL_CALLER } from "../../schema/caller.ts";
import { pendingItems } from "../items/release-items.ts";
import { pendingPins } from "../tools/approve-pending.ts";
import { approveReleased, recordQuarantine } from "./edit.ts";
import { changedFields } from "./merge.ts";
import { trackRemovedServers, trackServers } from "./track.ts";

/** A server before and after a change of the configuration; undefined on the side where it does not exist. */
interface Difference {
  name: string;
  before: ServerConfig | undefined;
  after: ServerConfig | undefined;
}

/** The actor of changes that people make to the file: the author is unknown. */
const EDITOR: Actor = {
  caller: { ...INTERNAL_CALLER, name: "configuration file" },
  origin: { source: "internal", requestId: "configuration-file" },
};

/**
 * Reacts to every change of the configuration: updates the records of servers and their connections, removes the tools
 * of removed servers from the catalog, and publishes events. If a person changed the file, the change is also recorded,
 * and the tools of a server that it takes out of quarantine are released (spec 001 §3).
 *
 * @returns a function that stops it
 */
export function reactToConfigChanges(app: App): () => void {
  let last: Difference[] = [];
  const stopChanges = app.config.onChange((next, previous) => {
    last = differences(previous, next);
    // This must happen before servers are connected, because it decides whether a first listing is trusted.
    const present = last.flatMap(({ after }) => after ?? []);
    const removedNames = last.flatMap(({ name, after }) => (after ? [] : [name]));
    app.log.catch("recording changed servers", trackServers(app, present));
    app.log.catch("recording removed servers", trackRemovedServers(app, removedNames));
    // This must happen before the tools leave the catalog, so that no listing of a removed server can arrive
    // afterwards.
    app.upstreams.reconcile();
    for (const { name, before, after } of last) {
      if (!after) app.log.catch(`forgetting server "${name}"`, app.catalog.drop(name));
      app.events.publish("servers.changed", {
        server: name,
        reason: after ? (before ? "server_changed" : "server_added") : "server_removed",
      });
    }
  });
  const stopReloads = app.events.subscribe(["config.reloaded"], ({ data }) => {
    if (data.cause !== "edited") return;
    for (const difference of last) app.log.catch("following an edit", afterEdit(app, difference, EDITOR, true));
  });
  return () => {
    stopChanges();
    stopReloads();
  };
}

/**
 * Records the changes of servers that follow from a change of the complete configuration. The connections follow the
 * configuration by themselves.
 *
 * @param approves whether the end of a quarantine approves the pending tools; not for a restored configuration, which
 *   is older than what servers list now
 */
export function recordServerEdits(app: App, before: Config, after: Config, by: Actor, approves: boolean): void {
  for (const difference of differences(before, after))
    app.log.catch("following a change of servers", afterEdit(app, difference, by, approves));
}

function differences(previous: Config, next: Config): Difference[] {
  const [was, is] = [byName(previous), byName(next)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ name, before: was.get(name), after: is.get(name) }))
    .filter(({ before, after }) => !sameJson(before, after));
}

const byName = (config: Config) => new Map(config.mcpServers.map((server) => [server.name, server]));

async function afterEdit(app: App, { name, before, after }: Difference, by: Actor, approves: boolean): Promise<void> {
  recordActivity(app, by, {
    type: "server_change",
    server_name: name,
    status: "success",
    metadata: {
      action: after ? (before ? "patch" : "add") : "remove",
      ...(before && after && { fields: changedFields(before, after) }),
    },
  });
  if (!before || !after) return;
  const [was, is] = [app.config.quarantined(before), app.config.quarantined(after)];
  if (was === is) return;
  recordQuarantine(app, name, is, by);
  if (!was || !approves) return;
  await approveReleased(app, name, { pins: pendingPins(app, name), items: pendingItems(app, name) }, by);
}
