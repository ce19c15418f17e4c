import * as v from "valibot";

/** Members of every paged list, in addition to its rows. */
export const pageMembers = {
  total: v.pipe(v.number(), v.description("total number of matches")),
  limit: v.exactOptional(v.pipe(v.number(), v.description("applied limit; absent if the list is complete"))),
  next_cursor: v.exactOptional(v.pipe(v.string(), v.description("cursor of the next page; absent on the last page"))),
};

/** A page of a list with the paging members, such as the total number of rows. */
export type ListPage<T> = { rows: T[] } & v.InferOutput<v.ObjectSchema<typeof pageMembers, undefined>>;

/** The types of values that rows can be sorted by. */
export type SortValue = string | number | boolean | undefined;

/** How the rows of a list are identified and sorted. */
export interface ListRows<T> {
  /** The rows in their order, which a page takes only as far as it needs them. */
  readonly rows: Iterable<T>;
  readonly total: number;
  /** The unique and stable key of a row. */
  id(row: T): string;
  value(row: T, sort: string): SortValue;
  /** Prepares what `value` needs, if that takes long; undefined if there is nothing to wait for. */
  prepare?(row: T, sort: string): Promise<void> | undefined;
}

/** Describes records that are identified by the member `id` and sorted by any member, `a.b` for a nested one. */
export function rowsByMembers<T extends object>(rows: readonly T[], id: keyof T & string): ListRows<T> {
  return { rows, total: rows.length, id: (row) => String(row[id]), value: memberOf };
}

function memberOf(row: object, path: string): SortValue {
  let value: unknown = row;
  for (const name of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[name];
  return ["string", "number", "boolean"].includes(typeof value) ? (value as SortValue) : undefined;
}

/** Selects and sorts the requested rows of a list. */
export type ChoosePage = <T>(list: ListRows<T>) => Promise<ListPage<T>>;

/** Returns the whole list unsorted. */
export const wholeList: ChoosePage = async ({ rows, total }) => ({ rows: [...rows], total });
