import { join } from "node:path";
import type { Writable } from "node:stream";
import { createIdempotency } from "./core/api/idempotency.ts";
import { createJobs } from "./core/api/jobs.ts";
import type { App, Boot } from "./core/app.ts";
import { createByteBudget, requestBytes } from "./core/base/byte-budget.ts";
import { type Clock, systemClock } from "./core/base/clock.ts";
import { createDialler } from "./core/base/egress/create.ts";
import { Fault, reasonOf } from "./core/base/fault.ts";
import { machineOf } from "./core/base/machine.ts";
import { createSlots } from "./core/base/slots.ts";
import { createCatalog } from "./core/catalog/create.ts";
import type { LiveConfig } from "./core/config/live.ts";
import { openConfig } from "./core/config/open.ts";
import { dataFolder } from "./core/config/paths.ts";
import { createBus } from "./core/events/bus.ts";
import { createLog, type OwnLog } from "./core/log/create.ts";
import { logFile } from "./core/log/file.ts";
import { createServerLogs } from "./core/log/server-logs.ts";
import { keyringService, osKeyring } from "./core/secrets/keyring.ts";
import { createKeys } from "./core/secrets/keys.ts";
import { scrubLine } from "./core/secrets/mask/lines.ts";
import { openSecrets, type SecretsOptions } from "./core/secrets/open.ts";
import { createCounts } from "./core/store/counts.ts";
import { evidenceProblem } from "./core/store/evidence.ts";
import { openStore } from "./core/store/open.ts";
import { createUpstreams } from "./core/upstream/create.ts";
import { retain } from "./core/verbs/activity/retain.ts";
import { followConfig } from "./core/verbs/servers/follow.ts";
import { noticeAtStart } from "./core/verbs/servers/notice.ts";
import { openAudit } from "./modules/audit/open.ts";
import { createSandbox } from "./modules/code/sandbox/sandbox.ts";
import { createEngine } from "./modules/isolation/container/engine.ts";
import { containersWanted, createIsolation } from "./modules/isolation/create.ts";
import type { Browser } from "./modules/oauth/browser.ts";
import { createOAuth } from "./modules/oauth/create.ts";
import { followScans } from "./modules/scan/follow.ts";
import { followIntegrity } from "./modules/scan/follow-integrity.ts";
import { checkEdition, credentialKey } from "./modules/team/boot.ts";
import { installation, installChannel } from "./modules/update/channel.ts";
import { createUpdates } from "./modules/update/create.ts";

/** Spec 000 §8. */
const PREFLIGHT_WAITS = 4;
const EVENT_STREAMS = 100;

export interface AppOptions {
  version: string;
  env: Readonly<Record<string, string | undefined>>;
  /** `--config` */
  configPath?: string | undefined;
  /** `--init`: makes the file that `configPath` names. */
  initConfig?: boolean | undefined;
  /** `--data-dir` */
  dataDir?: string | undefined;
  /** What the command line says, as a part of a configuration document. */
  flags?: Readonly<Record<string, unknown>> | undefined;
  /** Whether to connect to the configured servers, or to each when it is first used; yes unless told otherwise. */
  connect?: boolean | "on use" | undefined;
  /** Command line that runs this program's watchdog over child processes. */
  watchdogCommand?: readonly string[] | undefined;
  /** Command line that starts this very program. */
  self?: readonly string[] | undefined;
  clock?: Clock | undefined;
  /** Instead of standard error. */
  logTo?: Writable | undefined;
  /** Standard output belongs to MCP. */
  stdio?: boolean | undefined;
  /** Standard output, where it is nobody else's: neither MCP nor a command speaks there. */
  auditTo?: Writable | undefined;
  /** Instead of the operating system's. */
  keyring?: SecretsOptions["keyring"] | undefined;
  /** Instead of this machine's. */
  browser?: Browser | undefined;
}

export type OpenApp = App & {
  /** Ends connections and child processes, writes what is unwritten, gives the data directory free. */
  close(): Promise<void>;
};

/**
 * Opens everything the program stands on, in order; what was opened is closed again when a later part fails.
 *
 * @throws Fault config_invalid, config_unwritable, database_locked and the other faults of its parts
 */
