import { availableParallelism } from "node:os";
import type { Clock } from "../base/clock.ts";
import { createLimiter } from "../base/limiter.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Logger } from "../log/logger.ts";
import type { ServerLogs } from "../log/server-log.ts";
import type { ConnectionStatus } from "../schema/connection-status.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { MetaStore } from "../store/store.ts";
import { createUpstreamConnection, type UpstreamConnection } from "./connection.ts";
import type { ConnectionContext } from "./connection-context.ts";
import type { UpstreamCredentials } from "./credentials.ts";
import { createKnownAskers } from "./known-askers.ts";
import { createKnownVersions } from "./known-versions.ts";
import type { Launcher } from "./launcher.ts";
import { createPersonalConnections } from "./personal-connections.ts";
import type { ProcessPlacement } from "./process-placement.ts";
import { globalConcurrency } from "./settings.ts";
import { createStartSlots } from "./start-slots.ts";
import { createProcessGuard } from "./stdio/process-guard.ts";
import type { WatchdogCommands } from "./stdio/watchdog.ts";
import { createUpstreamLogging } from "./upstream-logging.ts";
import type { Upstreams } from "./upstreams.ts";
import { waitAtMost } from "./wait-at-most.ts";

export interface UpstreamsOptions {
  config: LiveConfig;
  secrets: Secrets;
  /** Sign-in at upstreams; absent if no module provides it. */
  credentials?: UpstreamCredentials | undefined;
  events: EventBus;
  clock: Clock;
  log: Logger;
  serverLogs: ServerLogs;
  catalog: Catalog;
  /** Starts servers with a command. */
  launcher: Launcher;
  /** Shares processes with other replicas; absent if there are none. */
  placement?: ProcessPlacement | undefined;
  dataDir: string;
  /** Where the protocol version of each server is stored; absent: in memory only. */
  meta?: Pick<MetaStore, "get" | "set"> | undefined;
  version: string;
  /** The environment from which child processes may inherit; by default that of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** How to start a watchdog. Without one, child processes survive a proxy that is killed. */
  watchdogs?: WatchdogCommands | undefined;
  /** If true, a server is connected when it is first used, not when it is configured. */
  connectsOnUse?: boolean;
  /** Returns the URL of the page on which a user signs in to a server. */
  userSignInPage?: () => string;
  /** Returns a number from 0 to 1, for the jitter of retries. */
  random?: () => number;
}

/** Number of commands that may start at the same time on the smallest machine. */
const MIN_TURNS = 4;

/** True if a new value of a secret may be what the server needs to connect. */
const wantsSecret = (status: ConnectionStatus) => status.missingSecret !== undefined || status.authRequired === true;

/** Maximum time that `close` takes. (ms) */
const CLOSE_MS = 10_000;

/**
 * Makes the connections to upstreams. No server is contacted before `start()`. Afterwards, `reconcile()` must be called
 * after each change of the configuration.
 */
export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { config, events, clock, dataDir, meta } = options;
  const log = options.log.tagged("upstream");
  const guard = createProcessGuard({ dataDir, watchdogs: options.watchdogs, log });
  options.launcher.onEngine(({ place, run }) => guard.trackContainers(place, run));
  options.placement?.onLease((lease) => guard.extend(lease));
  const isConfigured = (server: string) => config.server(server) !== undefined;
  const around: ConnectionContext = {
    ...options,
    log,
    guard,
    versions: createKnownVersions({ meta, clock, log, isConfigured }),
    askers: createKnownAskers({ meta, log, isConfigured }),
    client: { name: "proxy", version: options.version },
    global: { limiter: createLimiter({ scope: "global" }, clock), concurrency: globalConcurrency(config.current()) },
    startSlots: createStartSlots(clock, Math.max(MIN_TURNS, 2 * availableParallelism())),
    env: options.env ?? process.env,
    random: options.random ?? Math.random,
    connectsOnUse: options.connectsOnUse ?? false,
    logging: createUpstreamLogging(() => {
      for (const connection of connections.values()) connection.logLevelChanged();
      personal.logLevelChanged();
    }),
  };
  const connections = new Map<string, UpstreamConnection>();
  const personal = createPersonalConnections(around);
  let stopEvents: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  const remove = async (name: string, connection: UpstreamConnection) => {
    await connection.stop("it was removed");
    // The server may have been added again meanwhile.
    if (!connections.has(name)) await options.launcher.forget(name);
  };
  const reconcile = () => {
    if (closing || !stopEvents) return;
    const current = config.current();
    around.global.concurrency = globalConcurrency(current);
    around.global.limiter.set(around.global.concurrency);
    const names = new Set(current.mcpServers.map((server) => server.name));
    for (const [name, connection] of connections) {
      if (names.has(name)) continue;
      connections.delete(name);
      log.catch(`removing "${name}"`, remove(name, connection));
    }
    for (const server of current.mcpServers) {
      const known = connections.get(server.name);
      const connection = known ?? createUpstreamConnection(server, around);
      if (!known) connections.set(server.name, connection);
      connection.apply(server);
    }
    personal.reconcile();
  };
  const followCredentials = () =>
    events.subscribe(["secrets.changed", "servers.changed"], (event) => {
      if (event.kind === "secrets.changed") {
        for (const connection of connections.values())
          if (wantsSecret(connection.status())) connection.retry("a secret changed");
      } else if (event.data.reason === "sign_in_changed") {
        // A sign-in at another replica. While one is being finished here, its state is still "pending".
        const { server = "" } = event.data;
        const connection = connections.get(server);
        const { state, authRequired } = connection?.status() ?? {};
        if (authRequired && state !== "Ready" && options.credentials?.status(server).state === "signed_in")
          connection?.retry("a user signed in");
      }
    });
  const end = async () => {
    stopEvents?.();
    const all = [...connections.values()].map((connection) => connection.stop("the proxy stops"));
    await waitAtMost(clock, CLOSE_MS, Promise.all([...all, personal.close()]));
    await around.versions.close();
    await guard.close();
  };

  return {
    get: (server) => connections.get(server),
    forUser: (server, user) => (closing || !stopEvents ? undefined : personal.get(server, user)),
    userStatus: (server, user) => personal.status(server, user),
    dropUser: (user, server) => personal.drop(user, server),
    logging: around.logging,
    reconcile,
    start() {
      if (stopEvents) return;
      stopEvents = followCredentials();
      log.catch("ending processes of an earlier run", guard.sweep());
      log.catch("removing containers of an earlier run", options.launcher.sweep());
      reconcile();
    },
    retry(reason) {
      for (const connection of connections.values()) connection.retry(reason);
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}
