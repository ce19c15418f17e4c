import type { ApprovalRow, ToolRow } from "../schema/tool.ts";
import type { ListingCounts } from "./catalog.ts";
import { isCurrentPin, pinOf } from "./pin.ts";
import type { PinnedTool } from "./read-tool.ts";

export function toolIdOf(server: string, tool: string): string {
  return `${server}:${tool}`;
}

/** Whether a row is of a listing in which the tool stood exactly as it does now. */
export function isListedAs(row: ToolRow | undefined, { hash, definition: { execution } }: PinnedTool): boolean {
  return row?.present === true && row.hash === hash && row.execution?.taskSupport === execution?.taskSupport;
}

/**
 * The row of a listed tool. Only a record about this very definition counts; without one, be it that it could not be
 * written or that it is about another definition, the tool is not callable.
 */
export function listedRow(server: string, { definition, hash }: PinnedTool, record?: ApprovalRow): ToolRow {
  return {
    ...definition,
    id: toolIdOf(server, definition.name),
    server,
    hash,
    present: true,
    ...approvalOf(hash, record),
  };
}

/**
 * The row of a tool that is only remembered, until its server has listed its tools.
 *
 * @returns undefined for a definition that is nested deeper than what is listed today
 */
export function rememberedRow(record: ApprovalRow): ToolRow | undefined {
  const { server, current } = record;
  const hash = currentPinOf(record);
  if (hash === undefined) return undefined;
  return {
    ...current,
    id: toolIdOf(server, current.name),
    server,
    hash,
    present: false,
    status: record.status,
    recorded: true,
    disabled: record.disabled,
  };
}

/** The same tool under the record that is stored for it now; the same row when that says nothing new. */
export function rejudgedRow(row: ToolRow, record?: ApprovalRow): ToolRow {
  const { status, recorded, disabled } = approvalOf(row.hash, record);
  if (row.status === status && row.recorded === recorded && row.disabled === disabled) return row;
  return { ...row, status, recorded, disabled };
}

/** What became different between two lists of one server's tools; undefined when they are the same rows. */
export function compareRows(
  before: readonly ToolRow[],
  after: readonly ToolRow[],
): (ListingCounts & { searchable: ToolRow[] }) | undefined {
  const old = new Map(before.map((row) => [row.id, row]));
  const kept = new Set(after.map((row) => row.id));
  const added = after.filter((row) => !old.has(row.id));
  const changed = after.filter((row) => (old.get(row.id)?.hash ?? row.hash) !== row.hash);
  const removed = before.filter((row) => !kept.has(row.id));
  if (before.length === after.length && after.every((row, i) => row === before[i])) return undefined;
  return {
    total: after.length,
    added: names(added),
    changed: names(changed),
    removed: names(removed),
    searchable: [...added, ...changed],
  };
}

function approvalOf(hash: string, record?: ApprovalRow): Pick<ToolRow, "status" | "recorded" | "disabled"> {
  const disabled = record?.disabled ?? false;
  if (record && currentPinOf(record) === hash) return { status: record.status, recorded: true, disabled };
  return { status: record?.approvedHash === undefined ? "pending" : "changed", recorded: false, disabled };
}

/** The pin of what a record holds as listed last, by the formula in force, since an older release may have written it. */
function currentPinOf({ currentHash, current }: ApprovalRow): string | undefined {
  if (isCurrentPin(currentHash)) return currentHash;
  try {
    return pinOf(current);
  } catch {
    return undefined;
  }
}

function names(rows: readonly ToolRow[]): string[] {
  return rows.map((row) => row.name);
}
