import * as v from "valibot";
import { LISTED_KINDS } from "./item.ts";

const about = v.description;
const text = (description: string) => v.pipe(v.string(), about(description));
const count = v.number();

/** One finding of a scanner about a server. */
export const ScanFinding = v.object({
  rule_id: text("rule, such as instruction.secrecy"),
  severity: v.picklist(["critical", "high", "medium", "low", "info"]),
  threat_type: v.picklist(["tool_poisoning", "prompt_injection", "supply_chain", "malicious_code", "uncategorized"]),
  threat_level: v.pipe(v.picklist(["dangerous", "warning", "info"]), about("critical and high; medium; low and info")),
  title: v.string(),
  location: text("location: tool and member, or file and line"),
  scanner: text("scanner that reported it"),
  tool: v.optional(v.string()),
  kind: v.optional(
    v.pipe(v.picklist(LISTED_KINDS), about("kind of the item that the finding is in, if it is no tool")),
  ),
  item: v.optional(
    text("name of the prompt, URI of the resource or URI template that the finding is in; for operators"),
  ),
  evidence: v.optional(text("excerpt with invisible characters escaped; for operators")),
  help_uri: v.optional(v.string()),
  package_name: v.optional(v.string()),
  installed_version: v.optional(v.string()),
});
export type ScanFinding = v.InferOutput<typeof ScanFinding>;

export const ScanStatus = v.picklist(["pending", "running", "completed", "failed", "cancelled"]);
export type ScanStatus = v.InferOutput<typeof ScanStatus>;

/** One scan of one server, in progress or finished. */
export const ScanJob = v.object({
  id: v.string(),
  server_name: v.string(),
  status: ScanStatus,
  scanners: v.array(v.string()),
  dry_run: v.boolean(),
  created_at: text("time of the request"),
  started_at: v.optional(v.string()),
  completed_at: v.optional(v.string()),
  error: v.optional(v.string()),
  scanner_statuses: v.array(
    v.object({
      scanner_id: v.string(),
      status: v.picklist(["pending", "running", "completed", "failed", "skipped", "cancelled"]),
      duration_ms: v.optional(v.number()),
      error: v.optional(v.string()),
      findings_count: v.number(),
    }),
  ),
  scan_context: v.object({
    tools: v.pipe(count, about("number of tools scanned")),
    items: v.optional(v.pipe(count, about("number of prompts, resources and resource templates scanned"))),
    source: v.pipe(v.string(), about("npm, pypi, image, program or remote")),
    package_name: v.optional(v.string()),
    package_version: v.optional(v.string()),
    source_path: v.optional(text("folder of its files; for operators")),
    total_files: v.pipe(count, about("number of files scanned")),
  }),
});
export type ScanJob = v.InferOutput<typeof ScanJob>;

export const ScanSummary = v.object({
  critical: count,
  high: count,
  medium: count,
  low: count,
  info: count,
  total: count,
  dangerous: count,
  warnings: count,
});
export type ScanSummary = v.InferOutput<typeof ScanSummary>;

/** The combined findings of all scanners of one scan; for a server, together with the findings of discovery. */
export const ScanReport = v.object({
  job_id: text("id of the scan; empty if none was started and the report covers discovery only"),
  server_name: v.string(),
  verdict: v.picklist(["clean", "suspicious", "dangerous"]),
  risk_score: v.pipe(count, about("from 0 to 100")),
  summary: ScanSummary,
  findings: v.array(ScanFinding),
  scanned_at: v.string(),
  scanners_run: count,
  scanners_failed: count,
  scanners_total: count,
  scan_complete: v.pipe(v.boolean(), about("every scanner ran and scanned everything")),
  fingerprint: text("revision of the definition and of everything listed when it was scanned"),
  current: v.pipe(v.boolean(), about("`false`: the server or what it lists has changed since the scan")),
  decision: v.optional(v.picklist(["approved", "rejected"])),
});
export type ScanReport = v.InferOutput<typeof ScanReport>;

/** One stored scan. `report` is set when the scan ends. */
export interface ScanRow {
  id: string;
  server: string;
  createdAt: number;
  job: ScanJob;
  report?: Omit<ScanReport, "current">;
}

/** A scan in the list of scans. */
export const ScanEntry = v.object({
  id: v.string(),
  server_name: v.string(),
  status: ScanStatus,
  created_at: v.string(),
  completed_at: v.optional(v.string()),
  verdict: v.optional(v.string()),
  risk_score: v.optional(v.number()),
  findings_count: v.number(),
});
export type ScanEntry = v.InferOutput<typeof ScanEntry>;
