import { toJsonColumn } from "../../../core/store/json-column.ts";
import type { DocumentStore } from "../../../core/store/store.ts";
import { withClaim } from "../claim.ts";
import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import { databaseText, textOfDatabase } from "../database-text.ts";
import { nextRevision } from "../revision.ts";
import type { SerialWork } from "../serial-work.ts";
import type { SharedTable } from "../shared-table.ts";
import type { View } from "../view.ts";

/** The keys of the documents, for a view that says which ones changed; their values are read when they are needed. */
export const documentKeyTable: SharedTable<string> = {
  topic: "documents",
  table: "document",
  key: ["key"],
  columns: { key: "text" },
  keyOf: (key) => [key],
  toCells: (key) => ({ key }),
  fromCells: ({ key }) => String(key),
};

/** Longer than any work that is done exclusively. (ms) */
const CLAIM_MS = 30_000;

export function createSharedDocuments(
  database: Database,
  serial: SerialWork,
  keys: Pick<View<string>, "onRead" | "keys">,
): DocumentStore {
  /** Reads that wait for their turn, and are one query: at the start each server reads its sign-in. */
  let reads: Reads | undefined;
  const beginReads = (): Reads => {
    const names = new Set<string>();
    const values = serial((sql) => {
      if (reads?.names === names) reads = undefined;
      return readAll(sql, [...names]);
    });
    // If the database cannot be reached the work never begins.
    values.catch(() => {
      if (reads?.names === names) reads = undefined;
    });
    return { names, values };
  };
  return {
    async get(key) {
      const name = databaseText(key);
      if (!reads || reads.names.size >= READ_AT_ONCE) reads = beginReads();
      reads.names.add(name);
      return (await reads.values).get(name);
    },
    async set(key, value) {
      // A later read comes after this write.
      reads = undefined;
      await serial((sql) => write(sql, databaseText(key), value));
    },
    async change(key, edit) {
      const name = databaseText(key);
      reads = undefined;
      return await serial(async (sql) => {
        // A row that does not exist cannot be locked, so the name is.
        await sql("select pg_advisory_xact_lock(hashtextextended($1, 0))", [name]);
        const current = await read(sql, name);
        const value = edit(current);
        if (value === undefined) return current;
        await write(sql, name, value);
        return value;
      });
    },
    async keys(prefix) {
      const select = "select key from document where starts_with(key, $1) and not gone";
      const rows = await serial((sql) => sql<{ key: string }>(select, [prefix]));
      return rows.map(({ key }) => textOfDatabase(key));
    },
    shared: {
      exclusively: (key, work, signal) =>
        withClaim(database, { name: `document ${databaseText(key)}`, claimMs: CLAIM_MS, signal }, work),
      onChange: (listener) => keys.onRead((changed) => (changed ?? keys.keys()).forEach(listener)),
    },
  };
}

/** Values can be large. */
const READ_AT_ONCE = 100;

interface Reads {
  readonly names: Set<string>;
  readonly values: Promise<ReadonlyMap<string, unknown>>;
}

async function readAll(sql: Sql, names: readonly string[]): Promise<Map<string, unknown>> {
  const rows = await sql<{ key: string; value: string }>(
    "select key, value from document where key = any($1::text[]) and not gone",
    [names],
  );
  return new Map(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]));
}

const PUT = `insert into document (key, value, rev, gone) values ($1, $2, $3, false)
  on conflict (key) do update set value = excluded.value, rev = excluded.rev, gone = false`;
const REMOVE = "update document set value = '', gone = true, rev = $2 where key = $1 and not gone";

async function read(sql: Sql, name: string): Promise<unknown> {
  return (await readAll(sql, [name])).get(name);
}

async function write(sql: Sql, name: string, value: unknown): Promise<void> {
  const json = toJsonColumn(value);
  const rev = await nextRevision(sql, documentKeyTable.topic);
  if (json === null) await sql(REMOVE, [name, rev]);
  else await sql(PUT, [name, json, rev]);
}
