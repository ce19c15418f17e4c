import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { recordId } from "../../core/base/id.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor } from "../../core/schema/caller.ts";
import { LISTED_KINDS } from "../../core/schema/item.ts";
import type { ScanJob, ScanReport } from "../../core/schema/scan.ts";
import { findServer } from "../../core/verbs/servers/find.ts";
import { launchOf } from "../packages/launch.ts";
import { Fault } from "./faults.ts";
import { runScanners } from "./run-scanners.ts";
import { withScanSlot } from "./scan-slot.ts";
import type { Scanner } from "./scanner.ts";
import { chosenScanners } from "./scanners.ts";
import { change, MAX_SCANS, type Running, stateOf } from "./state.ts";
import { subjectOf } from "./subject.ts";

interface ScanRequest {
  /** IDs of the scanners; by default all enabled ones. */
  scanners?: readonly string[] | undefined;
  /** Report what would run, without running it. */
  dryRun?: boolean | undefined;
}

/**
 * Starts a scan of one server and returns at once; its progress is its status (reference 1.15).
 *
 * @throws Fault server_not_found, scan_running, no_such_record for an unknown scanner
 */
export async function startScan(app: App, server: string, request: ScanRequest, by: Actor): Promise<ScanJob> {
  return (await beginScan(app, server, request, by)).job;
}

/** Starts a scan and also returns a promise for its end. */
export async function beginScan(app: App, server: string, request: ScanRequest, by: Actor): Promise<Running> {
  const definition = findServer(app, server, by.caller);
  const { running } = stateOf(app);
  if (running.has(server)) throw new Fault("scan_running", { what: `of server "${server}"` });
  const use = chosenScanners(app, request.scanners);
  const launch = launchOf(definition);
  const items = LISTED_KINDS.reduce((sum, kind) => sum + app.catalog.items.of(server, kind).length, 0);
  const createdAt = app.clock.now();
  const job: ScanJob = {
    id: recordId(createdAt),
    server_name: server,
    status: "pending",
    scanners: use.map(({ id }) => id),
    dry_run: request.dryRun === true,
    created_at: rfc3339(createdAt),
    scanner_statuses: use.map(({ id }) => ({ scanner_id: id, status: "pending", findings_count: 0 })),
    scan_context: {
      tools: app.catalog.of(server).length,
      ...(items > 0 && { items }),
      source: launch.source,
      ...(launch.source !== "remote" && launch.source !== "program" && { package_name: launch.name }),
      total_files: 0,
    },
  };
  const controller = new AbortController();
  if (job.dry_run) return { job, controller, done: Promise.resolve() };
  let begun = () => {};
  const ready = new Promise<void>((go) => {
    begun = go;
  });
  const done = ready.then(() => run(app, entry, use, createdAt, by));
  const entry: Running = { job, controller, done };
  running.set(server, entry);
  app.log.catch(`scanning server "${server}"`, done);
  try {
    await app.store.scans.put({ id: job.id, server, createdAt, job }, MAX_SCANS);
  } finally {
    begun();
  }
  return entry;
}

async function run(app: App, entry: Running, use: readonly Scanner[], createdAt: number, by: Actor): Promise<void> {
  const state = stateOf(app);
  const { server_name: server } = entry.job;
  const { signal } = entry.controller;
  let report: Omit<ScanReport, "current"> | undefined;
  let outcome: Pick<ScanJob, "status" | "error">;
  try {
    report = await withScanSlot(app, signal, async () => {
      change(entry, { status: "running", started_at: rfc3339(app.clock.now()) });
      return await runScanners(app, entry, use, await subjectOf(app, server));
    });
    outcome = { status: "completed" };
  } catch (error) {
    outcome = signal.aborted ? { status: "cancelled" } : { status: "failed", error: reasonOf(error) };
  }
  const job = { ...entry.job, ...outcome, completed_at: rfc3339(app.clock.now()) };
  try {
    // The report is stored before the end is published, so that everyone notified finds it.
    await app.store.scans.put({ id: job.id, server, createdAt, job, ...(report && { report }) }, MAX_SCANS);
  } finally {
    entry.job = job;
    state.running.delete(server);
    settle(app, job, report, by);
  }
}

function settle(app: App, job: ScanJob, report: Omit<ScanReport, "current"> | undefined, by: Actor): void {
  const { server_name, status, error } = job;
  if (status === "pending" || status === "running") return;
  const findings = report && { verdict: report.verdict, risk_score: report.risk_score };
  app.events.publish("security.scan_settled", {
    server_name,
    job_id: job.id,
    status,
    ...findings,
    ...(report && { findings_summary: report.summary }),
    ...(error !== undefined && { error }),
  });
  app.events.publish("servers.changed", { server: server_name, reason: "scan_settled" });
  recordActivity(app, by, {
    type: "security_scan",
    server_name,
    status: status === "completed" ? "success" : "error",
    ...(error !== undefined && { error_message: error }),
    metadata: { job_id: job.id, scanners: job.scanners, outcome: status, ...findings },
  });
}
