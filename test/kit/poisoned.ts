import { existsSync, readFileSync } from "node:fs";
import { sumUpRuleFindings } from "#lib/core/schema/rule-finding.ts";
import type { ToolDefinition } from "#lib/core/schema/tool.ts";
import { rivalOf } from "#lib/modules/scan/rules/alike.ts";
import {
  examineInstructions,
  examineTool,
  type RuleReport,
  reportOf,
  type ScanContext,
} from "#lib/modules/scan/rules/examine-tool.ts";
import { modelReader, type Reader } from "#lib/modules/scan/rules/model/reader.ts";

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
  /** The instructions of its server. */
  readonly instructions?: string;
  /** Tools of other servers, as `server:tool`. */
  readonly peers?: readonly string[];
  /** Tools of other servers, with their descriptions. */
  readonly others?: readonly { readonly server: string; readonly tools: readonly Listed[] }[];
}

interface Listed {
  readonly name: string;
  readonly description?: string;
}

/** Two servers of one proxy cannot have the same name. */
const renamed = (other: string, server: string | undefined) => (other === server ? `${other}-2` : other);

/**
 * The parts of the corpus. Other people than the authors of the rules wrote `dev`, `others-1`, `others-2` and
 * `heldout`.
 */
export const PARTS = ["tuning", "heldout-own", "dev", "others-1", "others-2", "heldout"] as const;
export type Part = (typeof PARTS)[number];

export function samples(part: Part): Sample[] {
  const file = `test/data/poisoned/${part}.jsonl`;
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Sample);
}

/** @param reader creates the reader that examines the sentences in addition to the rules */
export function scanSample(
  { tool, server, siblings = [], instructions, peers = [], others = [] }: Sample,
  reader: () => Reader = modelReader,
): RuleReport {
  const around = surroundings({ tool, ...(server !== undefined && { server }), siblings, peers, others });
  const report = reportOf(examineTool(tool, reader()), around);
  if (instructions === undefined) return report;
  const said = reportOf(examineInstructions(instructions, reader()), around);
  return sumUpRuleFindings([...report.findings, ...said.findings], report.complete && said.complete);
}

function surroundings({
  tool,
  server,
  siblings = [],
  peers = [],
  others = [],
}: Omit<Sample, "id" | "label">): ScanContext {
  const foreign = new Map<string, string[]>();
  const add = (of: string, name: string) => foreign.set(name, [...(foreign.get(name) ?? []), of]);
  for (const id of peers) add(id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1));
  for (const other of others) for (const { name } of other.tools) add(renamed(other.server, server), name);
  return {
    ...(server !== undefined && { server }),
    own: new Set([tool.name, ...siblings.map(({ name }) => name)]),
    foreign,
    rivals: others.map((other) =>
      rivalOf(
        renamed(other.server, server),
        other.tools.map(({ name, description = "" }) => ({ name, description })),
      ),
    ),
  };
}

/** Rates a part: the share of detected poisoned samples, and of flagged benign ones. */
export function rates(all: readonly Sample[], reader?: () => Reader) {
  const flagged = (sample: Sample) => scanSample(sample, reader).verdict !== "clean";
  const [poisoned, benign] = [all.filter((s) => s.label === "poisoned"), all.filter((s) => s.label === "benign")];
  const missed = poisoned.filter((s) => !flagged(s));
  const wrong = benign.filter(flagged);
  return {
    recall: 1 - missed.length / poisoned.length,
    falsePositives: wrong.length / benign.length,
    missed,
    wrong,
    poisoned: poisoned.length,
    benign: benign.length,
  };
}
