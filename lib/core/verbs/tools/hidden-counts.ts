import type { Reason } from "../../policy/reasons.ts";
import type { HiddenCounts } from "../../schema/tool-search.ts";

const CLASS: Partial<Record<Reason, keyof HiddenCounts>> = {
  server_quarantined: "quarantined",
  tool_pending_approval: "pending_approval",
  tool_changed: "changed",
  hash_mismatch: "changed",
  server_disabled: "disabled",
  tool_denied_by_config: "disabled",
  tool_blocked_by_user: "disabled",
  permission_denied: "permission_denied",
  missing_annotation: "filtered",
  policy_filtered: "filtered",
};

const WHAT_TO_DO: Record<keyof HiddenCounts, string> = {
  quarantined: "of a quarantined server: a person must review the server",
  pending_approval: "pending: a person must approve them",
  changed: "changed since the approval: a person must approve them again",
  disabled: "disabled: a person can enable them",
  permission_denied: "that need a permission that this token lacks: an administrator can create a token with it",
  filtered: "excluded by the filters of this search: search without them if that is acceptable",
};

/** Returns the counter for a reason; undefined for reasons that are not disclosed. */
export function hiddenAs(reason: Reason): keyof HiddenCounts | undefined {
  return CLASS[reason];
}

/** Counts hidden tools by the reasons that may be disclosed. */
export function countHidden(reasons: Iterable<Reason>): HiddenCounts {
  const withheld: HiddenCounts = {};
  for (const reason of reasons) {
    const kind = CLASS[reason];
    if (kind) withheld[kind] = (withheld[kind] ?? 0) + 1;
  }
  return withheld;
}

/** Returns a sentence with the counts and the remedies; empty if no match is hidden. */
export function hiddenNotice(withheld: HiddenCounts, shown: number): string {
  const parts = (Object.keys(WHAT_TO_DO) as (keyof HiddenCounts)[]).flatMap((kind) =>
    withheld[kind] ? `${withheld[kind]} ${WHAT_TO_DO[kind]}` : [],
  );
  if (parts.length === 0) return "";
  const lead = shown === 0 ? "Tools match, but all are hidden" : "More tools match but are hidden";
  return `${lead}: ${parts.join("; ")}.`;
}
