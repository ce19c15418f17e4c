import type { Approval } from "../schema/tool.ts";

/**
 * Returns the record of an item after a person approved its current definition. A block ends, because the person named
 * the item.
 */
export function approveRecord<Row extends Approval<unknown>>(row: Row, by: string, now: number): Row {
  return { ...accepted(row, by, now), disabled: false };
}

/**
 * Returns the record of an item after a person blocked it. It becomes approved and disabled in one write, so that it is
 * never approved and usable in between (spec 000 §3).
 */
export function blockRecord<Row extends Approval<unknown>>(row: Row, by: string, now: number): Row {
  return { ...accepted(row, by, now), disabled: true };
}

/** Returns a pending record after a person reviewed the tool and released its server from quarantine. A block stays. */
export const approveListedRecord = accepted;

/**
 * Returns the record of a tool whose server was added again under its name with another launch definition: the approval
 * no longer counts, and a block stays. The approved definition is kept for a comparison.
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
