import { readFileSync } from "node:fs";
import { sumUp } from "#lib/scan/finding.ts";
import { examine, examineInstructions, reportOf, type ScanReport } from "#lib/scan/scan.ts";
import type { ToolDefinition } from "#lib/shape/tool.ts";

/** One labelled tool of the corpus (test/data/poisoned/README.md). */
export interface Sample {
  readonly id: string;
  readonly label: "poisoned" | "benign";
  readonly tool: ToolDefinition;
  /** What its server says of itself. */
  readonly instructions?: string;
  /** Tools of other servers that exist besides it, `server:tool`. */
  readonly peers?: readonly string[];
}

/** The corpus; the rules were written looking at `tuning` alone. */
export function samples(half: "tuning" | "heldout"): Sample[] {
  const lines = readFileSync(`test/data/poisoned/${half}.jsonl`, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Sample);
}

export function scanSample({ tool, instructions, peers = [] }: Sample): ScanReport {
  const foreign = new Map(peers.map((id) => [id.slice(id.indexOf(":") + 1), [id.slice(0, id.indexOf(":"))]]));
  const around = { own: new Set([tool.name]), foreign };
  const report = reportOf(examine(tool), around);
  if (instructions === undefined) return report;
  const said = reportOf(examineInstructions(instructions), around);
  return sumUp([...report.findings, ...said.findings], report.complete && said.complete);
}
