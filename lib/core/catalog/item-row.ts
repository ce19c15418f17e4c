import { canonicalJson } from "../base/canonical.ts";
import { type ItemApprovalRow, type ItemRow, itemId, type ListedKind } from "../schema/item.ts";
import { MAX_TOOL_DEPTH } from "../schema/tool.ts";
import type { PinnedItem } from "./read-item.ts";

/**
 * Makes the row of a listed item. A record counts only if it is about this definition; without one the item is not
 * usable.
 */
export function listedItemRow(
  server: string,
  kind: ListedKind,
  { name, definition, hash }: Pick<PinnedItem, "name" | "definition" | "hash">,
  record?: ItemApprovalRow,
): ItemRow {
  return {
    kind,
    id: itemId(kind, server, name),
    server,
    name,
    definition,
    hash,
    present: true,
    annotations: READ_ONLY,
    ...approvalOf(hash, record),
  };
}

/** Makes the row of an item from its record, for use until its server has listed its items. */
export function rememberedItemRow(record: ItemApprovalRow): ItemRow {
  const { server, kind, name, current: definition, currentHash: hash } = record;
  return { ...listedItemRow(server, kind, { name, definition, hash }, record), present: false };
}

/** Returns the row with the approval of the given record; the same row if nothing changes. */
export function rejudgedItemRow(row: ItemRow, record?: ItemApprovalRow): ItemRow {
  return sameItemRow(row, { ...row, ...approvalOf(row.hash, record) });
}

/**
 * Returns the new row, or the old one if both are equal. The size of a resource is compared, too, although its pin does
 * not cover it.
 */
export function sameItemRow(previous: ItemRow | undefined, row: ItemRow): ItemRow {
  const isSame =
    previous !== undefined &&
    previous.hash === row.hash &&
    previous.status === row.status &&
    previous.recorded === row.recorded &&
    previous.disabled === row.disabled &&
    previous.present === row.present &&
    canonicalJson(previous.definition, MAX_TOOL_DEPTH) === canonicalJson(row.definition, MAX_TOOL_DEPTH);
  return isSame ? previous : row;
}

const READ_ONLY = { readOnlyHint: true } as const;

function approvalOf(hash: string, record?: ItemApprovalRow): Pick<ItemRow, "status" | "recorded" | "disabled"> {
  const disabled = record?.disabled ?? false;
  if (record?.currentHash === hash) return { status: record.status, recorded: true, disabled };
  return { status: record?.approvedHash === undefined ? "pending" : "changed", recorded: false, disabled };
}
