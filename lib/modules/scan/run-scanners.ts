import type { App } from "../../core/app.ts";
import { durationMs, rfc3339 } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { RULE_SEVERITIES, sumUpRuleFindings } from "../../core/schema/rule-finding.ts";
import type { ScanFinding, ScanJob, ScanReport } from "../../core/schema/scan.ts";
import { keepFiles } from "./files.ts";
import type { Outcome, Scanner, Subject } from "./scanner.ts";
import { change, type Running } from "./state.ts";
import { fingerprintOf } from "./subject.ts";
import { summarise } from "./summarise.ts";

/** Maximum number of findings of one scan. */
const MAX_FINDINGS = 1000;
const TIMEOUT_MS = 120_000;

/** Runs the scanners serially and merges their findings. @throws Error if every scanner failed */
export async function runScanners(app: App, entry: Running, use: readonly Scanner[], subject: Subject) {
  const { server, launch, installed } = subject;
  const version = installed?.version ?? launch.version;
  change(entry, {
    scan_context: {
      ...entry.job.scan_context,
      ...(version !== undefined && { package_version: version }),
      ...(installed && { source_path: installed.dir }),
    },
  });
  const fingerprint = await fingerprintOf(app, server.name);
  const findings: ScanFinding[] = [];
  let complete = true;
  let failed = 0;
  for (const scanner of use) {
    entry.controller.signal.throwIfAborted();
    const began = performance.now();
    updateScannerStatus(entry, scanner.id, { status: "running" });
    try {
      const outcome = await bounded(app, scanner, subject, entry.controller.signal);
      complete &&= outcome.complete;
      findings.push(...outcome.findings.slice(0, MAX_FINDINGS - findings.length));
      if (outcome.files) {
        change(entry, { scan_context: { ...entry.job.scan_context, total_files: outcome.files.length } });
        await keepFiles(app, entry.job, installed?.dir ?? "", outcome.files);
      }
      updateScannerStatus(entry, scanner.id, {
        status: outcome.skipped === undefined ? "completed" : "skipped",
        ...(outcome.skipped !== undefined && { error: outcome.skipped }),
        findings_count: outcome.findings.length,
        duration_ms: Math.round(performance.now() - began),
      });
    } catch (error) {
      entry.controller.signal.throwIfAborted();
      complete = false;
      failed++;
      updateScannerStatus(entry, scanner.id, {
        status: "failed",
        error: reasonOf(error),
        duration_ms: Math.round(performance.now() - began),
      });
    }
  }
  if (use.length > 0 && failed === use.length) throw new Error("every scanner failed; see the status of each");
  const { verdict, risk_score } = sumUpRuleFindings(findings.map(plain), true);
  return {
    job_id: entry.job.id,
    server_name: server.name,
    verdict,
    risk_score,
    summary: summarise(findings),
    findings: findings.sort((a, b) => RULE_SEVERITIES.indexOf(a.severity) - RULE_SEVERITIES.indexOf(b.severity)),
    scanned_at: rfc3339(app.clock.now()),
    scanners_run: use.length - failed,
    scanners_failed: failed,
    scanners_total: use.length,
    scan_complete: complete,
    fingerprint,
  } satisfies Omit<ScanReport, "current">;
}

/** Omits the tool, so that a rule counts once for the server, as it does within one tool. */
const plain = ({ rule_id: rule, severity, location }: ScanFinding) => ({
  rule,
  severity,
  location,
  excerpt: "",
  explanation: "",
});

/** Runs one scanner with its timeout. */
async function bounded(app: App, scanner: Scanner, subject: Subject, signal: AbortSignal): Promise<Outcome> {
  const ms = scanner.timeoutMs ?? (durationMs(app.config.current().security.scan_timeout_default) || TIMEOUT_MS);
  const timeout = new AbortController();
  const cancel = app.clock.after(ms, () => timeout.abort(new Error(`it did not end within ${ms} ms`)));
  const both = AbortSignal.any([signal, timeout.signal]);
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

function updateScannerStatus(entry: Running, id: string, what: Partial<ScanJob["scanner_statuses"][number]>): void {
  change(entry, {
    scanner_statuses: entry.job.scanner_statuses.map((one) => (one.scanner_id === id ? { ...one, ...what } : one)),
  });
}
