import * as v from "valibot";
import type { ServerConfig } from "../config/config-keys.ts";
import { definitionHash } from "./definition-hash.ts";
import { createServerRecords, type ServerRecordsOptions } from "./server-records.ts";

/**
 * Servers that have asked questions without naming the request. The proxy remembers them over a restart, so that it
 * immediately separates the calls of different users there.
 */
export interface KnownAskers {
  has(server: ServerConfig): boolean;
  add(server: ServerConfig): void;
}

export function createKnownAskers(options: ServerRecordsOptions): KnownAskers {
  const { all, write } = createServerRecords(options, {
    key: "upstream.asking_servers",
    /** Hash of the server's definition. */
    schema: v.string(),
    subject: "servers that ask",
  });
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
