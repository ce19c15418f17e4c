import type { DatabaseConnection } from "../../../core/store/database-connection.ts";
import type { MovedTable, Value } from "./moved-tables.ts";

export type MovedRow = Readonly<Record<string, Value>>;

/** Reads the rows of the embedded database after a place, in the order of the key. */
export function readEmbeddedRows(
  connection: DatabaseConnection,
  { columns, key, embedded }: MovedTable,
  after: readonly Value[] | undefined,
  limit: number,
): MovedRow[] {
  const names = Object.keys(columns);
  const order = key.join(", ");
  const beyond = after ? `where (${order}) > (${key.map(() => "?").join(", ")})` : "";
  const sql = `select ${names.map(quoted).join(", ")} from ${embedded} ${beyond} order by ${order} limit ${limit}`;
  const rows = connection.read(() => connection.prepare(sql).all(...((after ?? []) as (string | number)[])));
  return rows.map((row) =>
    Object.fromEntries(
      names.map((name) => {
        const value = row[name] as string | number | null;
        return [name, columns[name] === "boolean" && value !== null ? value !== 0 : value];
      }),
    ),
  );
}

/** Inserts rows into the embedded database, in one transaction. */
export function insertEmbeddedRows(connection: DatabaseConnection, table: MovedTable, rows: readonly MovedRow[]): void {
  const names = Object.keys(table.columns);
  const statements = table.insert ?? [
    `insert into ${table.embedded} (${names.map(quoted).join(", ")}) values (${names.map((name) => `:${name}`).join(", ")})`,
  ];
  connection.write(() => {
    for (const row of rows)
      for (const sql of statements) {
        const used = names.filter((name) => new RegExp(`:${name}\\b`).test(sql));
        const inputs = used.map((name) => [name, typeof row[name] === "boolean" ? Number(row[name]) : row[name]!]);
        connection.prepare(sql).run(Object.fromEntries(inputs));
      }
  });
}

/** Some names are words of the language. */
const quoted = (name: string) => `"${name}"`;
