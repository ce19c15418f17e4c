import * as v from "valibot";
import { Fault } from "../base/fault.ts";
import { loopShare } from "../base/loop-share.ts";
import { nearestWords } from "../base/nearest.ts";
import { sortedInSteps } from "../base/sorted.ts";
import type { ChoosePage, ListPage, ListRows, SortValue } from "../schema/list-page.ts";
import { type CursorQuery, MAX_CURSOR_CHARS, readCursor, writeCursor } from "./cursor.ts";
import { optionalClamped } from "./query.ts";

/** The parameters that select a page and its order. */
interface Paging {
  limit?: number | undefined;
  cursor?: string | undefined;
  offset?: number | undefined;
  sort?: readonly ListingSort[] | undefined;
  fields?: unknown;
}

export interface ListingSort {
  readonly by: string;
  readonly falling: boolean;
}

/** The parameter `cursor` of every paged list. */
export const cursorText = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(MAX_CURSOR_CHARS, "is not a valid cursor: it is too long"),
    v.description("`next_cursor` of the previous page; requires the same filters and sort"),
  ),
);

/** Returns the parameter `sort`: one or several of `names`, with `-` before a name for descending order. */
export function sortParameter(names: readonly string[], fallback: string) {
  const read = (text: string): ListingSort[] =>
    text.split(",").map((part) => {
      const name = part.trim();
      return name.startsWith("-") ? { by: name.slice(1), falling: true } : { by: name, falling: false };
    });
  return v.optional(
    v.pipe(
      v.string(),
      v.maxLength(200, "must have at most 200 characters"),
      v.description(
        `${names.join(", ")}; a leading - means descending order; separate several keys by commas; default: ${fallback}`,
      ),
      v.transform(read),
      v.check(
        (sorts) => sorts.every(({ by }) => names.includes(by)),
        ({ input }) => complaint(input.find(({ by }) => !names.includes(by))?.by ?? "", names),
      ),
    ),
  );
}

/**
 * Makes the parameters and pages of a list that is held in memory.
 *
 * @param name of the list, for its cursors
 * @param sorts names by which it can be sorted
 * @param order describes the default order
 */
export function pagedListing(name: string, sorts: readonly string[], order: string) {
  return {
    query: {
      limit: optionalClamped(1000, "from 1 to 1000; default: all"),
      cursor: cursorText,
      sort: sortParameter(sorts, order),
    },

    /**
     * Returns a function that selects the requested rows. @throws Fault invalid_request for a cursor of another list,
     * filter or order
     */
    choose(query: Paging & CursorQuery): ChoosePage {
      return (list) => pageOf(name, query, list);
    },
  };
}

/** Rejects a request with both offset and cursor, because each says where to begin. @throws Fault invalid_request */
export function refuseOffsetWithCursor({ cursor, offset = 0 }: Pick<Paging, "cursor" | "offset">): void {
  if (cursor !== undefined && offset > 0)
    throw new Fault("invalid_request", { reason: "send either cursor or offset, not both" });
}

/** Returns the parameters that a cursor depends on. */
export function cursorQueryOf<Q extends Paging>({
  limit: _,
  cursor: __,
  offset: ___,
  fields: ____,
  ...asked
}: Q): CursorQuery {
  return asked;
}

/** A row with its sort key: the values and, so that the order is total, the id. */
interface Keyed<T> {
  row: T;
  key: SortValue[];
}

async function pageOf<T>(name: string, query: Paging & CursorQuery, list: ListRows<T>): Promise<ListPage<T>> {
  const { limit, cursor, offset = 0, sort } = query;
  refuseOffsetWithCursor(query);
  const asked = cursorQueryOf(query);
  const place = cursor === undefined ? undefined : readCursor(name, asked, cursor);
  const { total } = list;
  const from = (
    rows: readonly T[],
    start: number,
    placeOf: (row: T, at: number) => readonly unknown[],
  ): ListPage<T> => {
    const end = limit === undefined ? total : Math.min(total, start + limit);
    const last = end < total && end > start ? rows[end - 1] : undefined;
    return {
      rows: rows.slice(start, end),
      total,
      ...(limit !== undefined && { limit }),
      ...(last !== undefined && { next_cursor: writeCursor(name, asked, placeOf(last, end - 1)) }),
    };
  };
  if (!sort) {
    const { rows, start } = await rowsFor(list, place, offset, limit);
    return from(rows, start, (row, at) => [list.id(row), at]);
  }
  const keyed: Keyed<T>[] = [];
  const pause = loopShare();
  for (const row of list.rows) {
    if (list.prepare) for (const { by } of sort) await list.prepare(row, by);
    keyed.push({ row, key: keyOf(list, row, sort) });
    await pause();
  }
  const compare = comparing(sort);
  const ordered = await sortedInSteps(keyed, (a, b) => compare(a.key, b.key));
  const start = place === undefined ? offset : firstAfter(ordered, place as SortValue[], compare);
  return from(
    ordered.map(({ row }) => row),
    start,
    (_, at) => ordered[at]!.key.map((value) => value ?? null),
  );
}

/**
 * Takes rows in the original order of the list up to the end of the requested page. The cursor names the previous row;
 * if that row is gone, its former position is used.
 *
 * @returns the rows from the first one on, and the index at which the page starts
 */
async function rowsFor<T>(
  list: ListRows<T>,
  place: readonly unknown[] | undefined,
  offset: number,
  limit = Number.POSITIVE_INFINITY,
): Promise<{ rows: T[]; start: number }> {
  const rows: T[] = [];
  let start = place === undefined ? offset : undefined;
  const pause = loopShare();
  for (const row of list.rows) {
    rows.push(row);
    if (start === undefined && list.id(row) === place![0]) start = rows.length;
    if (start !== undefined && rows.length >= start + limit) break;
    const others = pause();
    if (others) await others;
  }
  return { rows, start: start ?? Math.min(rows.length, Number(place![1]) || 0) };
}

function keyOf<T>(list: ListRows<T>, row: T, sort: readonly ListingSort[]): SortValue[] {
  return [...sort.map(({ by }) => list.value(row, by)), list.id(row)];
}

/** Returns a comparison function. Rows without a value come before those with one. */
function comparing(sort: readonly ListingSort[]) {
  return (a: readonly unknown[], b: readonly unknown[]): number => {
    for (let i = 0; i <= sort.length; i++) {
      const [one, other] = [a[i] ?? undefined, b[i] ?? undefined];
      if (one === other) continue;
      const rising = one === undefined || (other !== undefined && (one as string) < (other as string)) ? -1 : 1;
      return sort[i]?.falling ? -rising : rising;
    }
    return 0;
  };
}

function firstAfter<T>(
  ordered: readonly Keyed<T>[],
  place: readonly unknown[],
  compare: (a: readonly unknown[], b: readonly unknown[]) => number,
): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(ordered[middle]!.key, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function complaint(name: string, names: readonly string[]): string {
  const [meant] = nearestWords(name.slice(0, 64), names, 1);
  const remedy = meant === undefined ? `known keys: ${names.join(", ")}` : `did you mean "${meant}"?`;
  return `"${name.slice(0, 64)}" is not a sort key; ${remedy}`;
}
