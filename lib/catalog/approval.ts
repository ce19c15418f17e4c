import type { ApprovalRow } from "../shape/tool.ts";

/** A record after a person approved its tool as it is listed now. Lifts a block, since it was asked for by name. */
export function approve(row: ApprovalRow, by: string, now: number): ApprovalRow {
  return { ...accepted(row, by, now), disabled: false };
}

/** A record after a person blocked its tool: approved and disabled in one write, so never approved and usable (spec 000 §3). */
export function block(row: ApprovalRow, by: string, now: number): ApprovalRow {
  return { ...accepted(row, by, now), disabled: true };
}

/**
 * The records to write when a person releases a server from quarantine: its pending tools are approved as they are
 * listed, since those are the ones that person saw. Changed and blocked tools stay what they are.
 */
export function release(rows: readonly ApprovalRow[], by: string, now: number): ApprovalRow[] {
  return rows.filter((row) => row.status === "pending" && !row.disabled).map((row) => accepted(row, by, now));
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
