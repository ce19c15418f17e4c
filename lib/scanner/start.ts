import { createHash } from "node:crypto";
import { record } from "../activity/record.ts";
import type { App } from "../app.ts";
import { durationMs, rfc3339 } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { recordId } from "../base/id.ts";
import { SEVERITIES, sumUp } from "../scan/finding.ts";
import { launchOf } from "../scan/launch.ts";
import { find } from "../servers/find.ts";
import type { Actor } from "../shape/caller.ts";
import type { ScanFinding, ScanJob, ScanReport, ScanSummary } from "../shape/scan.ts";
import { definitionOf } from "../upstream/target.ts";
import { installedOf } from "./installed.ts";
import type { Outcome, Scanner, Subject } from "./scanner.ts";
import { chosen } from "./scanners.ts";
import { KEPT, type Running, stateOf } from "./state.ts";

export interface ScanRequest {
  /** By id; all that are switched on unless given. */
  scanners?: readonly string[] | undefined;
  /** Says what would run, and runs nothing. */
  dryRun?: boolean | undefined;
}

/** Scans at once; further ones wait their turn. */
const AT_ONCE = 2;
/** Findings of one scan. */
const MOST_FINDINGS = 1000;
const TIMEOUT_MS = 120_000;

/**
 * Starts a scan of one server and answers at once; how it goes on is its status (reference 1.15).
 *
 * @throws Fault server_not_found, scan_running, no_such_record for a scanner that there is not
 */
export async function startScan(app: App, server: string, request: ScanRequest, by: Actor): Promise<ScanJob> {
  return (await begin(app, server, request, by)).job;
}

/** The same, with its end to wait for. */
export async function begin(app: App, server: string, request: ScanRequest, by: Actor): Promise<Running> {
  const definition = find(app, server, by.caller);
  const { running } = stateOf(app);
  if (running.has(server)) throw new Fault("scan_running", { what: `of server "${server}"` });
  const use = chosen(app, request.scanners);
  const launch = launchOf(definition);
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
    await app.store.scans.put({ id: job.id, server, createdAt, job }, KEPT);
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
    await turn(app, signal);
    try {
      signal.throwIfAborted();
      change(entry, { status: "running", started_at: rfc3339(app.clock.now()) });
      const subject = await look(app, server);
      report = await all(app, entry, use, subject);
      outcome = { status: "completed" };
    } finally {
      giveTurn(app);
    }
  } catch (error) {
    outcome = signal.aborted ? { status: "cancelled" } : { status: "failed", error: reasonOf(error) };
  }
  const job = { ...entry.job, ...outcome, completed_at: rfc3339(app.clock.now()) };
  try {
    // Over is what is written: whoever hears of the end finds the report.
    await app.store.scans.put({ id: job.id, server, createdAt, job, ...(report && { report }) }, KEPT);
  } finally {
    entry.job = job;
    state.running.delete(server);
    settle(app, job, report, by);
  }
}

/** The job is replaced, not changed: what was answered before stays what it was. */
function change(entry: Running, what: Partial<ScanJob>): void {
  entry.job = { ...entry.job, ...what };
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
  app.events.publish("servers.changed", { server: server_name, reason: "scan" });
  record(app, by, {
    type: "security_scan",
    server_name,
    status: status === "completed" ? "success" : "error",
    ...(error !== undefined && { error_message: error }),
    metadata: { job_id: job.id, scanners: job.scanners, outcome: status, ...findings },
  });
}

async function look(app: App, name: string): Promise<Subject> {
  const server = app.config.server(name);
  if (!server) throw new Fault("server_not_found", { server: name });
  const launch = launchOf(server);
  const around = { workingDir: server.working_dir, home: app.boot.machine.home };
  return {
    server,
    tools: app.catalog.of(name),
    instructions: app.upstreams.get(name)?.status().instructions,
    launch,
    installed: await installedOf(launch, around),
  };
}

