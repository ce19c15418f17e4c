import type { JsonObject } from "../../../core/base/json-object.ts";
import { loopShare } from "../../../core/base/loop-share.ts";
import { sharedPart } from "../../../core/config/shared-part.ts";
import type { DatabaseConnection } from "../../../core/store/database-connection.ts";
import type { Database } from "../database.ts";
import { Fault } from "../faults.ts";
import { makeActivityDay } from "../store/make-activity-days.ts";
import { configurationTable, createSharedConfiguration } from "../store/shared-configuration.ts";
import { createView } from "../view.ts";
import { type MovedRow, readEmbeddedRows } from "./embedded-rows.ts";
import { beginMigration, endMigration, placeOf, putPlace } from "./migration-progress.ts";
import { MOVED_TABLES, type MovedTable, type Value } from "./moved-tables.ts";
import { createRowDigester, type RowDigest } from "./row-digest.ts";
import { putSharedRows, readSharedRows } from "./shared-rows.ts";

/** A table whose rows are equal in both databases. */
export interface MovedCount extends RowDigest {
  readonly table: string;
}

interface MigrateOptions {
  /** The database of the data directory, which no proxy uses. */
  readonly embedded: DatabaseConnection;
  /** The shared database, with its tables. */
  readonly database: Database;
  /** The configuration of the proxy. */
  readonly document: JsonObject;
  /** Encrypts a stored sign-in with the key of the cluster. */
  reseal(row: MovedRow): Promise<MovedRow>;
  readonly signal?: AbortSignal;
  /** Called after each batch with the number of rows that were copied so far. */
  onProgress?(table: string, rows: number): void;
}

const BATCH_ROWS = 200;
const DAY_MS = 86_400_000;
/** Older days are kept without a partition of their own. */
const MAX_DAYS = 400;
const TIMEOUT_MS = 30_000;

/**
 * Copies everything that replicas share from an embedded database to a shared one, which is empty. If it is interrupted,
 * the next call continues. The embedded database is only read.
 *
 * @returns the number of rows of each table, and their hash, which was compared
 * @throws Fault cluster_not_empty, cluster_migration_differs, cluster_database_away
 */
export async function migrateDirectory(options: MigrateOptions): Promise<MovedCount[]> {
  const { database, embedded, document } = options;
  await beginMigration(database);
  await makePastDays(database, embedded);
  const counts: MovedCount[] = [];
  for (const table of MOVED_TABLES) {
    await copyTable(options, table);
    counts.push({ table: table.name, ...(await requireEqual(options, table)) });
  }
  const view = createView(database, configurationTable);
  await view.update({ whole: true });
  const configuration = createSharedConfiguration(database, { view });
  if (!configuration.current()) await configuration.replace(sharedPart(document), 0, "proxy cluster migrate");
  await endMigration(database);
  return counts;
}

/** Sign-ins are encrypted with another key afterwards, so their texts differ. */
export const resealedColumns = ({ name }: MovedTable): readonly string[] => (name === "documents" ? ["value"] : []);

async function copyTable({ embedded, database, reseal, signal, onProgress }: MigrateOptions, table: MovedTable) {
  let copied = 0;
  for (let place = await placeOf(database, table.name); ; ) {
    signal?.throwIfAborted();
    const found = readEmbeddedRows(embedded, table, place, BATCH_ROWS);
    if (found.length === 0) return;
    const rows = table.name === "documents" ? await Promise.all(found.map(reseal)) : found;
    const last = placeIn(table, found.at(-1)!);
    await database.transact(
      async (sql) => {
        await putSharedRows(sql, table, rows);
        await putPlace(sql, table.name, last);
      },
      { signal, timeoutMs: TIMEOUT_MS },
    );
    place = last;
    copied += found.length;
    onProgress?.(table.name, copied);
  }
}

/** Compares what both databases contain. @throws Fault cluster_migration_differs */
async function requireEqual({ embedded, database, signal }: MigrateOptions, table: MovedTable): Promise<RowDigest> {
  const skipped = resealedColumns(table);
  const from = await digestOf(table, skipped, async (place) => readEmbeddedRows(embedded, table, place, BATCH_ROWS));
  const to = await digestOf(table, skipped, (place) =>
    database.run((sql) => readSharedRows(sql, table, place, BATCH_ROWS), { signal, timeoutMs: TIMEOUT_MS }),
  );
  const text = ({ rows, hash }: RowDigest) => `${rows} rows, ${hash}`;
  if (text(from) !== text(to))
    throw new Fault("cluster_migration_differs", { table: table.name, from: text(from), to: text(to) });
  return to;
}

/** Reads a whole table in batches. */
export async function digestOf(
  table: MovedTable,
  skipped: readonly string[],
  read: (place: readonly Value[] | undefined) => Promise<readonly MovedRow[]>,
): Promise<RowDigest> {
  const digester = createRowDigester(table, skipped);
  const pause = loopShare();
  for (let place: readonly Value[] | undefined; ; ) {
    const rows = await read(place);
    for (const row of rows) {
      digester.add(row);
      await pause();
    }
    const last = rows.at(-1);
    if (!last) return digester.digest();
    place = placeIn(table, last);
  }
}

const placeIn = ({ key }: MovedTable, row: MovedRow): readonly Value[] => key.map((name) => row[name]!);

/** Makes a partition for each past day with records, so that they can be dropped as a whole later. */
async function makePastDays(database: Database, embedded: DatabaseConnection): Promise<void> {
  const days = embedded.read(() =>
    embedded
      .prepare(
        `select distinct cast(at / ${DAY_MS} as integer) as day from activity order by day desc limit ${MAX_DAYS}`,
      )
      .all(),
  );
  for (const { day } of days) if (Number(day) > 0) await makeActivityDay(database, Number(day));
}
