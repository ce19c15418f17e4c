import * as v from "valibot";
import type { Clock } from "../base/clock.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import { definitionHash } from "./definition-hash.ts";
import type { Negotiated } from "./negotiate-version.ts";
import { createServerRecords, type ServerRecordsOptions } from "./server-records.ts";

/** In which protocol version each server was last spoken to, so that it is not found out anew at every connection. */
export interface KnownVersions {
  /** Undefined when nothing is known of a server with this definition, or no longer. */
  get(server: ServerConfig): Family | undefined;
  /** Takes over how a conversation was opened. */
  learn(server: ServerConfig, negotiated: Pick<Negotiated, "handshake" | "remember">): void;
  /** Notes that a server speaks 2026-07-28, before a conversation is open. */
  learnModern(server: ServerConfig): void;
  forget(server: string): void;
  /** Writes what is unwritten. Never rejects. */
  close(): Promise<void>;
}

/** The first part of a protocol version, as the eras are named. */
type Family = "2025" | "2026";

interface KnownVersionsOptions extends ServerRecordsOptions {
  clock: Clock;
}

const Entry = v.object({
  family: v.picklist(["2025", "2026"]),
  /** Hash of what is started or reached. */
  definition: v.string(),
  /** What the server calls its own version. */
  serverVersion: v.string(),
  expiresAt: v.number(),
});
type Entry = v.InferOutput<typeof Entry>;

const REMEMBER_MS = { week: 7 * 86_400_000, hour: 3_600_000, no: 0 };
/** Hundreds of servers connect at the same time; they are written together. (ms) */
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
      // What is confirmed by itself is checked by a probe once a week all the same.
      if (known?.family === family && known.serverVersion === serverVersion) return;
      // Another version of the server may speak another one of the protocol, which only a probe finds out.
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