async function all(app: App, entry: Running, use: readonly Scanner[], subject: Subject) {
  const { server, launch, installed } = subject;
  const version = installed?.version ?? launch.version;
  change(entry, {
    scan_context: {
      ...entry.job.scan_context,
      ...(version !== undefined && { package_version: version }),
      ...(installed && { source_path: installed.dir }),
    },
  });
  const fingerprint = fingerprintOf(app, server.name);
  const findings: ScanFinding[] = [];
  let complete = true;
  let failed = 0;
  for (const scanner of use) {
    entry.controller.signal.throwIfAborted();
    const began = performance.now();
    tell(entry, scanner.id, { status: "running" });
    try {
      const outcome = await bounded(app, scanner, subject, entry.controller.signal);
      complete &&= outcome.complete;
      findings.push(...outcome.findings.slice(0, MOST_FINDINGS - findings.length));
      if (outcome.files) change(entry, { scan_context: { ...entry.job.scan_context, total_files: outcome.files } });
      tell(entry, scanner.id, {
        status: outcome.skipped === undefined ? "completed" : "skipped",
        ...(outcome.skipped !== undefined && { error: outcome.skipped }),
        findings_count: outcome.findings.length,
        duration_ms: Math.round(performance.now() - began),
      });
    } catch (error) {
      entry.controller.signal.throwIfAborted();
      complete = false;
      failed++;
      tell(entry, scanner.id, {
        status: "failed",
        error: reasonOf(error),
        duration_ms: Math.round(performance.now() - began),
      });
    }
  }
  if (use.length > 0 && failed === use.length) throw new Error("every scanner failed; see their statuses");
  const { verdict, risk_score } = sumUp(findings.map(plain), true);
  return {
    job_id: entry.job.id,
    server_name: server.name,
    verdict,
    risk_score,
    summary: summaryOf(findings),
    findings: findings.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
    scanned_at: rfc3339(app.clock.now()),
    scanners_run: use.length - failed,
    scanners_failed: failed,
    scanners_total: use.length,
    scan_complete: complete,
    fingerprint,
  } satisfies Omit<ScanReport, "current">;
}

/** Rules found in different tools count once each, as those of one tool do. */
const plain = ({ rule_id: rule, severity, location }: ScanFinding) => ({
  rule,
  severity,
  location,
  excerpt: "",
  explanation: "",
});

/** One scanner, for no longer than its time limit. */
async function bounded(app: App, scanner: Scanner, subject: Subject, signal: AbortSignal): Promise<Outcome> {
  const ms = scanner.timeoutMs ?? (durationMs(app.config.current().security.scan_timeout_default) || TIMEOUT_MS);
  const late = new AbortController();
  const cancel = app.clock.after(ms, () => late.abort(new Error(`it did not end within ${ms} ms`)));
  const both = AbortSignal.any([signal, late.signal]);
  let stop = () => {};
  const ended = new Promise<never>((_, fail) => {
    stop = () => fail(both.reason);
    both.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([scanner.run(app, subject, both), ended]);
  } finally {
    cancel();
    both.removeEventListener("abort", stop);
  }
}

function tell(entry: Running, id: string, what: Partial<ScanJob["scanner_statuses"][number]>): void {
  change(entry, {
    scanner_statuses: entry.job.scanner_statuses.map((one) => (one.scanner_id === id ? { ...one, ...what } : one)),
  });
}

function summaryOf(findings: readonly ScanFinding[]): ScanSummary {
  const of = (severity: ScanFinding["severity"]) => findings.filter((f) => f.severity === severity).length;
  const [critical, high, medium, low, info] = [of("critical"), of("high"), of("medium"), of("low"), of("info")];
  const total = findings.length;
  return { critical, high, medium, low, info, total, dangerous: critical + high, warnings: medium };
}

/** Another one wherever what was scanned is no longer what there is. */
export function fingerprintOf(app: App, name: string): string {
  const server = app.config.server(name);
  const hash = createHash("sha256");
  if (server) hash.update(definitionOf(server));
  for (const pin of app.catalog
    .of(name)
    .map((row) => row.hash)
    .sort())
    hash.update(pin);
  hash.update(app.upstreams.get(name)?.status().instructions ?? "");
  return hash.digest("hex");
}

async function turn(app: App, signal: AbortSignal): Promise<void> {
  const state = stateOf(app);
  if (state.active >= AT_ONCE) {
    await new Promise<void>((go, fail) => {
      const mine = () => {
        signal.removeEventListener("abort", leave);
        go();
      };
      const leave = () => {
        state.turns.splice(state.turns.indexOf(mine), 1);
        fail(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      state.turns.push(mine);
    });
  } else {
    signal.throwIfAborted();
    state.active++;
  }
}

/** The place goes to whoever waits longest. */
function giveTurn(app: App): void {
  const state = stateOf(app);
  const next = state.turns.shift();
  if (next) next();
  else state.active--;
}
