import type { ApprovalRow, ToolRow } from "../schema/tool.ts";
import type { ListingCounts } from "./catalog.ts";
import { isCurrentPin, pinOf } from "./pin.ts";
import type { PinnedTool } from "./read-tool.ts";

/** Returns the id of a tool, `server:tool`, by which clients name it. */
export function toolIdOf(server: string, tool: string): string {
  return `${server}:${tool}`;
}

/** True if the row is from a listing with exactly the same definition of the tool. */
export function isListedAs(row: ToolRow | undefined, { hash, definition: { execution } }: PinnedTool): boolean {
  return row?.present === true && row.hash === hash && row.execution?.taskSupport === execution?.taskSupport;
}

/**
 * Makes the row of a listed tool. A record counts only if it is about this definition. Without such a record (it may be
 * about another definition, or could not be written) the tool is not callable.
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
 * Makes the row of a tool from its record, for use until its server has listed its tools.
 *
 * @returns undefined if the definition is nested deeper than is accepted today
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

/** Returns the row with the approval of the given record; the same row if nothing changes. */
export function rejudgedRow(row: ToolRow, record?: ApprovalRow): ToolRow {
  const { status, recorded, disabled } = approvalOf(row.hash, record);
  if (row.status === status && row.recorded === recorded && row.disabled === disabled) return row;
  return { ...row, status, recorded, disabled };
}

/** Compares two lists of one server's tools; undefined if they consist of the same rows. */
export function compareRows(
  before: readonly ToolRow[],
  after: readonly ToolRow[],
): (ListingCounts & { searchable: ToolRow[] }) | undefined {
  const previous = new Map(before.map((row) => [row.id, row]));
  const currentIds = new Set(after.map((row) => row.id));
  const added = after.filter((row) => !previous.has(row.id));
  const changed = after.filter((row) => (previous.get(row.id)?.hash ?? row.hash) !== row.hash);
  const removed = before.filter((row) => !currentIds.has(row.id));
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

/** Returns the pin, by the current formula, of the definition in a record, which an older release may have written. */
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
