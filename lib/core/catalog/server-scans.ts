import { loopShare } from "../base/loop-share.ts";
import type { RuleReport } from "../schema/rule-finding.ts";
import { RULE_SEVERITIES, type RuleFinding, sumUpRuleFindings } from "../schema/rule-finding.ts";
import type { ToolRow } from "../schema/tool.ts";

/** A finding in a server's tool, or in its instructions where there is no `tool`. */
export type ServerFinding = RuleFinding & { readonly tool?: string };

/** What the offline scan finds in all tools and the instructions of one server together. */
export interface ServerScan extends Pick<RuleReport, "verdict" | "risk_score" | "complete"> {
  /** Worst first, at most 1000; all of them count for verdict and risk. */
  readonly findings: readonly ServerFinding[];
  /** When the texts were read. (ms) */
  readonly scannedAt: number;
}

interface ServerScans {
  /** Reads a server's texts unless that was done since the last listing of any server. Yields every few milliseconds. */
  read(server: string, instructions: string | undefined): Promise<ServerScan | undefined>;
  /** What was read since the last listing of any server; undefined where nothing was. */
  cached(server: string, instructions: string | undefined): ServerScan | undefined;
  forget(server: string): void;
}

interface Parts {
  of(server: string): readonly ToolRow[];
  examined(row: ToolRow): Promise<void> | undefined;
  scan(server: string, row: ToolRow): RuleReport;
  scanInstructions(server: string, instructions: string): RuleReport;
  /** Another number after every change of what any server lists, since findings name tools of other servers. */
  listings(): number;
  now(): number;
}

interface Entry {
  readonly listings: number;
  readonly instructions: string | undefined;
  readonly reading: Promise<ServerScan | undefined>;
  scan?: ServerScan | undefined;
}

/** Findings kept, and gathered of each severity. */
const MAX_FINDINGS = 1000;

/** Scans of whole servers, each computed once for what is listed. */
export function createServerScans(parts: Parts): ServerScans {
  const entries = new Map<string, Entry>();

  async function compute(server: string, instructions: string | undefined): Promise<ServerScan | undefined> {
    const rows = parts.of(server);
    if (rows.length === 0 && !instructions) return undefined;
    const scannedAt = parts.now();
    const bySeverity = new Map(RULE_SEVERITIES.map((severity): [string, ServerFinding[]] => [severity, []]));
    const rules = new Set<string>();
    let complete = true;
    const add = (report: RuleReport, tool?: string) => {
      complete &&= report.complete;
      for (const finding of report.findings) {
        const list = bySeverity.get(finding.severity)!;
        const rule = `${finding.severity} ${finding.rule}`;
        if (list.length < MAX_FINDINGS || !rules.has(rule))
          list.push({ ...finding, ...(tool !== undefined && { tool }) });
        rules.add(rule);
      }
    };
    const pause = loopShare();
    for (const row of rows) {
      await parts.examined(row);
      add(parts.scan(server, row), row.name);
      await pause();
    }
    if (instructions) add(parts.scanInstructions(server, instructions));
    const findings = [...bySeverity.values()].flat();
    const { verdict, risk_score } = sumUpRuleFindings(findings, complete);
    return { verdict, risk_score, complete, findings: findings.slice(0, MAX_FINDINGS), scannedAt };
  }

  function current(server: string, instructions: string | undefined): Entry | undefined {
    const entry = entries.get(server);
    return entry?.listings === parts.listings() && entry.instructions === instructions ? entry : undefined;
  }

  return {
    async read(server, instructions) {
      const known = current(server, instructions);
      if (known) return await known.reading;
      const entry: Entry = { listings: parts.listings(), instructions, reading: compute(server, instructions) };
      entries.set(server, entry);
      entry.scan = await entry.reading;
      return entry.scan;
    },
    cached: (server, instructions) => current(server, instructions)?.scan,
    forget: (server) => void entries.delete(server),
  };
}
