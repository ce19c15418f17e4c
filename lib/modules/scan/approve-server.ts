import type { App } from "../../core/app.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor } from "../../core/schema/caller.ts";
import { itemId, LISTED_KINDS } from "../../core/schema/item.ts";
import type { Release } from "../../core/schema/release.ts";
import { blockItems } from "../../core/verbs/items/block-items.ts";
import type { SeenRelease } from "../../core/verbs/servers/edit.ts";
import { quarantineServer } from "../../core/verbs/servers/enable.ts";
import { findServer } from "../../core/verbs/servers/find.ts";
import { mayManage, mayTrust } from "../../core/verbs/servers/may-manage.ts";
import { releaseServer } from "../../core/verbs/servers/release.ts";
import { blockTools } from "../../core/verbs/tools/block.ts";
import { Fault } from "./faults.ts";
import { takeBaseline } from "./integrity.ts";
import { stateOf } from "./state.ts";
import { fingerprintOf } from "./subject.ts";

/**
 * Releases a server from quarantine after its scan, exactly as `releaseServer` does; its current state becomes the
 * baseline of the integrity check.
 *
 * @param force also if the verdict is dangerous, the scan is outdated, or the server was never scanned; tools, prompts,
 *   resources and templates with findings of severity high or critical still wait unless `seen` accepts them
 * @throws Fault server_not_found, scan_blocks, mcp_only_admin, management_disabled
 */
export async function approveServer(
  app: App,
  server: string,
  { force, ...seen }: SeenRelease & { force: boolean },
  by: Actor,
): Promise<Release> {
  mayTrust(by, "approving a server");
  mayManage(app, by, "change");
  findServer(app, server, by.caller);
  const reason = force ? undefined : await blocking(app, server, seen);
  if (reason !== undefined) throw new Fault("scan_blocks", { server, reason });
  const { release } = await releaseServer(app, server, seen, by);
  await takeBaseline(app, server, by.caller.name);
  await note(app, server, "approved", by);
  return release;
}

/**
 * Rejects a server: quarantines it, and blocks its tools, prompts, resources and templates that wait for approval.
 *
 * @throws the same faults as approveServer, except scan_blocks
 */
export async function rejectServer(app: App, server: string, by: Actor): Promise<void> {
  mayTrust(by, "rejecting a server");
  mayManage(app, by, "change");
  findServer(app, server, by.caller);
  await quarantineServer(app, server, by);
  await blockTools(app, server, "all", by);
  await blockItems(app, server, LISTED_KINDS, "all", by);
  await note(app, server, "rejected", by);
}

async function blocking(
  app: App,
  server: string,
  { acceptFindings = [], acceptInstructions = false, items = [] }: SeenRelease,
): Promise<string | undefined> {
  const report = app.store.scans.last(server)?.report;
  if (!report) return stateOf(app).running.has(server) ? "its first scan is still running" : "no scan was started yet";
  if (report.fingerprint !== (await fingerprintOf(app, server)))
    return "the server or what it lists changed since the last scan";
  const acceptedItems = new Set(
    items.filter((one) => one.acceptsFindings).map(({ kind, name }) => itemId(kind, server, name)),
  );
  const isAccepted = ({ tool, kind, item, location }: (typeof report.findings)[number]) => {
    if (tool !== undefined) return acceptFindings.includes(tool);
    if (kind !== undefined && item !== undefined) return acceptedItems.has(itemId(kind, server, item));
    return acceptInstructions && location.startsWith("instructions");
  };
  const dangerous = report.findings.filter(({ threat_level }) => threat_level === "dangerous");
  if (report.verdict === "dangerous" && !(dangerous.length > 0 && dangerous.every(isAccepted)))
    return `the scan found ${report.summary.dangerous || report.summary.total} dangerous finding(s)`;
  return undefined;
}

async function note(app: App, server: string, decision: "approved" | "rejected", by: Actor): Promise<void> {
  const row = app.store.scans.last(server);
  if (row) await app.store.scans.change(row.id, (now) => now.report && { ...now, report: { ...now.report, decision } });
  recordActivity(app, by, {
    type: "security_scan",
    server_name: server,
    status: "success",
    metadata: { outcome: decision, ...(row && { job_id: row.id }) },
  });
  app.events.publish("security.decision", { server_name: server, decision });
}
