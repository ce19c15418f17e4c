import type { ServerConfig } from "../config/config-keys.ts";
import type { Approval, ApprovalRow } from "../schema/tool.ts";
import { isFormerPin } from "./pin.ts";
import type { PinnedTool } from "./read-tool.ts";

/** What approves tools without a person, as the configuration says it for one server. */
export interface ApprovalTrust {
  /** The setting that approves whatever is listed; absent when a person has to. */
  readonly everything?: "quarantine_enabled: false" | "trust_mode: auto";
  /** The offline scan stands in for a person (`trust_mode: scan`): what it finds clean is approved, the rest waits. */
  readonly scan?: true;
  /** Changes of tools once approved are approved too (`auto_approve_tool_changes`). */
  readonly changes: boolean;
  /** The first complete listing of a server whose entry an operator made with `quarantined: false`. */
  readonly baseline: boolean;
}

/**
 * Reads the trust in one server out of the configuration.
 *
 * @param quarantined whether it counts as quarantined; then no change is approved by a setting
 * @param baseline whether its first listing is to be trusted
 * @param evidenceLost the database with earlier approvals and blocks is missing: nothing new is approved by a setting,
 *   since a person may have blocked it
 */
export function approvalTrustOf(
  server: Pick<ServerConfig, "quarantined" | "trust_mode" | "auto_approve_tool_changes">,
  {
    quarantineEnabled,
    quarantined,
    baseline,
    evidenceLost,
  }: { quarantineEnabled: boolean; quarantined: boolean; baseline: boolean; evidenceLost: boolean },
): ApprovalTrust {
  if (evidenceLost) return { changes: false, baseline: false };
  const everything = !quarantineEnabled
    ? "quarantine_enabled: false"
    : server.trust_mode === "auto"
      ? "trust_mode: auto"
      : undefined;
  const scan = !everything && server.trust_mode === "scan";
  return {
    ...(everything && { everything }),
    ...(scan && { scan }),
    changes: server.auto_approve_tool_changes === true && !quarantined && !scan,
    baseline: server.quarantined === false && baseline && !scan,
  };
}

/**
 * Decides what one listing means for the approvals of a server (spec 000 §3). Pure.
 *
 * | record | definition | becomes |
 * |---|---|---|
 * | none | | approved by trust or as baseline, else pending |
 * | any | the approved one again | approved, by whoever approved it |
 * | approved before | another | approved by trust, else changed |
 * | pending | any | approved by trust, else pending with what is listed now |
 *
 * Trust in the scan approves what `clean` finds nothing in, and nothing else.
 *
 * A block stays whatever happens, and a tool that is no longer listed keeps its record. An approval of version 1 over
 * what is listed now becomes one of the present version without asking anybody. It could not cover icons and `_meta`:
 * where the tool has them, `addedClean` says whether the scan finds nothing in these.
 *
 * @returns only the records that must be written
 */
export function decideApprovals(
  server: string,
  tools: readonly PinnedTool[],
  records: ReadonlyMap<string, ApprovalRow>,
  trust: ApprovalTrust,
  now: number,
  clean: (tool: PinnedTool) => boolean = () => false,
  addedClean: (tool: PinnedTool) => boolean = () => false,
): ApprovalRow[] {
  const baseline = trust.baseline && records.size === 0;
  return tools.flatMap((tool) => {
    const old = records.get(tool.definition.name);
    const approved = old !== undefined && isApproved(old, tool, addedClean);
    const next = decideApproval({ pinned: tool, old, trust, baseline, approved, now, clean: () => clean(tool) });
    return next ? [{ server, tool: tool.definition.name, ...next }] : [];
  });
}

/** One definition of a listing, of whatever kind of item, and what is known about it. */
interface ApprovalQuestion<Definition> {
  readonly pinned: { readonly definition: Definition; readonly hash: string };
  readonly old: Approval<Definition> | undefined;
  readonly trust: ApprovalTrust;
  /** This is the first listing, and it is trusted. */
  readonly baseline: boolean;
  /** What is listed is what was approved. */
  readonly approved: boolean;
  readonly now: number;
  /** Whether the scan finds nothing in it. */
  clean(): boolean;
  /** The setting that lets the scan decide. */
  readonly scanRule?: string;
}

/** The rule of `decideApprovals` for one definition of any kind; undefined where nothing has to be written. */
export function decideApproval<Definition>({
  pinned,
  old,
  trust,
  baseline,
  approved,
  now,
  clean,
  scanRule = "trust_mode: scan",
}: ApprovalQuestion<Definition>): Approval<Definition> | undefined {
  const rule = old ? ruleForKnown(old, trust) : (trust.everything ?? (baseline ? "baseline" : undefined));
  const scanned = rule === undefined && trust.scan && clean() ? scanRule : rule;
  const next = resolve(pinned, old, scanned, now, approved);
  return old && same(old, next) ? undefined : next;
}

function ruleForKnown(old: Approval<unknown>, trust: ApprovalTrust): string | undefined {
  if (trust.everything) return trust.everything;
  return old.approvedHash !== undefined && trust.changes ? "auto_approve_tool_changes" : undefined;
}

function resolve<Definition>(
  { definition, hash }: ApprovalQuestion<Definition>["pinned"],
  old: Approval<Definition> | undefined,
  rule: string | undefined,
  now: number,
  approved: boolean,
): Approval<Definition> {
  const current = {
    disabled: old?.disabled ?? false,
    currentHash: hash,
    current: definition,
    updatedAt: now,
  };
  if (old && approved)
    return {
      ...current,
      status: "approved",
      approvedHash: hash,
      approved: definition,
      ...(old.approvedAt !== undefined && { approvedAt: old.approvedAt }),
      ...(old.approvedBy !== undefined && { approvedBy: old.approvedBy }),
    };
  if (rule !== undefined)
    return {
      ...current,
      status: "approved",
      approvedHash: hash,
      approved: definition,
      approvedAt: now,
      approvedBy: rule,
    };
  return { ...old, ...current, status: old?.approvedHash === undefined ? "pending" : "changed" };
}

/** Whether what is listed is what was approved. */
function isApproved(
  { approvedHash }: ApprovalRow,
  tool: PinnedTool,
  addedClean: (tool: PinnedTool) => boolean,
): boolean {
  if (approvedHash === undefined || !isFormerPin(approvedHash)) return approvedHash === tool.hash;
  if (approvedHash !== tool.formerPin()) return false;
  const { icons, _meta } = tool.definition;
  return (icons === undefined && _meta === undefined) || addedClean(tool);
}

function same(a: Approval<unknown>, b: Approval<unknown>): boolean {
  return a.status === b.status && a.currentHash === b.currentHash && a.approvedHash === b.approvedHash;
}
