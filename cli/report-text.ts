import type { ScanReport } from "#lib/shape/scan.ts";

type Told = Pick<
  ScanReport,
  "server_name" | "verdict" | "risk_score" | "findings" | "scanned_at" | "current" | "scan_complete"
>;

/** What a scan of a server found, for people: the verdict, then two lines for each finding. */
export function reportText(report: Told): string {
  const { server_name, verdict, risk_score, findings, scanned_at, current, scan_complete } = report;
  const head = `${server_name}: ${verdict}, risk ${risk_score} of 100, scanned ${scanned_at}`;
  const notes = [
    ...(current ? [] : ["  it or its tools changed since"]),
    ...(scan_complete ? [] : ["  not everything could be read"]),
  ];
  const lines = findings.map(({ severity, rule_id, location, title, evidence }) => {
    const first = `  ${severity.padEnd(8)} ${rule_id} in ${location}: ${title}`;
    return evidence ? `${first}\n           ${evidence}` : first;
  });
  return [head, ...notes, ...(lines.length > 0 ? lines : ["  nothing was found"])].join("\n");
}
