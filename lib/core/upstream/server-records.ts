import * as v from "valibot";
import { reasonOf } from "../base/fault.ts";
import type { Logger } from "../log/logger.ts";
import type { MetaStore } from "../store/store.ts";

/** Records of servers, one for each, stored together under one key. */
interface ServerRecords<Item> {
  /** The records by server name, read from the store at first use. Invalid records are ignored. */
  all(): Map<string, Item>;
  /** Writes the records of the servers that are still configured. Never rejects. */
  write(): Promise<void>;
}

/** What all record keepers need. */
export interface ServerRecordsOptions {
  /** The store; undefined: records are kept in memory only. */
  meta: Pick<MetaStore, "get" | "set"> | undefined;
  log: Logger;
  /** True if a server is still configured. */
  isConfigured(server: string): boolean;
}

/**
 * Opens the records under a key. Stored records that do not match the schema are ignored. The records only save time,
 * so a failure to read or write them is only logged at debug level.
 *
 * @param subject the records in the plural, for the log
 */
export function createServerRecords<Item>(
  { meta, log, isConfigured }: ServerRecordsOptions,
  { key, schema, subject }: { key: string; schema: v.GenericSchema<unknown, Item>; subject: string },
): ServerRecords<Item> {
  const records = v.record(v.string(), schema);
  let entries: Map<string, Item> | undefined;

  const all = () => {
    entries ??= new Map(Object.entries(stored()));
    return entries;
  };
  const stored = () => {
    try {
      const { success, output } = v.safeParse(records, meta?.get(key) ?? {});
      return success ? output : {};
    } catch (error) {
      log.debug(`the ${subject} cannot be read: ${reasonOf(error)}`);
      return {};
    }
  };

  return {
    all,
    async write() {
      try {
        await meta?.set(key, Object.fromEntries([...all()].filter(([server]) => isConfigured(server))));
      } catch (error) {
        log.debug(`the ${subject} cannot be written: ${reasonOf(error)}`);
      }
    },
  };
}
