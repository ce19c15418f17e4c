import type { Connection } from "./connection.ts";
import { readableJson, toJson } from "./json.ts";
import type { Queue } from "./queue.ts";
import type { MetaStore } from "./store.ts";

export function createMeta(connection: Connection, queue: Pick<Queue, "put" | "flush">): MetaStore {
  return {
    get(key) {
      queue.flush();
      const row = connection.read(() => connection.prepare("select value from meta where key = ?").get(key));
      if (!row) return undefined;
      const value = readableJson(row.value);
      if (value === undefined) throw connection.damaged(`the value of "${key}" cannot be read`);
      return value;
    },
    async set(key, value) {
      const json = toJson(value);
      await queue.put("now", () => {
        if (json === null) connection.prepare("delete from meta where key = ?").run(key);
        else writeMeta(connection, key, json);
      });
    },
  };
}

/** To be called within a write. */
export function writeMeta(connection: Connection, key: string, json: string) {
  connection.prepare("insert or replace into meta (key, value) values (?, ?)").run(key, json);
}
