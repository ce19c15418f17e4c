import { record } from "../activity/record.ts";
import type { App } from "../app.ts";
import { rfc3339 } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { release } from "../catalog/approval.ts";
import type { ServerConfig } from "../config/schema.ts";
import type { Actor } from "../shape/caller.ts";
import { changedFields } from "./merge.ts";

/** One definition as it was and as it is. */
export interface Edited {
  name: string;
  before: ServerConfig;
  after: ServerConfig;
}

/**
 * Changes the definition of some servers in one write, and does what follows from it: connections follow by
 * themselves, a lifted quarantine releases the pending tools, and each change is recorded.
 *
 * @param names all must exist
 * @param change answers the new definition; the very one it was given means no change
 * @throws Fault server_not_found, config_invalid, whatever `change` throws; nothing is written then
 */
export async function edit(
  app: App,
  names: readonly string[],
  change: (server: ServerConfig) => ServerConfig,
  by: Actor,
): Promise<Edited[]> {
  const edited: Edited[] = [];
  await app.config.update((draft) => {
    for (const name of names) {
      const at = draft.mcpServers.findIndex((server) => server.name === name);
      const before = draft.mcpServers[at];
      if (!before) throw new Fault("server_not_found", { server: name });
      const after = change(before);
      if (changedFields(before, after).length === 0) continue;
      draft.mcpServers[at] = { ...after, updated: rfc3339(app.clock.now()) };
      edited.push({ name, before: structuredClone(before), after });
    }
  }, by.caller.name);
  for (const one of edited) await follow(app, one, by);
  return edited;
}

async function follow(app: App, { name, before, after }: Edited, by: Actor): Promise<void> {
  const [was, is] = [app.config.quarantined(before), app.config.quarantined(after)];
  if (was !== is) recordQuarantine(app, name, is, by);
  const fields = changedFields(before, after).filter((field) => field !== "quarantined");
  if (fields.length > 0)
    record(app, by, {
      type: "server_change",
      server_name: name,
      status: "success",
      metadata: { action: actionOf(fields, after), fields },
    });
  if (was && !is) await releaseTools(app, name, by);
}

function actionOf(fields: readonly string[], after: ServerConfig): string {
  if (fields.length > 1 || fields[0] !== "enabled") return "patch";
  return after.enabled ? "enable" : "disable";
}

/** Records that a server went into quarantine or came out of it. */
export function recordQuarantine(app: App, name: string, quarantined: boolean, by: Actor): void {
  record(app, by, {
    type: "quarantine_change",
    server_name: name,
    status: "success",
    metadata: { action: quarantined ? "quarantine" : "unquarantine", quarantined },
  });
}

/** Whoever lifts a quarantine has seen the tools that wait; what changed since an approval still asks. */
export async function releaseTools(app: App, name: string, by: Actor): Promise<void> {
  const rows = release(app.store.approvals.of(name), by.caller.name, app.clock.now());
  if (rows.length > 0) await app.store.approvals.put(rows);
  app.catalog.reread(name);
  for (const { tool } of rows)
    record(app, by, {
      type: "tool_quarantine_change",
      server_name: name,
      tool_name: tool,
      status: "success",
      metadata: { action: "approve", reason: "the server was released from quarantine" },
    });
  app.events.publish("tools.changed", { server: name });
}