export async function createApp(options: AppOptions): Promise<OpenApp> {
  const connects = options.connect !== false;
  const { version, env, clock = systemClock, configPath: path, initConfig: init, dataDir, flags } = options;
  const log = createLog({ level: "info", scrub: scrubLine, out: options.logTo, clock });
  const closers: (() => unknown)[] = [() => log.close()];
  const close = async () => {
    for (const closer of closers.splice(0).reverse())
      await Promise.resolve(closer()).catch((error) => log.error("closing failed", { error }));
  };
  try {
    const events = createBus(clock, (error) => log.error("a listener of events failed", { error }));
    const config = await openConfig({ path, init, dataDir, flags, env, clock, log, events });
    closers.push(() => config.close());
    const { audit_log } = config.current();
    // Before anything is opened for the trail: a refused start leaves no folder behind.
    if (options.stdio && audit_log?.stdout && !audit_log.path) throw new Fault("audit_stdout_refused");
    const logs = logSettings(config);
    closers.push(followLogging(log, config, logs, clock));
    const store = await openStore({ dir: config.dataDir, clock, log });
    closers.push(() => store.close());
    const lost = evidenceProblem(store.evidence);
    if (lost !== undefined) log.warn(lost);
    await noticeAtStart({ store, clock, log }, config.current().mcpServers);
    const audit = openAudit({ config, clock, log, stdout: options.auditTo });
    closers.push(() => audit.close());
    await store.sessions.closeAll(clock.now());
    const slots = { preflightWaits: createSlots(PREFLIGHT_WAITS), eventStreams: createSlots(EVENT_STREAMS) };
    const bodies = createByteBudget(() => requestBytes(config.current().max_request_memory_mb));
    const serverLogs = createServerLogs({
      ...logs,
      clock,
      scrub: scrubLine,
      log,
      // A notice for those who follow a log now; no history worth a place among the events that are kept.
      onLines: (server) => slots.eventStreams.taken > 0 && events.publish("server.logged", { server }),
    });
    closers.push(() => serverLogs.close());
    const dial = createDialler({
      agent: `proxy/${version}`,
      allowed: () => config.current().outbound_allow,
      env,
    });
    const usual = dataFolder({ env: { HOME: env.HOME, USERPROFILE: env.USERPROFILE } }, undefined);
    const keyring = options.keyring ?? (() => osKeyring(keyringService(config.dataDir, usual)));
    const secrets = openSecrets({ dataDir: config.dataDir, env, clock, log, keyring });
    // One ring for all, so that two do not make a key each.
    const keys = createKeys(config.dataDir, keyring, log.tagged("oauth"));
    const idempotency = createIdempotency({ store: store.answers, keys, clock });
    const oauth = createOAuth({
      keys,
      config,
      secrets,
      dial,
      meta: store.meta,
      events,
      clock,
      log,
      dataDir: config.dataDir,
      keyring,
      env,
      userKey: () => credentialKey({ config, secrets }),
      browser: options.browser,
    });
    closers.push(() => oauth.close());
    const catalog = createCatalog({ store, config, events, clock, log });
    closers.push(() => catalog.close());
    const sandbox = createSandbox({ size: () => config.current().code_execution_pool_size, clock });
    closers.push(() => sandbox.close());
    const engine = createEngine({ clock, env, dataDir: config.dataDir, log: log.tagged("container") });
    const isolation = createIsolation({ config, engine, env, log: log.tagged("isolation") });
    const upstreams = createUpstreams({
      config,
      engine,
      isolation,
      secrets,
      ...(env.SERVICE_DISABLE_OAUTH !== "true" && { oauth }),
      events,
      clock,
      log,
      serverLogs,
      catalog,
      dataDir: config.dataDir,
      version,
      env,
      watchdogCommand: options.watchdogCommand,
      onUse: options.connect === "on use",
    });
    closers.push(() => upstreams.close());
    closers.push(
      engine.follow(
        () => connects && containersWanted(config),
        () => upstreams.retry("the container engine is back"),
      ),
    );

    const apiKey = await secrets.resolve(config.current().api_key ?? "");
    const boot = bootFacts(options, config, apiKey, clock.now());
    const installed = async () => installChannel(await installation());
    const updates = createUpdates({ config, dial, clock, log, boot, installed, automatic: connects });
    closers.push(() => updates.close());
    const jobs = createJobs({ clock, log: log.tagged("jobs") });
    closers.push(() => jobs.close());
    const app = {
      clock,
      log,
      serverLogs,
      config,
      store,
      audit,
      secrets,
      events,
      catalog,
      upstreams,
      sandbox,
      counts: createCounts(),
      slots,
      bodies,
      dial,
      oauth,
      engine,
      isolation,
      updates,
      jobs,
      idempotency,
      boot,
    };
    await checkEdition(app);
    closers.push(followConfig(app, connects), retain(app), followScans(app), followIntegrity(app));
    if (connects) upstreams.reconcile();
    return { ...app, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function logSettings(config: LiveConfig) {
  return {
    dir: config.current().logging.log_dir ?? join(config.dataDir, "logs"),
    maxSizeMb: () => config.current().logging.max_size,
    maxBackups: () => config.current().logging.max_backups,
  };
}

/** The program's own log has a file too, and the level the configuration asks for now. @returns ends it */
function followLogging(
  log: OwnLog,
  config: LiveConfig,
  { dir, ...limits }: ReturnType<typeof logSettings>,
  clock: Clock,
): () => void {
  log.setLevel(config.current().logging.level);
  // The disk that refuses the file may be why this line is written; it goes to standard error.
  const onError = (error: unknown) => log.warn(`the log file cannot be written: ${reasonOf(error)}`);
  log.toFile(logFile({ path: join(dir, "proxy.log"), clock, ...limits, onError }));
  return config.onChange((next) => log.setLevel(next.logging.level));
}

function bootFacts(
  { version, env, self = [] }: AppOptions,
  config: LiveConfig,
  apiKey: string,
  startedAt: number,
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
    machine: machineOf(env),
    self,
    updates: {
      disabled: env.SERVICE_DISABLE_AUTO_UPDATE === "true",
      prerelease: env.SERVICE_ALLOW_PRERELEASE_UPDATES === "true",
      unattended: Boolean(env.CI),
    },
    listenAddr: "",
    socketPath: "",
  };
}
