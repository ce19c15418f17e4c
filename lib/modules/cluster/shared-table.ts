import { loopShare } from "../../core/base/loop-share.ts";
import type { Sql, SqlValue } from "./connection.ts";
import { databaseText, textOfDatabase } from "./database-text.ts";

type ColumnType = "text" | "bigint" | "double precision" | "boolean";
type Cell = string | number | boolean | null;
type Cells = Readonly<Record<string, Cell>>;

/**
 * A table whose rows every replica keeps in memory. Besides its columns it has `rev bigint` and `gone boolean`, an index
 * that begins with `rev`, and its key columns are texts and its primary key.
 */
export interface SharedTable<Row> {
  readonly topic: string;
  readonly table: string;
  readonly key: readonly string[];
  /** All columns, those of the key included. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The values of the key columns. */
  keyOf(row: Row): readonly string[];
  toCells(row: Row): Cells;
  fromCells(cells: Cells): Row;
}

/** Rows with their keys; a removed row is undefined. */
export type Changes<Row> = readonly (readonly [key: string, row: Row | undefined])[];

/** One page of the rows after a revision, read from one snapshot. */
interface ChangePage<Row> {
  /** The revision of the topic. */
  readonly rev: number;
  /** Removed rows up to this revision are no longer in the table. */
  readonly horizon: number;
  readonly changes: Changes<Row>;
  /** Where the next page starts; undefined if this one is the last. */
  readonly next: readonly SqlValue[] | undefined;
}

/** The driver parses a page at once, so it stays small. */
const PAGE_ROWS = 500;

/** Returns the key of a row in memory; NUL cannot occur in a column. */
export function rowKey(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : parts.join("\0");
}

/** Reads rows that changed after a revision, in its order, removed ones included. */
export async function readChanges<Row>(
  sql: Sql,
  { topic, table, key, columns, fromCells }: SharedTable<Row>,
  from: { readonly after: number } | { readonly page: readonly SqlValue[] },
): Promise<ChangePage<Row>> {
  const order = ["rev", ...key].join(", ");
  const [condition, values] =
    "after" in from
      ? ["rev > $2", [from.after]]
      : [`(${order}) > (${from.page.map((_, index) => `$${index + 2}`).join(", ")})`, from.page];
  const rows = await sql<Record<string, Cell>>(
    `select r.rev as "topicRev", r.horizon, t.* from revision r left join lateral (
      select ${Object.keys(columns).join(", ")}, rev, gone from ${table} where ${condition} order by ${order} limit ${PAGE_ROWS}
    ) t on true where r.topic = $1`,
    [topic, ...values],
  );
  const [first] = rows;
  const found = rows.filter((row) => row.rev !== null);
  const last = found.length === PAGE_ROWS ? found.at(-1) : undefined;
  return {
    rev: Number(first?.topicRev ?? 0),
    horizon: Number(first?.horizon ?? 0),
    changes: await inSlices(found, (row) => [keyOf(row, key), row.gone ? undefined : fromCells(decoded(row, columns))]),
    next: last && ["rev", ...key].map((column) => last[column]!),
  };
}

/** Reads rows by their keys, and all rows whose first key column has one of the values; removed rows are left out. */
export async function readRows<Row>(
  sql: Sql,
  { table, key, columns, fromCells }: SharedTable<Row>,
  wanted: { readonly keys: readonly (readonly string[])[]; readonly firsts: readonly string[] },
): Promise<Map<string, Row>> {
  const lists = key.map((_, index) => `$${index + 2}::text[]`);
  const rows = await sql<Record<string, Cell>>(
    `select ${Object.keys(columns).join(", ")} from ${table} where not gone and (${key[0]} = any($1::text[])
      or (${key.join(", ")}) in (select * from unnest(${lists.join(", ")})))`,
    [
      wanted.firsts.map(databaseText),
      ...key.map((_, index) => wanted.keys.map((parts) => databaseText(parts[index]!))),
    ],
  );
  return new Map(await inSlices(rows, (row) => [keyOf(row, key), fromCells(decoded(row, columns))] as const));
}

/** Inserts or replaces rows under a revision. Of several rows with one key the last counts. */
export async function putRows<Row>(
  sql: Sql,
  { table, key, columns, toCells }: SharedTable<Row>,
  rows: readonly Row[],
  rev: number,
): Promise<void> {
  const names = Object.keys(columns);
  const all = await inSlices(rows, (row) => encoded(toCells(row)));
  const unique = [...new Map(all.map((cells) => [keyOf(cells, key), cells])).values()];
  if (unique.length === 0) return;
  const lists = names.map((name, index) => `$${index + 2}::${columns[name]}[]`);
  const updates = [...names.filter((name) => !key.includes(name)), "rev", "gone"];
  await sql(
    `insert into ${table} (${names.join(", ")}, rev, gone) select x.*, $1::bigint, false from unnest(${lists.join(", ")}) as x
      on conflict (${key.join(", ")}) do update set ${updates.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    [rev, ...names.map((name) => unique.map((cells) => cells[name] ?? null))],
  );
}

/** Removes rows under a revision. They stay as marks, so that other replicas learn of it. */
export async function removeRows<Row>(
  sql: Sql,
  { table, key }: SharedTable<Row>,
  keys: readonly (readonly string[])[],
  rev: number,
): Promise<void> {
  if (keys.length === 0) return;
  const lists = key.map((_, index) => `$${index + 2}::text[]`);
  await sql(
    `update ${table} set gone = true, rev = $1 where not gone and (${key.join(", ")}) in (select * from unnest(${lists.join(", ")}))`,
    [rev, ...key.map((_, index) => keys.map((parts) => databaseText(parts[index]!)))],
  );
}

/**
 * Deletes the marks of removed rows up to a revision. A replica that knows only an older one reads the whole table.
 * Runs in a transaction.
 */
export async function purgeRemoved(
  sql: Sql,
  { topic, table }: Pick<SharedTable<never>, "topic" | "table">,
  upTo: number,
): Promise<void> {
  await sql("update revision set horizon = greatest(horizon, least($2, rev)) where topic = $1", [topic, upTo]);
  await sql(`delete from ${table} where gone and rev <= $1`, [upTo]);
}

/** Converts many rows without blocking the event loop. */
async function inSlices<A, B>(rows: readonly A[], convert: (row: A) => B): Promise<B[]> {
  const converted: B[] = [];
  const pause = loopShare();
  for (const row of rows) {
    converted.push(convert(row));
    await pause();
  }
  return converted;
}

function keyOf(cells: Cells, key: readonly string[]): string {
  return rowKey(key.map((column) => textOfDatabase(String(cells[column]))));
}

function encoded(cells: Cells): Cells {
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [name, typeof cell === "string" ? databaseText(cell) : cell]),
  );
}

function decoded(row: Cells, columns: Readonly<Record<string, ColumnType>>): Cells {
  return Object.fromEntries(
    Object.keys(columns).map((name) => {
      const cell = row[name] ?? null;
      return [name, typeof cell === "string" ? textOfDatabase(cell) : cell];
    }),
  );
}
