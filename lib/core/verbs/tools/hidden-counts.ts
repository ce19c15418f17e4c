import type { Reason } from "../../policy/reasons.ts";

/** How many tools matched a search but may not be shown, by why. */
export interface HiddenCounts {
  quarantined?: number;
  pending_approval?: number;
  changed?: number;
  disabled?: number;
  permission_denied?: number;
  filtered?: number;
}

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
  quarantined: "of a quarantined server: a person has to review the server",
  pending_approval: "waiting for a person's approval",
  changed: "changed since a person approved it and waiting for another look",
  disabled: "switched off: a person can switch it on",
  permission_denied: "that need a permission this token does not have: an administrator can issue a token that has it",
  filtered: "left out by the filters of this search: ask without them if that is acceptable",
};

/** What a reason counts as; undefined for one that is never told of. */
export function hiddenAs(reason: Reason): keyof HiddenCounts | undefined {
  return CLASS[reason];
}

export function countHidden(reasons: Iterable<Reason>): HiddenCounts {
  const withheld: HiddenCounts = {};
  for (const reason of reasons) {
    const kind = CLASS[reason];
    if (kind) withheld[kind] = (withheld[kind] ?? 0) + 1;
  }
  return withheld;
}

/** The same as a sentence that says what to do; empty when nothing was withheld. */
export function hiddenNotice(withheld: HiddenCounts, shown: number): string {
  const parts = (Object.keys(WHAT_TO_DO) as (keyof HiddenCounts)[]).flatMap((kind) =>
    withheld[kind] ? `${withheld[kind]} ${WHAT_TO_DO[kind]}` : [],
  );
  if (parts.length === 0) return "";
  const lead = shown === 0 ? "Tools match, but none may be shown" : "Further tools match but are not shown";
  return `${lead}: ${parts.join("; ")}.`;
}
