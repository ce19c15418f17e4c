import type { ScanFinding, ScanSummary } from "../../core/schema/scan.ts";

/** The number of findings of each severity. */
export function summarise(findings: readonly ScanFinding[]): ScanSummary {
  const of = (severity: ScanFinding["severity"]) => findings.filter((f) => f.severity === severity).length;
  const [critical, high, medium, low, info] = [of("critical"), of("high"), of("medium"), of("low"), of("info")];
  const total = findings.length;
  return { critical, high, medium, low, info, total, dangerous: critical + high, warnings: medium };
}
