import type { ConnectionStatus } from "../schema/connection-status.ts";
import type { Events } from "../schema/event.ts";
import { createUpstreamConnection, type UpstreamConnection } from "./connection.ts";
import type { ConnectionContext } from "./connection-context.ts";
import type { Upstream } from "./upstreams.ts";

/** Connections of single users to servers that each of them signs in to. */
export interface PersonalConnections {
  /** Made when there is none; undefined for a server that is not meant so, or is disabled. */
  get(server: string, user: string): Upstream | undefined;
  status(server: string, user: string): ConnectionStatus | undefined;
  /** Takes over what the configuration says now. */
  reconcile(): void;
  drop(user: string, server?: string): void;
  close(): Promise<void>;
}

interface Kept {
  readonly server: string;
  readonly user: string;
  readonly connection: UpstreamConnection;
  usedAt: number;
}

/** One that nobody called over for this long is ended, and beyond so many the least recently used. (ms) */
const IDLE_MS = 600_000;
const SWEEP_MS = 60_000;
const MAX_CONNECTIONS = 200;

export function createPersonalConnections(around: ConnectionContext): PersonalConnections {
  const { config, clock, log } = around;
  // In order of use, least recent first.
  const kept = new Map<string, Kept>();
  const end = (key: string, reason: string) => {
    const one = kept.get(key);
    if (!one || !kept.delete(key)) return Promise.resolve();
    return one.connection.stop(reason);
  };
  const endBehind = (key: string, reason: string) =>
    log.catch(`ending a user's connection to "${kept.get(key)?.server}"`, end(key, reason));
  const brokered = (name: string) => {
    const server = config.server(name);
    return server?.auth_broker && server.enabled ? server : undefined;
  };
  const stopSweep = clock.every(SWEEP_MS, () => {
    for (const [key, { usedAt }] of kept) if (clock.now() - usedAt >= IDLE_MS) endBehind(key, "it was not used");
  });

  return {
    get(name, user) {
      const server = brokered(name);
      if (!server) return undefined;
      const key = keyOf(name, user);
      let one = kept.get(key);
      if (!one) {
        if (kept.size >= MAX_CONNECTIONS) endBehind(kept.keys().next().value!, "others need the place");
        one = { server: name, user, connection: createUpstreamConnection(server, quiet(around, user)), usedAt: 0 };
        one.connection.apply(server);
      }
      kept.delete(key);
      kept.set(key, one);
      one.usedAt = clock.now();
      return one.connection;
    },
    status: (name, user) => kept.get(keyOf(name, user))?.connection.status(),
    reconcile() {
      for (const [key, { server: name, connection }] of kept) {
        const server = brokered(name);
        if (server) connection.apply(server);
        else endBehind(key, "its server is not there any more");
      }
    },
    drop(user, server) {
      for (const [key, one] of kept)
        if (one.user === user && (server === undefined || one.server === server)) endBehind(key, "its user left");
    },
    async close() {
      stopSweep();
      await Promise.all([...kept.keys()].map((key) => end(key, "the proxy stops")));
    },
  };
}

const keyOf = (server: string, user: string) => JSON.stringify([server, user]);

/** Neither the catalog nor anybody else learns anything from the connection of one user. */
function quiet(around: ConnectionContext, owner: string): ConnectionContext {
  const accept = async () => ({ total: 0, added: [], changed: [], removed: [] });
  const publish = (kind: keyof Events, ...rest: unknown[]) => void [kind, rest];
  return {
    ...around,
    owner,
    catalog: Object.assign(Object.create(around.catalog), { accept }),
    events: Object.assign(Object.create(around.events), { publish }),
  };
}
