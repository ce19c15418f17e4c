import { loopShare } from "../base/loop-share.ts";
import { type ItemRow, LISTED_KINDS, type ListedKind } from "../schema/item.ts";
import type { RuleReport } from "../schema/rule-finding.ts";
import { RULE_SEVERITIES, type RuleFinding, sumUpRuleFindings } from "../schema/rule-finding.ts";
import type { ToolRow } from "../schema/tool.ts";

/** A finding in a tool, or in a prompt, resource or template; with neither, it is in the server's instructions. */
export type ServerFinding = RuleFinding & {
  readonly tool?: string;
  readonly item?: { readonly kind: ListedKind; readonly name: string };
};

/** The result of the offline scan for one server's instructions and everything that it lists. */
export interface ServerScan extends Pick<RuleReport, "verdict" | "risk_score" | "complete"> {
  /**
   * The most severe findings, at most 1000, or fewer if their items have long URIs. Verdict and risk count all
   * findings.
   */
  readonly findings: readonly ServerFinding[];
  /** When the scan was made. (ms) */
  readonly scannedAt: number;
}

interface ServerScans {
  /** Scans a server, unless it was scanned since the last listing of any server. Yields every few milliseconds. */
  read(server: string, instructions: string | undefined): Promise<ServerScan | undefined>;
  /** Returns whether `read` returns a result that is computed already. */
  isRead(server: string, instructions: string | undefined): boolean;
  /**
   * Returns the last result, if what this server lists has not changed since; findings that concern other servers may
   * be out of date. Undefined if there is none.
   */
  cached(server: string, instructions: string | undefined): ServerScan | undefined;
  forget(server: string): void;
}

interface Parts {
  of(server: string): readonly ToolRow[];
  examined(row: ToolRow): Promise<void> | undefined;
  scan(server: string, row: ToolRow): RuleReport;
  itemsOf(server: string, kind: ListedKind): readonly ItemRow[];
  itemExamined(row: ItemRow): Promise<void> | undefined;
  scanItem(row: ItemRow): RuleReport;
  scanInstructions(server: string, instructions: string): RuleReport;
  /** Returns a number that changes with the tools of any server, because findings mention tools of other servers. */
  listings(): number;
  /** Returns a number that changes with the tools of this server. */
  listingsOf(server: string): number;
  /** Returns a number that changes with the prompts, resources and templates of this server. */
  itemListings(server: string): number;
  now(): number;
}

interface Entry {
  readonly listings: number;
  readonly ownListings: number;
  readonly itemListings: number;
  readonly instructions: string | undefined;
  readonly reading: Promise<ServerScan | undefined>;
  isRead: boolean;
  /** The result; until it is read, the previous one of the same lists. */
  scan: ServerScan | undefined;
}

/** Maximum number of findings kept, and of findings collected of each severity. */
const MAX_FINDINGS = 1000;
/** Maximum length of all names of tools and items in the findings, because a URI may have 8,192 characters. */
const MAX_NAME_CHARS = 1_000_000;

/** Returns the findings that are kept, of findings sorted by severity. */
function keptOf(findings: readonly ServerFinding[]): ServerFinding[] {
  let chars = 0;
  const isWithin = ({ tool, item }: ServerFinding) => {
    chars += (tool ?? item?.name ?? "").length;
    return chars <= MAX_NAME_CHARS;
  };
  return findings.slice(0, MAX_FINDINGS).filter(isWithin);
}

/** Scans whole servers. Each scan is computed once until a list changes. */
export function createServerScans(parts: Parts): ServerScans {
  const entries = new Map<string, Entry>();

  async function compute(server: string, instructions: string | undefined): Promise<ServerScan | undefined> {
    const rows = parts.of(server);
    const items = LISTED_KINDS.map((kind) => parts.itemsOf(server, kind));
    if (rows.length === 0 && !instructions && items.every((list) => list.length === 0)) return undefined;
    const scannedAt = parts.now();
    const bySeverity = new Map(RULE_SEVERITIES.map((severity): [string, ServerFinding[]] => [severity, []]));
    const rules = new Set<string>();
    let complete = true;
    const add = (report: RuleReport, subject: Pick<ServerFinding, "tool" | "item"> = {}) => {
      complete &&= report.complete;
      for (const finding of report.findings) {
        const list = bySeverity.get(finding.severity)!;
        const rule = `${finding.severity} ${finding.rule}`;
        if (list.length < MAX_FINDINGS || !rules.has(rule)) list.push({ ...finding, ...subject });
        rules.add(rule);
      }
    };
    const pause = loopShare();
    for (const row of rows) {
      await parts.examined(row);
      add(parts.scan(server, row), { tool: row.name });
      await pause();
    }
    for (const row of items.flat()) {
      await parts.itemExamined(row);
      add(parts.scanItem(row), { item: { kind: row.kind, name: row.name } });
      await pause();
    }
    if (instructions) add(parts.scanInstructions(server, instructions));
    const findings = [...bySeverity.values()].flat();
    const { verdict, risk_score } = sumUpRuleFindings(findings, complete);
    return { verdict, risk_score, complete, findings: keptOf(findings), scannedAt };
  }

  function ofSameLists(server: string, instructions: string | undefined): Entry | undefined {
    const entry = entries.get(server);
    const isSame =
      entry?.ownListings === parts.listingsOf(server) &&
      entry.itemListings === parts.itemListings(server) &&
      entry.instructions === instructions;
    return isSame ? entry : undefined;
  }

  function current(server: string, instructions: string | undefined): Entry | undefined {
    const entry = ofSameLists(server, instructions);
    return entry?.listings === parts.listings() ? entry : undefined;
  }

  return {
    async read(server, instructions) {
      const scan = current(server, instructions);
      if (scan) return await scan.reading;
      const entry: Entry = {
        listings: parts.listings(),
        ownListings: parts.listingsOf(server),
        itemListings: parts.itemListings(server),
        instructions,
        reading: compute(server, instructions),
        isRead: false,
        scan: ofSameLists(server, instructions)?.scan,
      };
      entries.set(server, entry);
      entry.scan = await entry.reading;
      entry.isRead = true;
      return entry.scan;
    },
    isRead: (server, instructions) => current(server, instructions)?.isRead === true,
    cached: (server, instructions) => ofSameLists(server, instructions)?.scan,
    forget: (server) => void entries.delete(server),
  };
}
