import { join } from "node:path";
import type { Writable } from "node:stream";
import { eventStreams } from "./core/api/event-stream/open-event-stream.ts";
import type { App, Boot, Browser, Part } from "./core/app.ts";
import { type Clock, offsetClock, systemClock } from "./core/base/clock.ts";
import { createEgress } from "./core/base/egress/create-egress.ts";
import { Fault, reasonOf } from "./core/base/fault.ts";
import { isCi } from "./core/base/is-ci.ts";
import { machineOf } from "./core/base/machine.ts";
import { logFolder, ownFolder, type Worker } from "./core/base/worker.ts";
import { createCatalog } from "./core/catalog/create-catalog.ts";
import type { Config } from "./core/config/config-keys.ts";
import { environmentSwitch } from "./core/config/env-overrides.ts";
import type { LiveConfig } from "./core/config/live-config.ts";
import { openConfig } from "./core/config/open-config.ts";
import { dataFolder } from "./core/config/paths.ts";
import { createEventBus } from "./core/events/event-bus.ts";
import { auditTrail } from "./core/extension/audit-trail.ts";
import { doctorChecks } from "./core/extension/doctor-checks.ts";
import { launcher } from "./core/extension/launcher.ts";
import { openSelectedStore } from "./core/extension/open-selected-store.ts";
import { policyFacts } from "./core/extension/policy-facts.ts";
import { processPlacement } from "./core/extension/process-placement.ts";
import { toolInspector } from "./core/extension/tool-inspector.ts";
import { traffic } from "./core/extension/traffic.ts";
import { upstreamCredentials } from "./core/extension/upstream-credentials.ts";
import { userConnections } from "./core/extension/user-connections.ts";
import { createLog, type ProgramLog } from "./core/log/create-log.ts";
import { createServerLogs } from "./core/log/create-server-logs.ts";
import { logFile } from "./core/log/log-file.ts";
import { keyringService, osKeyring } from "./core/secrets/keyring.ts";
import { scrubLine } from "./core/secrets/mask/lines.ts";
import { openSecrets, type SecretsOptions } from "./core/secrets/open-secrets.ts";
import { evidenceProblem } from "./core/store/database-identity.ts";
import { createUpstreams } from "./core/upstream/create-upstreams.ts";
import type { WatchdogCommands } from "./core/upstream/stdio/watchdog.ts";
import { startRetention } from "./core/verbs/activity/retention.ts";
import { reactToConfigChanges } from "./core/verbs/servers/react-to-config.ts";
import { trackServersAtStart } from "./core/verbs/servers/track.ts";
import { modules } from "./modules/modules.gen.ts";

export interface AppOptions {
  version: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Path of the configuration file (`--config`). */
  configPath?: string | undefined;
  /** Create the file at `configPath` (`--init`). */
  initConfig?: boolean | undefined;
  /** The data directory (`--data-dir`). */
  dataDir?: string | undefined;
  /** The flags of the command line, as a part of the configuration. */
  flags?: Readonly<Record<string, unknown>> | undefined;
  /** Whether to connect to the configured servers at the start (default), on first use, or not at all. */
  connect?: boolean | "on use" | undefined;
  /** Commands that start a watchdog over child processes; without them there is none. */
  watchdogs?: WatchdogCommands | undefined;
  /** The command line that starts this program. */
  self?: readonly string[] | undefined;
  clock?: Clock | undefined;
  /** Stream for the log; by default standard error. */
  logTo?: Writable | undefined;
  /** Set if this process is one of several workers. */
  worker?: Worker | undefined;
  /** Whether MCP uses standard output. */
  stdio?: boolean | undefined;
  /** Standard output for audit lines, if neither MCP nor a command uses it. */
  auditTo?: Writable | undefined;
  /** Called if the program must end, because it can no longer work with its database. */
  onFatal?: ((error: Error) => void) | undefined;
  /** Replaces the operating system's keyring. */
  keyring?: SecretsOptions["keyring"] | undefined;
  /** Replaces this machine's browser. */
  browser?: Browser | undefined;
}

