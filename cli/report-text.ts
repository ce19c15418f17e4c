import type { ScanReport } from "#lib/core/schema/scan.ts";
import { verdictText } from "#lib/modules/scan/rules/verdict-text.ts";

type Told = Pick<
  ScanReport,
  "job_id" | "server_name" | "verdict" | "risk_score" | "findings" | "scanned_at" | "current" | "scan_complete"
>;

/** Formats the report about a server: the verdict, then two lines for each finding. */
export function reportText(report: Told): string {
  const { job_id, server_name, findings, scanned_at, current, scan_complete } = report;
  const head = `${server_name}: ${verdictText(report)}, scanned ${scanned_at}`;
  const notes = [
    ...(job_id === ""
      ? ["  only its listing was scanned; to scan its package and files run: proxy security scan"]
      : []),
    ...(current ? [] : ["  the server or what it lists has changed since"]),
    ...(scan_complete ? [] : ["  incomplete: not everything could be read"]),
  ];
  const lines = findings.map(({ severity, rule_id, location, title, evidence }) => {
    const first = `  ${severity.padEnd(8)} ${rule_id} in ${location}: ${title}`;
    return evidence ? `${first}\n           ${evidence}` : first;
  });
  return [head, ...notes, ...(lines.length > 0 ? lines : ["  no findings"])].join("\n");
}
