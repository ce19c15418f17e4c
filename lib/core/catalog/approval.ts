import type { Approval } from "../schema/tool.ts";

/** A record after a person approved its item as it is listed now. Lifts a block, since it was asked for by name. */
export function approveRecord<Row extends Approval<unknown>>(row: Row, by: string, now: number): Row {
  return { ...accepted(row, by, now), disabled: false };
}

/** A record after a person blocked its item: approved and disabled in one write, so never approved and usable (spec 000 §3). */
export function blockRecord<Row extends Approval<unknown>>(row: Row, by: string, now: number): Row {
  return { ...accepted(row, by, now), disabled: true };
}

/** A pending record after a person released its server from quarantine and had seen the tool; a block stays. */
export const approveListedRecord = accepted;

/**
 * The record of a tool whose server returned under its name with another launch definition: the approval no longer
 * counts and a block stays. The approved definition is kept, so that the two can be compared.
 */
export function resetApproval<Row extends Approval<unknown>>(
  { approvedHash: _, approvedAt: __, approvedBy: ___, ...row }: Row,
  now: number,
): Omit<Row, "approvedHash" | "approvedAt" | "approvedBy"> {
  return { ...row, status: "pending", updatedAt: now };
}

function accepted<Row extends Approval<unknown>>(row: Row, by: string, now: number): Row {
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
