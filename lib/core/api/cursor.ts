import { createHash } from "node:crypto";
import { Fault } from "../base/fault.ts";

/** The query parameters of a list, except those that select a page. */
export type CursorQuery = Readonly<Record<string, unknown>>;

/** Length of the hash at the beginning of a cursor. */
const MARK = 12;
/** Maximum length of a cursor. */
export const MAX_CURSOR_CHARS = 4096;

/**
 * Writes a position in a list as a cursor. The cursor contains the position, so the proxy stores nothing and a cursor
 * stays valid after a restart. It begins with a hash of the list and its filters, so that it is invalid for other ones.
 *
 * @param list name of the list
 * @param asked filters and sort order
 * @param place the position, as plain data
 */
export function writeCursor(list: string, asked: CursorQuery, place: readonly unknown[]): string {
  const text = Buffer.from(JSON.stringify(place)).toString("base64url");
  return markOf(list, asked, text) + text;
}

/**
 * Returns the position in a cursor. @throws Fault invalid_request for a cursor that is damaged, or from another list,
 * filter or order
 */
export function readCursor(list: string, asked: CursorQuery, cursor: string): unknown[] {
  const text = cursor.slice(MARK);
  if (cursor.slice(0, MARK) === markOf(list, asked, text)) {
    const place: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    if (Array.isArray(place)) return place;
  }
  throw new Fault("invalid_request", { reason: WRONG });
}

const WRONG =
  "cursor: invalid, or from another list, filter or sort; send next_cursor as returned with the same filters and sort, or start again without a cursor";

function markOf(list: string, asked: CursorQuery, text: string): string {
  const filters = Object.entries(asked).filter(([, value]) => value !== undefined);
  return createHash("sha256")
    .update(JSON.stringify([list, filters.sort(([a], [b]) => (a < b ? -1 : 1)), text]))
    .digest("base64url")
    .slice(0, MARK);
}
