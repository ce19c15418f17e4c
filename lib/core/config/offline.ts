import { systemClock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { writeFileDurably } from "../base/file.ts";
import type { JsonObject } from "../base/json-object.ts";
import type { Logger } from "../log/logger.ts";
import { lockFolder } from "../store/lock.ts";
import { checkConfig } from "./check.ts";
import type { ConfigVersion, StoredConfigVersion } from "./config-versions.ts";
import { listedVersions, readVersion, versionNumbers } from "./config-versions.ts";
import { dataDirIn, documentText, parseDocument, readConfigText } from "./document.ts";
import { openConfigHistory } from "./history.ts";
import { configPath, dataFolder, type PathOptions } from "./paths.ts";
import { setAside } from "./set-aside.ts";
import { unwritableFault } from "./update.ts";

/** The configuration file and its history while no proxy runs; the file may be invalid. */
export interface OfflineConfig {
  readonly path: string;
  readonly dataDir: string;
  /** The text of the file; undefined if there is no file. */
  readonly text: string | undefined;
}

/** Finds the configuration by flags and environment, like a proxy that starts. */
export async function offlineConfig(wishes: PathOptions): Promise<OfflineConfig> {
  const path = configPath(wishes);
  const text = await readConfigText(path);
  return { path, dataDir: dataFolder(wishes, text === undefined ? undefined : dataDirIn(text)), text };
}

/** Returns the versions, newest first. */
export async function offlineVersions({ dataDir }: OfflineConfig, log: Logger): Promise<ConfigVersion[]> {
  const found = await Promise.all((await versionNumbers(dataDir)).map((number) => readVersion(dataDir, number, log)));
  return listedVersions(found.filter((version) => version !== undefined));
}

/** Returns one version. @throws Fault no_such_record */
export async function offlineVersion(
  { dataDir }: OfflineConfig,
  number: string,
  log: Logger,
): Promise<StoredConfigVersion> {
  const kept = /^\d{1,15}$/.test(number) ? await readVersion(dataDir, Number(number), log) : undefined;
  if (!kept) throw new Fault("no_such_record", { what: "configuration version", id: number });
  return kept;
}

/**
 * Restores an earlier version of the file. The replaced content becomes a version itself or, if it is invalid, a file
 * beside the configuration file.
 *
 * @returns the path under which an invalid file is kept; undefined if it was valid
 * @throws Fault no_such_record, config_invalid, config_unwritable, database_locked
 */
export async function restoreOffline(config: OfflineConfig, number: string, log: Logger): Promise<string | undefined> {
  const { document } = await offlineVersion(config, number, log);
  const checked = checkConfig(document);
  if (!checked.ok)
    throw new Fault("config_invalid", { reason: `version ${number} cannot be used: ${checked.problems[0].text}` });
  // The lock keeps a proxy that starts meanwhile from reading a partial result.
  const lock = await lockFolder(config.dataDir);
  try {
    const present = usable(config);
    const history = openConfigHistory({ dataDir: config.dataDir, first: present, clock: systemClock, log });
    if (present) await history.list();
    const broken = present === undefined && config.text !== undefined;
    const copy = broken ? await setAside(config.path, config.text!, systemClock.now()) : undefined;
    await writeFileDurably(config.path, documentText(document)).catch((error: unknown) => {
      throw unwritableFault(config.path, error);
    });
    history.note(document, "proxy config restore");
    await history.close();
    return copy;
  } finally {
    await lock.release();
  }
}

function usable({ text, path }: OfflineConfig): JsonObject | undefined {
  try {
    return text === undefined ? undefined : parseDocument(text, path);
  } catch {
    return undefined;
  }
}
