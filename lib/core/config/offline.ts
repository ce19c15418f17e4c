import { systemClock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { writeDurably } from "../base/file.ts";
import type { JsonObject } from "../base/merge.ts";
import type { Logger } from "../log/log.ts";
import { lockFolder } from "../store/lock.ts";
import { checkConfig } from "./check.ts";
import { dataDirIn, documentText, parseDocument, readText } from "./document.ts";
import { openHistory } from "./history.ts";
import type { KeptVersion } from "./kept-versions.ts";
import { readVersion, versionNumbers } from "./kept-versions.ts";
import { configPath, dataFolder, type PathWishes } from "./paths.ts";
import { setAside } from "./set-aside.ts";
import { unwritable } from "./update.ts";

/** The configuration's file and history without a running proxy, whatever state the file is in. */
export interface OfflineConfig {
  readonly path: string;
  readonly dataDir: string;
  /** The file's text; undefined when there is no file. */
  readonly text: string | undefined;
}

export async function offlineConfig(wishes: PathWishes): Promise<OfflineConfig> {
  const path = configPath(wishes);
  const text = await readText(path);
  return { path, dataDir: dataFolder(wishes, text === undefined ? undefined : dataDirIn(text)), text };
}

/** Newest first. */
export async function offlineVersions({ dataDir }: OfflineConfig, log: Logger): Promise<KeptVersion[]> {
  const found = await Promise.all((await versionNumbers(dataDir)).map((number) => readVersion(dataDir, number, log)));
  return found.filter((version) => version !== undefined);
}

/** @throws Fault no_such_record */
export async function offlineVersion({ dataDir }: OfflineConfig, number: string, log: Logger): Promise<KeptVersion> {
  const kept = /^\d{1,15}$/.test(number) ? await readVersion(dataDir, Number(number), log) : undefined;
  if (!kept) throw new Fault("no_such_record", { what: "configuration version", id: number });
  return kept;
}

/**
 * Makes an earlier content the file's again. What it replaces goes into the history or, where it cannot be used, into a
 * file beside it.
 *
 * @returns the path under which a broken file is kept; undefined when it was not broken
 * @throws Fault no_such_record, config_invalid, config_unwritable, database_locked
 */
export async function restoreOffline(config: OfflineConfig, number: string, log: Logger): Promise<string | undefined> {
  const { document } = await offlineVersion(config, number, log);
  const checked = checkConfig(document);
  if (!checked.ok)
    throw new Fault("config_invalid", { reason: `version ${number} cannot be used: ${checked.problems[0].text}` });
  // A proxy that starts meanwhile must not read a half of this.
  const lock = await lockFolder(config.dataDir);
  try {
    const present = usable(config);
    const history = openHistory({ dataDir: config.dataDir, first: present, clock: systemClock, log });
    if (present) await history.list();
    const broken = present === undefined && config.text !== undefined;
    const copy = broken ? await setAside(config.path, config.text!, systemClock.now()) : undefined;
    await writeDurably(config.path, documentText(document)).catch((error: unknown) => {
      throw unwritable(config.path, error);
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
