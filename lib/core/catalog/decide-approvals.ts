import type { ServerConfig } from "../config/config-keys.ts";
import type { Approval, ApprovalRow } from "../schema/tool.ts";
import { isFormerPin } from "./pin.ts";
import type { PinnedTool } from "./read-tool.ts";

/** What approves the tools of one server without a person, according to the configuration. */
export interface ApprovalTrust {
  /** The setting that approves everything; absent if a person has to approve. */
  readonly everything?: "quarantine_enabled: false" | "trust_mode: auto";
  /**
   * True for `trust_mode: scan`: tools in which the offline scan finds nothing are approved, others wait for a person.
   */
  readonly scan?: true;
  /** True if changes of approved tools are approved automatically (`auto_approve_tool_changes`). */
  readonly changes: boolean;
  /** True for the first complete listing of a server whose entry an operator made with `quarantined: false`. */
  readonly baseline: boolean;
}

/**
 * Reads from the configuration what approves the tools of a server.
 *
 * @param quarantined whether the server is in quarantine; then no setting approves a change
 * @param baseline whether its first listing is trusted
 * @param evidenceLost true if the database with earlier approvals and blocks is missing; then no setting approves
 *   anything new, because a person may have blocked it
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
 * Decides how one listing changes the approvals of a server (spec 000 §3). It has no side effects.
 *
 * | record | definition | becomes |
 * |---|---|---|
 * | none | | approved by trust or as baseline, else pending |
 * | any | the approved one again | approved, by whoever approved it |
 * | approved before | another | approved by trust, else changed |
 * | pending | any | approved by trust, else pending with the listed definition |
 *
 * With `trust_mode: scan`, only definitions for which `clean` returns true are approved by trust.
 *
 * A block always stays, and a tool that is no longer listed keeps its record. If the listed definition has an approval
 * of version 1, the approval is converted to the current version. Such an approval did not cover icons and `_meta`: if
 * the tool has them, it is converted only if `addedClean` says that the scan finds nothing in them.
 *
 * @param records the records of the server before the listing
 * @returns a function that decides about one tool from its newest record: the record to write, or undefined if nothing
 *   changes
 */
export function decideApprovals(
  server: string,
  records: ReadonlyMap<string, ApprovalRow>,
  trust: ApprovalTrust,
  now: number,
  clean: (tool: PinnedTool) => boolean = () => false,
  addedClean: (tool: PinnedTool) => boolean = () => false,
): (tool: PinnedTool, record: ApprovalRow | undefined) => ApprovalRow | undefined {
  const baseline = trust.baseline && records.size === 0;
  return (tool, old) => {
    const approved = old !== undefined && isApproved(old, tool, addedClean);
    const next = decideApproval({ pinned: tool, old, trust, baseline, approved, now, clean: () => clean(tool) });
    return next && { server, tool: tool.definition.name, ...next };
  };
}

/** One listed definition of an item of any kind, and the facts on which its approval depends. */
interface ApprovalQuestion<Definition> {
  readonly pinned: { readonly definition: Definition; readonly hash: string };
  readonly old: Approval<Definition> | undefined;
  readonly trust: ApprovalTrust;
  /** True if this is the first listing and it is trusted. */
  readonly baseline: boolean;
  /** True if the listed definition is the approved one. */
  readonly approved: boolean;
  readonly now: number;
  /** True if the scan finds nothing in the definition. */
  clean(): boolean;
  /** The setting that lets the scan approve. */
  readonly scanRule?: string;
}

/** Decides about one definition of any kind by the rule of `decideApprovals`; undefined if nothing must be written. */
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
  previous: Approval<Definition> | undefined,
  rule: string | undefined,
  now: number,
  approved: boolean,
): Approval<Definition> {
  const current = {
    disabled: previous?.disabled ?? false,
    currentHash: hash,
    current: definition,
    updatedAt: now,
  };
  if (previous && approved)
    return {
      ...current,
      status: "approved",
      approvedHash: hash,
      approved: definition,
      ...(previous.approvedAt !== undefined && { approvedAt: previous.approvedAt }),
      ...(previous.approvedBy !== undefined && { approvedBy: previous.approvedBy }),
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
  return { ...previous, ...current, status: previous?.approvedHash === undefined ? "pending" : "changed" };
}

/** True if the listed definition is the approved one. */
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
