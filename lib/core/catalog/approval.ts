import type { ApprovalRow } from "../schema/tool.ts";

/** A record after a person approved its tool as it is listed now. Lifts a block, since it was asked for by name. */
export function approveRecord(row: ApprovalRow, by: string, now: number): ApprovalRow {
  return { ...accepted(row, by, now), disabled: false };
}

/** A record after a person blocked its tool: approved and disabled in one write, so never approved and usable (spec 000 §3). */
export function blockRecord(row: ApprovalRow, by: string, now: number): ApprovalRow {
  return { ...accepted(row, by, now), disabled: true };
}

/** A pending record after a person released its server from quarantine and had seen the tool; a block stays. */
export const approveListedRecord = accepted;

/**
 * The record of a tool whose server returned under its name with another launch definition: the approval no longer
 * counts and a block stays. The approved definition is kept, so that the two can be compared.
 */
export function resetApproval(
  { approvedHash: _, approvedAt: __, approvedBy: ___, ...row }: ApprovalRow,
  now: number,
): ApprovalRow {
  return { ...row, status: "pending", updatedAt: now };
}

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
