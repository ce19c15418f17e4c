import type { ToolScan } from "#lib/core/schema/tool-entry.ts";
import { verdictText } from "#lib/modules/scan/rules/verdict-text.ts";

/** Formats the result of a scan: the verdict, then one or two lines for each finding. */
export function scanText(scan: ToolScan): string {
  const { findings, complete } = scan;
  const lines = findings.map(
    ({ rule, severity, location, excerpt, explanation }) =>
      `  ${severity.padEnd(8)} ${rule} in ${location}: ${explanation}\n           ${excerpt}`,
  );
  const unread = complete ? [] : ["  incomplete: it is longer than a scan reads"];
  return [`scan: ${verdictText(scan)}`, ...lines, ...unread].join("\n");
}
