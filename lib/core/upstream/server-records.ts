import * as v from "valibot";
import { reasonOf } from "../base/fault.ts";
import type { Logger } from "../log/logger.ts";
import type { MetaStore } from "../store/store.ts";

/** One record for each server, kept in the store under one key. */
interface ServerRecords<Item> {
  /** By the server's name; read from the store on first use. A record that the store cannot give is missing. */
  all(): Map<string, Item>;
  /** Writes the records of the servers that are still configured. Never rejects. */
  write(): Promise<void>;
}

/** What the keeper of server records is opened with. */
export interface ServerRecordsOptions {
  /** The store; undefined keeps the records in memory only. */
  meta: Pick<MetaStore, "get" | "set"> | undefined;
  log: Logger;
  /** Whether a server is still configured. */
  isConfigured(server: string): boolean;
}

/**
 * Opens the records under a key. What the store holds beside the schema counts as nothing: the records only save time,
 * so a failure to read or write them is logged for debugging and nothing else.
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
