import * as v from "valibot";
import { reasonOf } from "../base/fault.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import type { Logger } from "../log/logger.ts";
import type { MetaStore } from "../store/store.ts";
import { definitionHash } from "./definition-hash.ts";

/** Servers that asked questions which name no request, so that after a restart their calls are kept apart at once. */
export interface KnownAskers {
  has(server: ServerConfig): boolean;
  add(server: ServerConfig): void;
}

interface KnownAskersOptions {
  /** Where it outlives the program; in memory alone where there is none. */
  meta: Pick<MetaStore, "get" | "set"> | undefined;
  log: Logger;
  /** Whether a server still is configured; others are not written. */
  isConfigured(server: string): boolean;
}

/** Hash of the definition by the server's name. */
const Entries = v.record(v.string(), v.string());

const KEY = "upstream.asking_servers";

export function createKnownAskers({ meta, log, isConfigured }: KnownAskersOptions): KnownAskers {
  let entries: Map<string, string> | undefined;

  const all = () => {
    entries ??= new Map(Object.entries(stored()));
    return entries;
  };
  const stored = () => {
    try {
      const { success, output } = v.safeParse(Entries, meta?.get(KEY) ?? {});
      return success ? output : {};
    } catch (error) {
      log.debug(`the servers that ask cannot be read: ${reasonOf(error)}`);
      return {};
    }
  };
  const write = async () => {
    try {
      await meta?.set(KEY, Object.fromEntries([...all()].filter(([server]) => isConfigured(server))));
    } catch (error) {
      log.debug(`the servers that ask cannot be written: ${reasonOf(error)}`);
    }
  };

  return {
    has: (server) => all().get(server.name) === definitionHash(server),
    add(server) {
      const hash = definitionHash(server);
      if (all().get(server.name) === hash) return;
      all().set(server.name, hash);
      void write();
    },
  };
}
