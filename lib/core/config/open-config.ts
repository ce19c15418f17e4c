import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { deepMerge, type JsonObject } from "../base/json-object.ts";
import { revisionOf } from "../base/revision.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Logger } from "../log/logger.ts";
import { checkConfig } from "./check.ts";
import { versionNumbers } from "./config-versions.ts";
import { dataDirIn, isEmptyText, parseDocument, readConfigText } from "./document.ts";
import { envOverrides } from "./env-overrides.ts";
import { firstStart } from "./first-start.ts";
import { followConfigFile } from "./follow.ts";
import { FILE_EDITOR, openConfigHistory } from "./history.ts";
import type { LiveConfig } from "./live-config.ts";
import { bootNotices } from "./notices.ts";
import { configPath, dataFolder } from "./paths.ts";
import { isQuarantined } from "./quarantined.ts";
import { refreshSchemaFile } from "./schema-file.ts";
import { createSettingsInForce } from "./settings-in-force.ts";
import { type ConfigSharing, shareConfig } from "./share-config.ts";
import { previewConfigFile, setBrokenFileAside, updateConfigFile } from "./update.ts";

export interface ConfigOptions {
  /** The value of `--config`; absent: `mcp_config.json` in the data directory. */
  path?: string | undefined;
  /** If true, creates the file that `path` names if it does not exist; otherwise a missing file is an error. */
  init?: boolean | undefined;
  /** The value of `--data-dir`. */
  dataDir?: string | undefined;
  /** The overrides from the command line, as a part of a document; never written to the file. */
  flags?: Readonly<Record<string, unknown>> | undefined;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  log: Logger;
  events: EventBus;
}

/**
 * Opens the configuration, creates it at the first start, and follows changes of the file.
 * Precedence, lowest first: default, file, environment, flags.
 *
 * @throws Fault config_invalid that names file and line, variable or key
 * @throws Fault config_unwritable if the first file cannot be created
 */
export async function openConfig(options: ConfigOptions): Promise<LiveConfig> {
  const { env, clock, events } = options;
  const log = options.log.tagged("config");
  const overrides = overridesOf(options);
  const path = configPath(options);
  const text = await readConfigText(path);
  if (text === undefined && options.path && !options.init)
    throw new Fault("config_invalid", {
      reason: `there is no configuration file ${path}; correct --config, or create the file with: proxy serve --config ${path} --init`,
    });
  const existing = text === undefined ? undefined : await parseAtStart(text, path, options);
  const dataDir = dataFolder(options, existing?.data_dir);
  const keyElsewhere = overrides.api_key !== undefined;
  const first = await firstStart({ path, dataDir, text, given: existing, keyElsewhere, now: clock.now(), log });
  const all = first.looseKey === undefined ? overrides : { ...overrides, api_key: first.looseKey };
  const inForce = createSettingsInForce(path, first.raw, first.text, all, log);
  bootNotices(inForce.settings, all, env, log);

  let queue: Promise<unknown> = Promise.resolve();
  const serially = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  };
  const history = openConfigHistory({ dataDir, first: first.raw, clock, log });
  const onAdopted = (content: JsonObject) => history.note(content, FILE_EDITOR);
  const follower = followConfigFile({ inForce, clock, log, events, serially, onAdopted });
  const schemaFile = refreshSchemaFile(path, first.raw, log);
  let sharing: ConfigSharing | undefined;
  return {
    path,
    dataDir,
    current: () => inForce.settings.current,
    wanted: () => inForce.settings.wanted,
    file: () => inForce.settings.file,
    raw: () => inForce.settings.raw,
    overrides: () => all,
    // The replicas of a cluster compare the number of the version, because the hash has a key of this process.
    revision: () => (sharing ? `v${sharing.version()}` : revisionOf(inForce.settings.raw)),
    history,
    server: (name) => inForce.settings.servers.get(name),
    quarantined: (server) => isQuarantined(server, inForce.settings.current),
    async update(change, by) {
      return await serially(async () => {
        const update = () => updateConfigFile(inForce, follower, change);
        if (await (sharing ? sharing.update(change, by) : update())) {
          history.note(inForce.settings.raw, by);
          events.publish("config.saved", { path, by });
          events.publish("config.reloaded", { path, cause: "saved" });
        }
        return inForce.settings.current;
      });
    },
    preview: (change) => serially(() => previewConfigFile(inForce, follower, change)),
    setBrokenAside: () => serially(() => setBrokenFileAside(inForce, follower, clock.now())),
    onChange: inForce.onChange,
    problem: () => follower.problem() ?? sharing?.problem(),
    async share(source) {
      const onAdoptedVersion = (by: string) => {
        history.note(inForce.settings.raw, by);
        events.publish("config.reloaded", { path, cause: "saved" });
      };
      sharing = await shareConfig({ inForce, follower, source, log, serially, onAdopted: onAdoptedVersion });
    },
    unknownKeys: () => inForce.settings.unknown,
    pendingRestart: () => inForce.settings.pending,
    async close() {
      follower.close();
      sharing?.close();
      await queue;
      await schemaFile;
      await history.close();
    },
  };
}

/** Parses a document like `parseDocument`; the message about an invalid file also says how to repair it. */
async function parseAtStart(text: string, path: string, options: ConfigOptions): Promise<JsonObject> {
  try {
    return parseDocument(text, path);
  } catch (error) {
    const dataDir = dataFolder(options, dataDirIn(text));
    const versions = await versionNumbers(dataDir).catch(() => []);
    const way =
      versions.length > 0
        ? "to list earlier configurations: proxy config history; to restore one: proxy config restore NUMBER"
        : isEmptyText(text)
          ? "restore its content, or delete it to start with a new one"
          : undefined;
    if (way === undefined) throw error;
    throw new Fault("config_invalid", { reason: `${reasonOf(error)}\n${way}` }, { cause: error });
  }
}

/**
 * Returns the overrides from environment and flags, as a part of a document. @throws Fault config_invalid that names
 * the variable or key
 */
function overridesOf({ env, flags, dataDir }: ConfigOptions): JsonObject {
  const settings = { ...flags, ...(dataDir && { data_dir: dataDir }) };
  const checked = checkConfig(settings);
  if (!checked.ok) throw new Fault("config_invalid", { reason: `command line: ${checked.problems[0].text}` });
  return deepMerge(envOverrides(env), settings) as JsonObject;
}
