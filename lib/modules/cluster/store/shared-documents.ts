import { toJsonColumn } from "../../../core/store/json-column.ts";
import type { DocumentStore } from "../../../core/store/store.ts";
import { withClaim } from "../claim.ts";
import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import { databaseText } from "../database-text.ts";
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
  return {
    get: (key) => serial((sql) => read(sql, databaseText(key))),
    async set(key, value) {
      await serial((sql) => write(sql, databaseText(key), value));
    },
    async change(key, edit) {
      const name = databaseText(key);
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
    shared: {
      exclusively: (key, work, signal) =>
        withClaim(database, { name: `document ${databaseText(key)}`, claimMs: CLAIM_MS, signal }, work),
      onChange: (listener) => keys.onRead((changed) => (changed ?? keys.keys()).forEach(listener)),
    },
  };
}

const PUT = `insert into document (key, value, rev, gone) values ($1, $2, $3, false)
  on conflict (key) do update set value = excluded.value, rev = excluded.rev, gone = false`;
const REMOVE = "update document set value = '', gone = true, rev = $2 where key = $1 and not gone";

async function read(sql: Sql, name: string): Promise<unknown> {
  const [row] = await sql<{ value: string }>("select value from document where key = $1 and not gone", [name]);
  return row && (JSON.parse(row.value) as unknown);
}

async function write(sql: Sql, name: string, value: unknown): Promise<void> {
  const json = toJsonColumn(value);
  const rev = await nextRevision(sql, documentKeyTable.topic);
  if (json === null) await sql(REMOVE, [name, rev]);
  else await sql(PUT, [name, json, rev]);
}
