import type { Sql, SqlValue } from "../connection.ts";
import { databaseText, textOfDatabase } from "../database-text.ts";
import { nextRevision } from "../revision.ts";
import type { MovedRow } from "./embedded-rows.ts";
import type { MovedTable, Value } from "./moved-tables.ts";

/** Reads the rows of the shared database after a place, in the order of the key. */
export async function readSharedRows(
  sql: Sql,
  { columns, key, shared }: MovedTable,
  after: readonly Value[] | undefined,
  limit: number,
): Promise<MovedRow[]> {
  const names = Object.keys(columns);
  const order = key.map(quoted).join(", ");
  const conditions = [
    ...(shared.topic === undefined ? [] : ["not gone"]),
    ...(after ? [`(${order}) > (${after.map((_, index) => `$${index + 1}`).join(", ")})`] : []),
  ];
  const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
  const rows = await sql<Record<string, Value>>(
    `select ${names.map(quoted).join(", ")} from ${shared.table} ${where} order by ${order} limit ${limit}`,
    (after ?? []).map(encoded),
  );
  return rows.map((row) =>
    Object.fromEntries(
      names.map((name) => {
        const value = row[name] ?? null;
        return [name, typeof value === "string" ? textOfDatabase(value) : value];
      }),
    ),
  );
}

/** Inserts or replaces rows in the shared database; runs in a transaction. */
export async function putSharedRows(sql: Sql, table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
  const { columns, key, shared } = table;
  if (rows.length === 0) return;
  const rev = shared.topic === undefined ? undefined : await nextRevision(sql, shared.topic);
  const further = rows.map((row) => shared.further?.(row) ?? {});
  const added = Object.keys(further[0]!);
  const names = [...Object.keys(columns), ...added];
  const types = [
    ...Object.values(columns),
    ...added.map((name) => (typeof further[0]![name] === "boolean" ? "boolean" : "text")),
  ];
  const lists: SqlValue[] = names.map((name) =>
    rows.map((row, index) => encoded(row[name] ?? further[index]![name] ?? null)),
  );
  const fixed = rev === undefined ? [] : ["rev", "gone"];
  const all = [...names, ...fixed].map(quoted);
  const updates = all.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  await sql(
    `insert into ${shared.table} (${all.join(", ")})
      select x.*${rev === undefined ? "" : `, ${rev}::bigint, false`}
      from unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(", ")}) as x
      on conflict (${key.join(", ")}) do update set ${updates.join(", ")}`,
    lists,
  );
}

function encoded(value: Value): Value {
  return typeof value === "string" ? databaseText(value) : value;
}

/** Some names are words of the language. */
const quoted = (name: string) => `"${name}"`;
