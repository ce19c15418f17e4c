import type { JsonObject } from "../../../core/base/json-object.ts";
import type { DatabaseConnection } from "../../../core/store/database-connection.ts";
import type { Database } from "../database.ts";
import { Fault } from "../faults.ts";
import { configurationTable } from "../store/shared-configuration.ts";
import { createView } from "../view.ts";
import { insertEmbeddedRows, type MovedRow, readEmbeddedRows } from "./embedded-rows.ts";
import { digestOf, type MovedCount, resealedColumns } from "./migrate-directory.ts";
import { MOVED_TABLES, type MovedTable, type Value } from "./moved-tables.ts";
import type { RowDigest } from "./row-digest.ts";
import { readSharedRows } from "./shared-rows.ts";

interface ExportOptions {
  readonly database: Database;
  /** A new embedded database. */
  readonly embedded: DatabaseConnection;
  /** Encrypts a stored sign-in with the key of the data directory. */
  reseal(row: MovedRow): Promise<MovedRow>;
  readonly signal?: AbortSignal;
}

const BATCH_ROWS = 200;
const TIMEOUT_MS = 30_000;

/**
 * Copies everything that replicas share to a new embedded database. The shared database is only read; replicas must
 * not change it meanwhile.
 *
 * @returns the number of rows of each table, and their hash, which was compared; and the shared configuration
 * @throws Fault cluster_migration_differs, cluster_database_away
 */
export async function exportDirectory(
  options: ExportOptions,
): Promise<{ tables: MovedCount[]; configuration: JsonObject | undefined }> {
  const { database, embedded } = options;
  const tables: MovedCount[] = [];
  for (const table of MOVED_TABLES.filter(({ isDerived }) => !isDerived)) {
    const copied = await copyTable(options, table);
    const skipped = resealedColumns(table);
    const stored = await digestOf(table, skipped, async (place) =>
      readEmbeddedRows(embedded, table, place, BATCH_ROWS),
    );
    const text = ({ rows, hash }: RowDigest) => `${rows} rows, ${hash}`;
    if (text(copied) !== text(stored))
      throw new Fault("cluster_migration_differs", { table: table.name, from: text(copied), to: text(stored) });
    tables.push({ table: table.name, ...stored });
  }
  await embedded.sync();
  const view = createView(database, configurationTable);
  await view.update({ whole: true });
  return { tables, configuration: view.all()[0]?.document };
}

async function copyTable({ database, embedded, reseal, signal }: ExportOptions, table: MovedTable): Promise<RowDigest> {
  const read = async (place: readonly Value[] | undefined) => {
    const rows = await database.run((sql) => readSharedRows(sql, table, place, BATCH_ROWS), {
      signal,
      timeoutMs: TIMEOUT_MS,
    });
    insertEmbeddedRows(embedded, table, table.name === "documents" ? await Promise.all(rows.map(reseal)) : rows);
    return rows;
  };
  return await digestOf(table, resealedColumns(table), read);
}
