import type { ToolScan } from "#lib/shape/tool-entry.ts";

/** What a scan found, for people: the verdict, then a line or two for each finding. */
export function scanText({ verdict, risk_score, findings, complete }: ToolScan): string {
  const lines = findings.map(
    ({ rule, severity, location, excerpt, explanation }) =>
      `  ${severity.padEnd(8)} ${rule} in ${location}: ${explanation}\n           ${excerpt}`,
  );
  const unread = complete ? [] : ["  not all of it was read: it is longer than a scan reads"];
  return [`scan: ${verdict}, risk ${risk_score} of 100`, ...lines, ...unread].join("\n");
}
