/** A part of a list, and how many there are in all. */
export interface ListPage<T> {
  rows: T[];
  total: number;
  /** The largest number of rows that was asked for, within its range. */
  limit?: number;
  /** Asks for the rows after these; absent on the last page. */
  next_cursor?: string;
}

/** By what rows can be sorted. */
export type SortValue = string | number | boolean | undefined;

/** How a list tells its rows apart and sorts them. */
export interface ListRows<T> {
  readonly rows: readonly T[];
  /** Different for each row, and the same for the same one later on. */
  id(row: T): string;
  value(row: T, sort: string): SortValue;
  /** Does most of the work of `value` beforehand, in pieces; undefined where nothing is left to be waited for. */
  prepare?(row: T, sort: string): Promise<void> | undefined;
}

/** Records of which one member tells them apart; they are sorted by their members, `a.b` for one within. */
export function rowsByMembers<T extends object>(rows: readonly T[], id: keyof T & string): ListRows<T> {
  return { rows, id: (row) => String(row[id]), value: memberOf };
}

function memberOf(row: object, path: string): SortValue {
  let value: unknown = row;
  for (const name of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[name];
  return ["string", "number", "boolean"].includes(typeof value) ? (value as SortValue) : undefined;
}

/** Takes the wanted rows of a list, in the wanted order. */
export type ChoosePage = <T>(list: ListRows<T>) => Promise<ListPage<T>>;

/** The whole list as it is. */
export const wholeList: ChoosePage = async ({ rows }) => ({ rows: [...rows], total: rows.length });
