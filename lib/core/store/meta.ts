import type { DatabaseConnection } from "./database-connection.ts";
import { readableJsonColumn, toJsonColumn } from "./json-column.ts";
import type { DocumentStore, MetaStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

export function createMetaStore(connection: DatabaseConnection, queue: Pick<WriteQueue, "put" | "flush">): MetaStore {
  const meta: MetaStore = {
    get(key) {
      queue.flush();
      const row = connection.read(() => connection.prepare("select value from meta where key = ?").get(key));
      if (!row) return undefined;
      const value = readableJsonColumn(row.value);
      if (value === undefined) throw connection.damaged(`the value of "${key}" cannot be read`);
      return value;
    },
    async set(key, value) {
      const json = toJsonColumn(value);
      await queue.put("now", () => {
        if (json === null) connection.prepare("delete from meta where key = ?").run(key);
        else writeMeta(connection, key, json);
      });
    },
    // Reading and writing are in one turn of the event loop.
    async change(key, edit) {
      const value = edit(meta.get(key));
      if (value !== undefined) await meta.set(key, value);
      return meta.get(key);
    },
  };
  return meta;
}

/** Documents are in the table of the small values. */
export function createDocumentStore(
  { get, set, change }: MetaStore,
  connection: DatabaseConnection,
  queue: Pick<WriteQueue, "flush">,
): DocumentStore {
  return {
    get: async (key) => get(key),
    set,
    change,
    async keys(prefix) {
      queue.flush();
      const select = "select key from meta where substr(key, 1, length(?)) = ?";
      return connection.read(() => connection.prepare(select).all(prefix, prefix)).map(({ key }) => String(key));
    },
  };
}

/** Stores a value; call it within a write. */
export function writeMeta(connection: DatabaseConnection, key: string, json: string) {
  connection.prepare("insert or replace into meta (key, value) values (?, ?)").run(key, json);
}
