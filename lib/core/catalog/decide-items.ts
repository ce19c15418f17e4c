import type { ServerConfig } from "../config/config-keys.ts";
import type { ItemApprovalRow, ListedKind } from "../schema/item.ts";
import { type ApprovalTrust, approvalTrustOf, decideApproval } from "./decide-approvals.ts";
import type { PinnedItem } from "./read-item.ts";

/** What approves the items of one server without a person. */
interface ItemTrust extends ApprovalTrust {
  /** The setting that lets the scan approve, if it is not `trust_mode: scan`. */
  readonly scanRule?: string;
}

/**
 * Reads from the configuration what approves the items of a server. The rules are those for its tools; in addition, the
 * offline scan approves the resources of a released server unless `resource_approval` is `manual`.
 *
 * @param facts see `approvalTrustOf`
 */
export function itemTrustOf(
  kind: ListedKind,
  server: Pick<ServerConfig, "quarantined" | "trust_mode" | "auto_approve_tool_changes" | "resource_approval">,
  facts: Parameters<typeof approvalTrustOf>[1],
): ItemTrust {
  const trust = approvalTrustOf(server, facts);
  const byScan =
    kind === "resource" &&
    !facts.quarantined &&
    !facts.evidenceLost &&
    !trust.everything &&
    server.resource_approval !== "manual";
  return byScan ? { ...trust, scan: true, scanRule: RESOURCE_RULE } : trust;
}

/** One complete listing of one kind of item, and the facts on which the approvals depend. */
interface ItemDecisionInput {
  readonly server: string;
  readonly kind: ListedKind;
  readonly trust: ItemTrust;
  readonly now: number;
  /** True if the scan finds nothing in an item. */
  isClean(item: PinnedItem): boolean;
}

/** Decides how one listing changes the approvals of a server, like `decideApprovals`. */
export function decideItems({ server, kind, trust, now, isClean }: ItemDecisionInput) {
  return (pinned: PinnedItem, previous: ItemApprovalRow | undefined): ItemApprovalRow | undefined => {
    const next = decideApproval({
      pinned,
      old: previous,
      trust,
      baseline: trust.baseline,
      approved: previous?.approvedHash === pinned.hash,
      now,
      clean: () => isClean(pinned),
      ...(trust.scanRule !== undefined && { scanRule: trust.scanRule }),
    });
    return next && { server, kind, name: pinned.name, ...next };
  };
}

/**
 * True if no person decided about an item, so that its record may be deleted when the server no longer lists the item.
 */
export function isAutomaticItemRecord({ disabled, approvedBy }: ItemApprovalRow): boolean {
  return !disabled && (approvedBy === undefined || RULES.has(approvedBy));
}

/** The setting that lets the offline scan approve resources. */
const RESOURCE_RULE = "resource_approval: scan";

/** The settings that can approve an item without a person. */
const RULES: ReadonlySet<string> = new Set([
  RESOURCE_RULE,
  "trust_mode: scan",
  "trust_mode: auto",
  "quarantine_enabled: false",
  "baseline",
]);
