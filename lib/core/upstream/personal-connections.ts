import { LRUCache } from "lru-cache";
import type { ConnectionStatus } from "../schema/connection-status.ts";
import { createUpstreamConnection, type UpstreamConnection } from "./connection.ts";
import type { ConnectionContext } from "./connection-context.ts";
import type { Upstream } from "./upstreams.ts";

/** Connections of single users to servers to which each user signs in separately. */
interface PersonalConnections {
  /**
   * Returns the connection, which is made if there is none; undefined if users do not sign in to the server separately,
   * or if it is disabled.
   */
  get(server: string, user: string): Upstream | undefined;
  status(server: string, user: string): ConnectionStatus | undefined;
  /** Applies the current configuration. */
  reconcile(): void;
  /** Call when the log level that clients request has changed. */
  logLevelChanged(): void;
  drop(user: string, server?: string): void;
  close(): Promise<void>;
}

interface Kept {
  readonly server: string;
  readonly user: string;
  readonly connection: UpstreamConnection;
  usedAt: number;
}

/**
 * A connection that nobody used for this time is ended; if there are too many, the least recently used is ended. (ms)
 * Running calls and subscriptions count as use.
 */
const IDLE_MS = 600_000;
const SWEEP_MS = 60_000;
const MAX_CONNECTIONS = 200;

export function createPersonalConnections(around: ConnectionContext): PersonalConnections {
  const { config, clock, log } = around;
  const kept = new LRUCache<string, Kept>({
    max: MAX_CONNECTIONS,
    dispose: (one, _key, why) => {
      if (why === "evict") stopBehind(one, "the maximum number of connections was reached");
    },
  });
  const stopBehind = ({ server, connection }: Kept, reason: string) =>
    log.catch(`ending a user's connection to "${server}"`, connection.stop(reason));
  const endBehind = (one: Kept, reason: string) => {
    kept.delete(keyOf(one.server, one.user));
    stopBehind(one, reason);
  };
  const brokered = (name: string) => {
    const server = config.server(name);
    return server?.auth_broker && server.enabled ? server : undefined;
  };
  const stopSweep = clock.every(SWEEP_MS, () => {
    for (const one of [...kept.values()])
      if (one.connection.isInUse()) one.usedAt = clock.now();
      else if (clock.now() - one.usedAt >= IDLE_MS) endBehind(one, "it was not used");
  });
  /** Makes room for one more. Only if all are in use, the least recently used of those is ended. */
  const makeRoom = () => {
    if (kept.size < MAX_CONNECTIONS) return;
    const idle = [...kept.values()].findLast((one) => !one.connection.isInUse());
    if (idle) endBehind(idle, "the maximum number of connections was reached");
  };

  return {
    get(name, user) {
      const server = brokered(name);
      if (!server) return undefined;
      const key = keyOf(name, user);
      let one = kept.get(key);
      if (!one) {
        makeRoom();
        one = { server: name, user, connection: createUpstreamConnection(server, quiet(around, user)), usedAt: 0 };
        one.connection.apply(server);
        kept.set(key, one);
      }
      one.usedAt = clock.now();
      return one.connection;
    },
    status: (name, user) => kept.peek(keyOf(name, user))?.connection.status(),
    reconcile() {
      for (const one of [...kept.values()]) {
        const server = brokered(one.server);
        if (server) one.connection.apply(server);
        else endBehind(one, "its server was removed");
      }
    },
    logLevelChanged() {
      for (const { connection } of kept.values()) connection.logLevelChanged();
    },
    drop(user, server) {
      for (const one of [...kept.values()])
        if (one.user === user && (server === undefined || one.server === server))
          endBehind(one, "its user was removed or disabled");
    },
    async close() {
      stopSweep();
      const all = [...kept.values()];
      kept.clear();
      await Promise.all(all.map(({ connection }) => connection.stop("the proxy stops")));
    },
  };
}

const keyOf = (server: string, user: string) => JSON.stringify([server, user]);

/** Returns the context for one user's connection. Its tools and events are not published. */
function quiet(around: ConnectionContext, owner: string): ConnectionContext {
  return {
    ...around,
    owner,
    catalog: override(around.catalog, {
      acceptListing: async () => ({ total: 0, added: [], changed: [], removed: [] }),
      items: override(around.catalog.items, {
        accept: async () => ({ total: 0, added: [], changed: [], removed: [] }),
      }),
    }),
    events: override(around.events, { publish: () => undefined }),
  };
}

/** Returns an object that inherits from `base` and replaces some members; the compiler checks their names. */
function override<T extends object>(base: T, members: Partial<T>): T {
  return Object.assign(Object.create(base), members);
}
