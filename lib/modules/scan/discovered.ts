import type { ServerFinding } from "../../core/catalog/server-scans.ts";
import type { ScanFinding } from "../../core/schema/scan.ts";
import { reportedFinding } from "./scanner.ts";

/** The scanner whose findings are those of discovery. */
export const TOOL_DESCRIPTIONS = "tool-descriptions";

/** A finding of discovery, as a report holds it. */
export function asReported({ tool, ...finding }: ServerFinding): ScanFinding {
  const threat_type = /^(instruction|role)/.test(finding.rule) ? "prompt_injection" : "tool_poisoning";
  const location = tool === undefined ? finding.location : `${tool}: ${finding.location}`;
  const about = { scanner: TOOL_DESCRIPTIONS, threat_type, ...(tool !== undefined && { tool }) } as const;
  return reportedFinding({ ...finding, location }, about);
}
