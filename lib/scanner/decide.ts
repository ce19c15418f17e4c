import { record } from "../activity/record.ts";
import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { quarantine, unquarantine } from "../servers/admin.ts";
import { find } from "../servers/find.ts";
import { mayManage, mayTrust } from "../servers/may.ts";
import type { Actor } from "../shape/caller.ts";
import { block } from "../tools/block.ts";
import { takeBaseline } from "./integrity.ts";
import { KEPT } from "./state.ts";
import { fingerprintOf } from "./subject.ts";

/**
 * Lets a server pass after its scan: it is released from quarantine, its pending tools are approved with it, and what it
 * is now is what its integrity is measured by.
 *
 * @param force also where the scan found something dangerous, is out of date, or never was
 * @throws Fault server_not_found, scan_blocks, mcp_only_admin, management_disabled
 */
export async function approveServer(app: App, server: string, force: boolean, by: Actor): Promise<void> {
  mayTrust(by, "approving a server");
  mayManage(app, by, "change");
  find(app, server, by.caller);
  const reason = force ? undefined : blocking(app, server);
  if (reason !== undefined) throw new Fault("scan_blocks", { server, reason });
  await unquarantine(app, server, by);
  await takeBaseline(app, server, by.caller.name);
  await note(app, server, "approved", by);
}

/** Turns a server down: it is quarantined, and what waits of its tools is blocked. @throws as approving, but scan_blocks */
export async function rejectServer(app: App, server: string, by: Actor): Promise<void> {
  mayTrust(by, "rejecting a server");
  mayManage(app, by, "change");
  find(app, server, by.caller);
  await quarantine(app, server, by);
  await block(app, server, "all", by);
  await note(app, server, "rejected", by);
}

function blocking(app: App, server: string): string | undefined {
  const report = app.store.scans.of(server).find((row) => row.report)?.report;
  if (!report) return "it was never scanned";
  if (report.fingerprint !== fingerprintOf(app, server)) return "it or its tools changed since the last scan";
  if (report.verdict === "dangerous")
    return `the scan found ${report.summary.dangerous || report.summary.total} thing(s) that look dangerous`;
  return undefined;
}

async function note(app: App, server: string, decision: "approved" | "rejected", by: Actor): Promise<void> {
  const row = app.store.scans.of(server).find((one) => one.report);
  if (row?.report) await app.store.scans.put({ ...row, report: { ...row.report, decision } }, KEPT);
  record(app, by, {
    type: "security_scan",
    server_name: server,
    status: "success",
    metadata: { outcome: decision, ...(row && { job_id: row.id }) },
  });
  app.events.publish("security.decision", { server_name: server, decision });
}
