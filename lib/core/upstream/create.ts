import { availableParallelism } from "node:os";
import type { Clock } from "../base/clock.ts";
import { createLimiter } from "../base/limiter.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { LiveConfig } from "../config/live.ts";
import type { Bus } from "../events/bus.ts";
import type { Logger } from "../log/log.ts";
import type { ServerLogs } from "../log/server-file.ts";
import type { ConnectionStatus } from "../schema/server.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { atMost } from "./at-most.ts";
import { type Connection, createConnection } from "./connection.ts";
import type { UpstreamCredentials } from "./credentials.ts";
import { createGuard } from "./guard.ts";
import type { Launcher } from "./launcher.ts";
import { createPersonal } from "./personal.ts";
import { globalPlaces } from "./settings.ts";
import type { Surroundings } from "./surroundings.ts";
import { createTurns } from "./turns.ts";
import type { Upstreams } from "./upstreams.ts";

export interface UpstreamsOptions {
  config: LiveConfig;
  secrets: Secrets;
  /** Sign-in at upstreams; absent where it is switched off. */
  credentials?: UpstreamCredentials | undefined;
  events: Bus;
  clock: Clock;
  log: Logger;
  serverLogs: ServerLogs;
  catalog: Catalog;
  /** Starts servers with a command. */
  launcher: Launcher;
  dataDir: string;
  version: string;
  /** What child processes may inherit from. Default: that of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Starts the watchdog (`watchdog.ts`); without it child processes outlive a proxy that is killed. */
  watchdogCommand?: readonly string[] | undefined;
  /** Connects to a server when it is first used, not when it is configured. */
  onUse?: boolean;
  /** 0 to 1, for the jitter of retries. */
  random?: () => number;
}

/** Commands that may start at once on the smallest machine. */
const MIN_TURNS = 4;

/** Whether a new value of a secret may be what it waits for. */
const wantsSecret = (status: ConnectionStatus) => status.missingSecret !== undefined || status.authRequired === true;

/** How long `close` takes at most. (ms) */
const CLOSE_MS = 10_000;

/**
 * The live connections. Nothing is connected to before `start()`; after that, whoever follows the configuration calls
 * `reconcile()` on each change.
 */
export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { config, events, clock, dataDir } = options;
  const log = options.log.tagged("upstream");
  const guard = createGuard({ dataDir, watchdogCommand: options.watchdogCommand, log });
  options.launcher.onEngine(({ place, run }) => guard.contain(place, run));
  const around: Surroundings = {
    ...options,
    log,
    guard,
    client: { name: "proxy", version: options.version },
    global: { limiter: createLimiter({ scope: "global" }, clock), places: globalPlaces(config.current()) },
    turns: createTurns(clock, Math.max(MIN_TURNS, 2 * availableParallelism())),
    env: options.env ?? process.env,
    random: options.random ?? Math.random,
    onUse: options.onUse ?? false,
  };
  const connections = new Map<string, Connection>();
  const personal = createPersonal(around);
  let stopEvents: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  const remove = async (name: string, connection: Connection) => {
    await connection.stop("it was removed");
    // It may have been added again meanwhile.
    if (!connections.has(name)) await options.launcher.forget(name);
  };
  const reconcile = () => {
    if (closing || !stopEvents) return;
    const current = config.current();
    around.global.places = globalPlaces(current);
    around.global.limiter.set(around.global.places);
    const names = new Set(current.mcpServers.map((server) => server.name));
    for (const [name, connection] of connections) {
      if (names.has(name)) continue;
      connections.delete(name);
      log.catch(`removing "${name}"`, remove(name, connection));
    }
    for (const server of current.mcpServers) {
      const known = connections.get(server.name);
      const connection = known ?? createConnection(server, around);
      if (!known) connections.set(server.name, connection);
      connection.apply(server);
    }
    personal.follow();
  };
  const followSecrets = () =>
    events.subscribe((event) => {
      if (event.kind !== "secrets.changed") return;
      for (const connection of connections.values())
        if (wantsSecret(connection.status())) connection.retry("a secret changed");
    });
  const end = async () => {
    stopEvents?.();
    const all = [...connections.values()].map((connection) => connection.stop("the proxy stops"));
    await atMost(clock, CLOSE_MS, Promise.all([...all, personal.close()]));
    await guard.close();
  };

  return {
    get: (server) => connections.get(server),
    all: () => connections.values(),
    forUser: (server, user) => (closing || !stopEvents ? undefined : personal.get(server, user)),
    ofUser: (server, user) => personal.status(server, user),
    dropUser: (user, server) => personal.drop(user, server),
    reconcile,
    start() {
      if (stopEvents) return;
      stopEvents = followSecrets();
      log.catch("ending what an earlier run left behind", guard.sweep());
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