type OpenApp = App & {
  /** Closes connections, ends child processes, writes pending data and releases the data directory. */
  close(): Promise<void>;
};

/**
 * Opens everything that the program needs, in order; if a part fails, the parts before it are closed again.
 *
 * @throws Fault config_invalid, config_unwritable, database_locked and the other faults of its parts
 */
export async function createApp(options: AppOptions): Promise<OpenApp> {
  const automatic = options.connect !== false;
  // Replicas go by one clock, which is known when the store is open.
  let clockOffsetMs = () => 0;
  const clock = offsetClock(options.clock ?? systemClock, () => clockOffsetMs());
  const { version, env, configPath: path, initConfig: init, dataDir, flags } = options;
  const log = createLog({ level: "info", scrub: scrubLine, out: options.logTo, clock });
  const closers: (() => unknown)[] = [() => log.close()];
  const close = async () => {
    for (const closer of closers.splice(0).reverse())
      await Promise.resolve(closer()).catch((error) => log.error("closing failed", { error }));
  };
  try {
    const events = createEventBus(clock, (error) => log.error("a listener of events failed", { error }));
    const config = await openConfig({ path, init, dataDir, flags, env, clock, log, events });
    closers.push(() => config.close());
    const { audit_log } = config.current();
    // Checked before the audit log is opened, so that a rejected start leaves no folder.
    if (options.stdio && audit_log?.stdout && audit_log.enabled !== false && !audit_log.path)
      throw new Fault("audit_stdout_refused");
    const { worker } = options;
    const ownDir = ownFolder(config.dataDir, worker);
    const logs = logSettings(config, worker);
    closers.push(followLogging(log, config, logs, clock));
    const usual = dataFolder({ env: { HOME: env.HOME, USERPROFILE: env.USERPROFILE } }, undefined);
    const keyring = options.keyring ?? (() => osKeyring(keyringService(config.dataDir, usual)));
    const ownSecrets = openSecrets({ dataDir: config.dataDir, env, clock, log, keyring });
    const engines = modules.flatMap(({ storeEngine }) => storeEngine ?? []);
    const { onFatal } = options;
    const start = { config: config.current(), dir: ownDir, worker, env, clock, log, secrets: ownSecrets, onFatal };
    const [sealingKeys] = modules.flatMap((one) => one.sealingKeys?.(start) ?? []);
    const secrets = sealingKeys ? { ...ownSecrets, sealingKeys } : ownSecrets;
    const store = await openSelectedStore(engines, start);
    closers.push(() => store.close());
    if (store.sharedClock) clockOffsetMs = store.sharedClock.offsetMs;
    if (store.sharedConfig) await config.share(store.sharedConfig);
    const lost = evidenceProblem(store.evidence);
    if (lost !== undefined) log.warn(lost);
    const part = createParts(() => app, closers);
    log.traceIdsFrom((requestId) => part(traffic).tracer?.traceIdOf(requestId));
    const egress = createEgress({
      agent: `proxy/${version}`,
      allowed: () => config.current().outbound_allow,
      env,
    });
    const serverLogs = createServerLogs({
      ...logs,
      clock,
      scrub: scrubLine,
      log,
      // Published only for current listeners; it is not worth a place among the stored events.
      onLines: (server) => part(eventStreams).slots.taken > 0 && events.publish("server.logged", { server }),
    });
    const apiKey = await secrets.resolve(config.current().api_key ?? "");
    const boot = bootFacts(options, { config, apiKey, startedAt: clock.now(), keyring });
    // The catalog and the connections are created with parts of the App, and only use members that exist before them.
    const app = {
      clock,
      log,
      serverLogs,
      config,
      store,
      secrets,
      events,
      egress,
      boot,
      part,
    } as unknown as Mutable<App>;
    await trackServersAtStart(app, config.current().mcpServers);
    part(auditTrail);
    closers.push(() => serverLogs.close());
    await store.sessions.closeAll(clock.now());
    const credentials = part(upstreamCredentials);
    const catalog = createCatalog({ store, config, events, clock, log, inspector: part(toolInspector) });
    closers.push(() => catalog.close());
    app.catalog = catalog;
    closers.push(store.approvals.onForeignChange((server) => catalog.reloadApprovals(server)));
    const upstreams = createUpstreams({
      config,
      launcher: part(launcher),
      placement: part(processPlacement),
      secrets,
      ...(!environmentSwitch(env, "SERVICE_DISABLE_OAUTH") && { credentials }),
      events,
      clock,
      log,
      serverLogs,
      catalog,
      dataDir: ownDir,
      meta: store.meta,
      version,
      env,
      watchdogs: options.watchdogs,
      connectsOnUse: options.connect === "on use",
      userSignInPage: () => part(userConnections).signInPage(),
    });
    closers.push(() => upstreams.close());
    app.upstreams = upstreams;
    for (const { check } of modules) await check?.(app);
    closers.push(reactToConfigChanges(app), startRetention(app));
    for (const { start } of modules) if (start) closers.push(start(app));
    if (automatic) upstreams.start();
    return { ...app, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function logSettings(config: LiveConfig, worker: Worker | undefined) {
  return {
    dir: logFolder(config, worker),
    maxSizeMb: () => config.current().logging.max_size,
    maxBackups: () => config.current().logging.max_backups,
  };
}

/** Writes the program's log to a file too, with the configured level and format. @returns a function that stops it */
function followLogging(
  log: ProgramLog,
  config: LiveConfig,
  { dir, ...limits }: ReturnType<typeof logSettings>,
  clock: Clock,
): () => void {
  const apply = ({ level, format }: Config["logging"]) => {
    log.setLevel(level);
    log.setFormat(format);
  };
  apply(config.current().logging);
  // This line goes to standard error, because the file may be what cannot be written.
  const onError = (error: unknown) => log.warn(`the log file cannot be written: ${reasonOf(error)}`);
  const isJson = () => config.current().logging.format === "json";
  log.toFile(logFile({ path: join(dir, "proxy.log"), clock, ...limits, isJson, onError }));
  return config.onChange((next) => apply(next.logging));
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Creates parts on demand; each is closed before those created earlier. */
function createParts(app: () => App, closers: (() => unknown)[]): App["part"] {
  const opened = new Map<Part<unknown>, unknown>();
  const provided = new Map(
    modules.flatMap(({ provides = [] }) => provides.map(({ key, open }) => [key, open] as const)),
  );
  provided.set(policyFacts as Part<unknown>, (of) => modules.flatMap(({ policy }) => (policy ? [policy(of)] : [])));
  provided.set(doctorChecks as Part<unknown>, () => modules.flatMap((one) => one.doctorChecks ?? []));
  const open = (key: Part<unknown>) => {
    const state = (provided.get(key) ?? key.open)(app());
    opened.set(key, state);
    if (key.close) closers.push(() => key.close?.(state));
    return state;
  };
  return <T>(key: Part<T>) => {
    const state = opened.get(key);
    // A part may be undefined.
    return (state !== undefined || opened.has(key) ? state : open(key)) as T;
  };
}

function bootFacts(
  { version, env, self = [], connect, browser, auditTo, worker }: AppOptions,
  { config, apiKey, startedAt, keyring }: Pick<App, "config"> & Pick<Boot, "apiKey" | "startedAt" | "keyring">,
): Boot {
  const { routing_mode } = config.current();
  const launched = env.SERVICE_LAUNCHED_BY;
  return {
    version,
    startedAt,
    apiKey,
    routingMode: routing_mode,
    launchedBy: launched === "tray" || launched === "installer" ? launched : "",
    dataDir: config.dataDir,
    ownDir: ownFolder(config.dataDir, worker),
    worker,
    machine: machineOf(env),
    self,
    env,
    automatic: connect !== false,
    keyring,
    browser,
    auditTo,
    updates: {
      disabled: environmentSwitch(env, "SERVICE_DISABLE_AUTO_UPDATE"),
      prerelease: environmentSwitch(env, "SERVICE_ALLOW_PRERELEASE_UPDATES"),
      unattended: isCi(env),
    },
    isStopping: false,
    listenAddr: "",
    socketPath: "",
  };
}
