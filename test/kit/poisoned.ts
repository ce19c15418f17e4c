import { existsSync, readFileSync } from "node:fs";
import { sumUp } from "#lib/scan/finding.ts";
import { examine, examineInstructions, type Surroundings, reportOf, type ScanReport } from "#lib/scan/scan.ts";
import type { ToolDefinition } from "#lib/shape/tool.ts";

/** One labelled tool of the corpus (test/data/poisoned/README.md). */
export interface Sample {
  readonly id: string;
  readonly label: "poisoned" | "benign";
  readonly class?: string;
  readonly lang?: string;
  readonly server?: string;
  readonly tool: ToolDefinition;
  /** Further tools of its server. */
  readonly siblings?: readonly Listed[];
  /** What its server says of itself. */
  readonly instructions?: string;
  /** Tools of other servers that exist besides it, `server:tool`. */
  readonly peers?: readonly string[];
  /** The same, with their descriptions. */
  readonly others?: readonly { readonly server: string; readonly tools: readonly Listed[] }[];
}

interface Listed {
  readonly name: string;
  readonly description?: string;
}

/** Parts of the corpus; `dev` and `heldout` were written by others than the rules. */
export type Part = "tuning" | "heldout-own" | "dev" | "heldout";

export function samples(part: Part): Sample[] {
  const file = `test/data/poisoned/${part}.jsonl`;
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Sample);
}

export function scanSample({ tool, server, siblings = [], instructions, peers = [], others = [] }: Sample): ScanReport {
  const around = surroundings({ tool, server, siblings, peers, others });
  const report = reportOf(examine(tool), around);
  if (instructions === undefined) return report;
  const said = reportOf(examineInstructions(instructions), around);
  return sumUp([...report.findings, ...said.findings], report.complete && said.complete);
}

function surroundings({ tool, siblings = [], peers = [], others = [] }: Omit<Sample, "id" | "label">): Surroundings {
  const foreign = new Map<string, string[]>();
  const add = (server: string, name: string) => foreign.set(name, [...(foreign.get(name) ?? []), server]);
  for (const id of peers) add(id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1));
  for (const { server, tools } of others) for (const { name } of tools) add(server, name);
  return { own: new Set([tool.name, ...siblings.map(({ name }) => name)]), foreign };
}
