import type { ApprovalRow } from "../shape/tool.ts";

/** A record after a person approved its tool as it is listed now. Lifts a block, since it was asked for by name. */
export function approve(row: ApprovalRow, by: string, now: number): ApprovalRow {
  return { ...accepted(row, by, now), disabled: false };
}

/** A record after a person blocked its tool: approved and disabled in one write, so never approved and usable (spec 000 §3). */
export function block(row: ApprovalRow, by: string, now: number): ApprovalRow {
  return { ...accepted(row, by, now), disabled: true };
}

/** A pending record after a person released its server from quarantine and had seen the tool; a block stays. */
export const approveListed = accepted;

function accepted(row: ApprovalRow, by: string, now: number): ApprovalRow {
  return {
    ...row,
    status: "approved",
    approvedHash: row.currentHash,
    approved: row.current,
    approvedAt: now,
    approvedBy: by,
    updatedAt: now,
  };
}
