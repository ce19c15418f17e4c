import { excerpt } from "../../../core/base/excerpt.ts";
import type { RuleFinding, RuleSeverity } from "../../../core/schema/rule-finding.ts";
import type { ScanFinding } from "../../../core/schema/scan.ts";

/** Maximum size of a document, and maximum number of runs and results. */
const MAX_CHARS = 8 * 1024 * 1024;
const MAX_RUNS = 20;
const MAX_RESULTS = 2000;
/** Longest text of a finding (characters). */
const MAX_TEXT = 400;

interface SarifFinding extends RuleFinding {
  readonly helpUri?: string;
}

/**
 * Parses the results of a SARIF 2.1.0 document. Its author is not trusted: sizes are limited, texts are truncated,
 * invisible characters are shown as escapes, and invalid members are ignored.
 *
 * @throws Error if the document is invalid
 */
export function fromSarif(text: string): { findings: SarifFinding[]; complete: boolean } {
  if (text.length > MAX_CHARS) throw new Error(`its report is larger than ${MAX_CHARS} characters`);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error("its report is not JSON");
  }
  const runs = object(document)?.runs;
  if (!Array.isArray(runs)) throw new Error("its report is not SARIF: it has no runs");
  const findings: SarifFinding[] = [];
  let complete = runs.length <= MAX_RUNS;
  for (const run of runs.slice(0, MAX_RUNS)) {
    const driver = object(object(object(run)?.tool)?.driver);
    const rules = Array.isArray(driver?.rules) ? driver.rules : [];
    const results = object(run)?.results;
    if (!Array.isArray(results)) continue;
    for (const result of results) {
      if (findings.length >= MAX_RESULTS) return { findings, complete: false };
      const finding = findingOf(object(result), rules);
      if (finding) findings.push(finding);
      else complete = false;
    }
  }
  return { findings, complete };
}

type Members = Record<string, unknown>;

function findingOf(result: Members | undefined, rules: readonly unknown[]): SarifFinding | undefined {
  if (!result) return undefined;
  if (Array.isArray(result.suppressions) && result.suppressions.length > 0) return undefined;
  const index = typeof result.ruleIndex === "number" ? result.ruleIndex : -1;
  const ruleId = textOf(result.ruleId) ?? textOf(object(rules[index])?.id);
  const rule = object(rules[index]) ?? object(rules.find((r) => object(r)?.id === ruleId));
  const message = textOf(object(result.message)?.text) ?? textOf(object(rule?.shortDescription)?.text) ?? "";
  const place = object(object(Array.isArray(result.locations) ? result.locations[0] : undefined)?.physicalLocation);
  const uri = textOf(object(place?.artifactLocation)?.uri);
  const line = object(place?.region)?.startLine;
  const help = textOf(rule?.helpUri);
  return {
    rule: ruleId ?? "unnamed",
    severity: severityOf(result, rule),
    location: uri === undefined ? "" : `${uri}${typeof line === "number" ? `:${line}` : ""}`,
    excerpt: excerpt(textOf(object(object(place?.region)?.snippet)?.text) ?? ""),
    explanation: message,
    ...(help !== undefined && /^https?:\/\//.test(help) && { helpUri: help }),
  };
}

/** `security-severity` is a CVSS score; without one the level decides. */
function severityOf(result: Members, rule: Members | undefined): RuleSeverity {
  const severity = object(result.properties)?.["security-severity"] ?? object(rule?.properties)?.["security-severity"];
  const score =
    typeof severity === "number" ? severity : typeof severity === "string" ? Number.parseFloat(severity) : Number.NaN;
  if (score >= 9) return "critical";
  if (score >= 7) return "high";
  if (score >= 4) return "medium";
  if (score > 0) return "low";
  switch (textOf(result.level) ?? textOf(object(rule?.defaultConfiguration)?.level)) {
    case "error":
      return "high";
    case "note":
      return "low";
    case "none":
      return "info";
    default:
      return "medium";
  }
}

function object(value: unknown): Members | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? excerpt(value, 0, MAX_TEXT) : undefined;
}

const LEVELS: Record<RuleSeverity, string> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
  info: "none",
};
const SCORES: Record<RuleSeverity, string> = { critical: "9.5", high: "8.0", medium: "5.5", low: "2.0", info: "0.0" };

type ReportedFinding = Pick<ScanFinding, "rule_id" | "severity" | "title" | "location" | "scanner">;

/** Renders findings as a SARIF 2.1.0 document with one run for each scanner. @param version of this program */
export function toSarif(findings: readonly ReportedFinding[], version: string) {
  const scanners = [...new Set(findings.map(({ scanner }) => scanner))];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: scanners.map((scanner) => {
      const ownFindings = findings.filter((finding) => finding.scanner === scanner);
      const ids = [...new Set(ownFindings.map(({ rule_id }) => rule_id))];
      return {
        tool: { driver: { name: scanner, version, rules: ids.map((id) => ({ id })) } },
        results: ownFindings.map(({ rule_id, severity, title, location }) => {
          const [, path = location, line] = /^(.*?):(\d+)$/.exec(location) ?? [];
          return {
            ruleId: rule_id,
            ruleIndex: ids.indexOf(rule_id),
            level: LEVELS[severity],
            message: { text: title },
            properties: { "security-severity": SCORES[severity] },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: encodeURI(path) },
                  ...(line !== undefined && { region: { startLine: Number(line) } }),
                },
              },
            ],
          };
        }),
      };
    }),
  };
}
