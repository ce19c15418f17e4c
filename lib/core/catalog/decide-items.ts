import type { ServerConfig } from "../config/config-keys.ts";
import type { ItemApprovalRow, ListedKind } from "../schema/item.ts";
import { type ApprovalTrust, approvalTrustOf, decideApproval } from "./decide-approvals.ts";
import type { PinnedItem } from "./read-item.ts";

/** What approves the items of one server without a person. */
interface ItemTrust extends ApprovalTrust {
  /** The setting that lets the scan decide, where that is not `trust_mode: scan`. */
  readonly scanRule?: string;
}

/**
 * Reads the trust in the items of one server out of the configuration: as for its tools, and the offline scan approves
 * the resources of a released server unless `resource_approval` is `manual`.
 *
 * @param given as `approvalTrustOf` takes it
 */
export function itemTrustOf(
  kind: ListedKind,
  server: Pick<ServerConfig, "quarantined" | "trust_mode" | "auto_approve_tool_changes" | "resource_approval">,
  given: Parameters<typeof approvalTrustOf>[1],
): ItemTrust {
  const trust = approvalTrustOf(server, given);
  const byScan =
    kind === "resource" &&
    !given.quarantined &&
    !given.evidenceLost &&
    !trust.everything &&
    server.resource_approval !== "manual";
  return byScan ? { ...trust, scan: true, scanRule: RESOURCE_RULE } : trust;
}

/** One complete listing of one kind, and what is known about it. */
interface ItemDecisionInput {
  readonly server: string;
  readonly kind: ListedKind;
  readonly found: Iterable<PinnedItem>;
  readonly records: ReadonlyMap<string, ItemApprovalRow>;
  readonly trust: ItemTrust;
  readonly now: number;
  /** Whether the scan finds nothing in an item. */
  isClean(item: PinnedItem): boolean;
}

/** Decides what one listing means for the approvals of a server, as `decideApprovals` does. @returns records to write */
export function decideItems({ server, kind, found, records, trust, now, isClean }: ItemDecisionInput) {
  return [...found].flatMap((pinned): ItemApprovalRow[] => {
    const old = records.get(pinned.name);
    const next = decideApproval({
      pinned,
      old,
      trust,
      baseline: trust.baseline,
      approved: old?.approvedHash === pinned.hash,
      now,
      clean: () => isClean(pinned),
      ...(trust.scanRule !== undefined && { scanRule: trust.scanRule }),
    });
    return next ? [{ server, kind, name: pinned.name, ...next }] : [];
  });
}

/** Whether no person decided about an item, so that its record may be removed with the item. */
export function isAutomaticItemRecord({ disabled, approvedBy }: ItemApprovalRow): boolean {
  return !disabled && (approvedBy === undefined || RULES.has(approvedBy));
}

/** The setting that lets the offline scan approve resources. */
const RESOURCE_RULE = "resource_approval: scan";

/** Who approves where no person does. */
const RULES: ReadonlySet<string> = new Set([
  RESOURCE_RULE,
  "trust_mode: scan",
  "trust_mode: auto",
  "quarantine_enabled: false",
  "baseline",
]);
