import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import { Fault } from "../faults.ts";
import type { Value } from "./moved-tables.ts";

/** The row that is there from the beginning of a migration, and done at its end. */
const WHOLE = "everything";

/** Checks that no data was moved here only in part. @throws Fault cluster_migration_unfinished */
export async function requireWholeMigration(database: Database): Promise<void> {
  const rows = await database.run((sql) => sql("select name from migration where name = $1 and not done", [WHOLE]));
  if (rows.length > 0) throw new Fault("cluster_migration_unfinished");
}

/** Begins or continues a migration. @throws Fault cluster_not_empty if the database was used otherwise */
export async function beginMigration(database: Database): Promise<void> {
  await database.transact(async (sql) => {
    const [begun] = await sql<{ done: boolean }>("select done from migration where name = $1", [WHOLE]);
    if (begun && !begun.done) return;
    const [used] = await sql<{ used: boolean }>(
      "select exists (select from revision where rev > 0) or exists (select from activity) as used",
    );
    if (begun || used!.used) throw new Fault("cluster_not_empty", { database: database.target.database });
    await sql("insert into migration (name, done) values ($1, false)", [WHOLE]);
  });
}

export async function endMigration(database: Database): Promise<void> {
  await database.run((sql) => sql("update migration set done = true where name = $1", [WHOLE]));
}

/** Returns the key of the last row that was copied; undefined if none was. */
export async function placeOf(database: Database, table: string): Promise<readonly Value[] | undefined> {
  const [row] = await database.run((sql) =>
    sql<{ place: string | null }>("select place from migration where name = $1", [table]),
  );
  return row?.place ? (JSON.parse(row.place) as Value[]) : undefined;
}

/** Records the place within the transaction that copies the rows up to it. */
export async function putPlace(sql: Sql, table: string, place: readonly Value[]): Promise<void> {
  await sql(
    `insert into migration (name, place, done) values ($1, $2, true)
      on conflict (name) do update set place = excluded.place`,
    [table, JSON.stringify(place)],
  );
}
