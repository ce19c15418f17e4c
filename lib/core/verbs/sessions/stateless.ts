import { hash } from "node:crypto";
import type { App } from "../../app.ts";
import { TransientMap } from "../../base/transient-map.ts";
import { type SessionOrigin, sessionRecord } from "./record.ts";
import { closeSession, restoreRecord, type TrackedSession } from "./track.ts";

/**
 * Clients of protocol version 2026-07-28, which has no sessions. Requests with the same client name and version, caller
 * and endpoint mode are recorded together like a session.
 */
export interface StatelessClients {
  /**
   * Returns the record that counts the calls of this client. After an idle period or a restart it is the same record.
   */
  of(client: SessionOrigin): TrackedSession;
  /** Closes the records of idle clients. */
  sweep(): void;
  /** Closes all records. */
  close(): void;
}

/** Prefix of the ids of these records; ids of sessions never begin with it. */
const PREFIX = "client-";

/** True if the id is that of a client without sessions. */
export const isStateless = (id: string): boolean => id.startsWith(PREFIX);

/**
 * Makes the records of clients without sessions.
 *
 * @param limits maximum number of clients, and the time after which a client counts as idle (ms)
 */
export function createStatelessClients(
  app: Pick<App, "clock" | "store" | "log" | "part">,
  limits: { readonly max: number; readonly idleMs: number },
): StatelessClients {
  // Least recently used first.
  const live = new TransientMap<string, TrackedSession>();

  const end = (key: string) => {
    const tracked = live.get(key);
    live.delete(key);
    if (tracked) closeSession(app, tracked);
  };

  return {
    of(from) {
      const { mode, caller, client } = from;
      const key = JSON.stringify([caller.tier, caller.name, mode, client.name, client.version]);
      const session = live.get(key);
      if (session) live.delete(key);
      else if (live.size >= limits.max) {
        const [oldest] = live.keys();
        if (oldest !== undefined) end(oldest);
      }
      const tracked = session ?? trackClient(app, key, from);
      live.set(key, tracked);
      return tracked;
    },
    sweep() {
      const oldest = app.clock.now() - limits.idleMs;
      for (const key of live.keys()) if (live.get(key)!.record.last_active_at < oldest) end(key);
    },
    close() {
      for (const key of [...live.keys()]) end(key);
    },
  };
}

/** Makes a record and adds the stored one to it as soon as that is read, because the call does not wait for it. */
function trackClient(app: Pick<App, "clock" | "store" | "log">, key: string, origin: SessionOrigin): TrackedSession {
  const id = `${PREFIX}${hash("sha256", key, "hex").slice(0, 25)}`;
  const session: TrackedSession = { record: sessionRecord(id, app.clock.now(), origin), writtenAt: 0 };
  restoreRecord(app, session);
  return session;
}
