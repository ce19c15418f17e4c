import * as v from "valibot";
import type { Clock } from "../base/clock.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import { definitionHash } from "./definition-hash.ts";
import type { Negotiated } from "./negotiate-version.ts";
import { createServerRecords, type ServerRecordsOptions } from "./server-records.ts";

/** The protocol family that each server used last, so that it need not be determined at every connection. */
export interface KnownVersions {
  /** Returns the family; undefined if none is known for this definition, or if it has expired. */
  get(server: ServerConfig): Family | undefined;
  /** Records how a conversation was opened. */
  learn(server: ServerConfig, negotiated: Pick<Negotiated, "handshake" | "remember">): void;
  /** Records that a server supports 2026-07-28, before a conversation is open. */
  learnModern(server: ServerConfig): void;
  forget(server: string): void;
  /** Writes pending changes. Never rejects. */
  close(): Promise<void>;
}

/** Protocol families, named by the year of their last version. */
type Family = "2025" | "2026";

interface KnownVersionsOptions extends ServerRecordsOptions {
  clock: Clock;
}

const Entry = v.object({
  family: v.picklist(["2025", "2026"]),
  /** Hash of the server's definition. */
  definition: v.string(),
  /** The version of the server's software, as the server states it. */
  serverVersion: v.string(),
  expiresAt: v.number(),
});
type Entry = v.InferOutput<typeof Entry>;

const REMEMBER_MS = { week: 7 * 86_400_000, hour: 3_600_000, no: 0 };
/** Changes are collected for this time, because hundreds of servers may connect at once. (ms) */
const WRITE_AFTER_MS = 1000;

export function createKnownVersions({ clock, ...options }: KnownVersionsOptions): KnownVersions {
  const { all, write } = createServerRecords(options, {
    key: "upstream.protocol_versions",
    schema: Entry,
    subject: "protocol versions of servers",
  });
  let cancelWrite: (() => void) | undefined;

  const set = (server: string, entry: Entry | undefined) => {
    if (entry) all().set(server, entry);
    else if (!all().delete(server)) return;
    cancelWrite ??= clock.after(WRITE_AFTER_MS, () => {
      cancelWrite = undefined;
      void write();
    });
  };
  const find = (server: ServerConfig): Entry | undefined => {
    const entry = all().get(server.name);
    return entry && entry.definition === definitionHash(server) && entry.expiresAt > clock.now() ? entry : undefined;
  };

  return {
    get: (server) => find(server)?.family,
    learn(server, { handshake, remember }) {
      const { name: family } = handshake.family;
      const serverVersion = handshake.serverInfo?.version ?? "";
      const known = find(server);
      // The expiry is not extended when the same result is found again, so that a probe is made at least once a week.
      if (known?.family === family && known.serverVersion === serverVersion) return;
      // Another version of the server may support another version of the protocol, which only a probe shows.
      const isStale = known?.family === "2025" && family === "2025";
      const ms = isStale ? 0 : REMEMBER_MS[remember];
      if (ms === 0) set(server.name, undefined);
      else set(server.name, { family, definition: definitionHash(server), serverVersion, expiresAt: clock.now() + ms });
    },
    learnModern(server) {
      const expiresAt = clock.now() + REMEMBER_MS.week;
      set(server.name, { family: "2026", definition: definitionHash(server), serverVersion: "", expiresAt });
    },
    forget: (server) => set(server, undefined),
    async close() {
      if (!cancelWrite) return;
      cancelWrite();
      cancelWrite = undefined;
      await write();
    },
  };
}
