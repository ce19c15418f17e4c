import { mkdir, rm } from "node:fs/promises";
import { type Clock, rfc3339 } from "../base/clock.ts";
import { createFileDurably, removeLeftoverFiles, systemErrorCode, writeFileDurably } from "../base/file.ts";
import { isJsonObject, type JsonObject, sameJson } from "../base/json-object.ts";
import type { Logger } from "../log/logger.ts";
import { changedKeys } from "./changed-keys.ts";
import {
  type ConfigVersion,
  historyFolder,
  listedVersions,
  readVersion,
  type StoredConfigVersion,
  versionNumbers,
  versionPath,
} from "./config-versions.ts";

/**
 * The latest versions of the configuration file, including secrets. Like the file itself, only its owner can read them.
 */
export interface ConfigHistory {
  /** All versions, newest first. */
  list(): Promise<ConfigVersion[]>;
  read(version: number): Promise<StoredConfigVersion | undefined>;
  /** Replaces a value in every stored version, after a secret was removed from the file. */
  forget(value: string, instead: string): Promise<void>;
}

interface HistoryWriter extends ConfigHistory {
  /** Stores a content unless it equals the newest version. Errors are logged, not thrown. */
  note(document: JsonObject, by: string): void;
  /** Waits for pending writes. */
  close(): Promise<void>;
}

/** Maximum number of versions. */
const KEPT = 20;

interface HistoryOptions {
  /** The versions are files in the folder `config-history` of this directory. */
  dataDir: string;
  /**
   * The content of the file at the start; it is stored with the first change or the first read. Absent if it was
   * invalid.
   */
  first?: JsonObject | undefined;
  clock: Clock;
  log: Logger;
}

/** The recorded author of changes that people make to the file. */
export const FILE_EDITOR = "configuration file";

/** Opens the history of a data directory. */
export function openConfigHistory({ dataDir, first, clock, log }: HistoryOptions): HistoryWriter {
  const dir = historyFolder(dataDir);
  const openedAt = clock.now();
  let begun = false;
  const pathOf = (version: number) => versionPath(dataDir, version);
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  };

  const numbers = () => versionNumbers(dataDir);
  const load = (version: number) => readVersion(dataDir, version, log);
  const newest = async (): Promise<StoredConfigVersion | undefined> => {
    for (const number of await numbers()) {
      const found = await load(number);
      if (found) return found;
    }
    return undefined;
  };
  const keep = async (document: JsonObject, by: string, at: number): Promise<void> => {
    const before = await newest();
    if (before && sameJson(before.document, document)) return;
    // If the data directory was deleted, it is not created again.
    await mkdir(dir, { mode: 0o700 }).catch((error: unknown) => {
      if (systemErrorCode(error) !== "EEXIST") throw error;
    });
    const changed = before ? changedKeys(before.document, document) : Object.keys(document);
    // Another process that uses the folder may take the same number at the same moment.
    for (let version = ((await numbers())[0] ?? 0) + 1; ; version++)
      if (await createFileDurably(pathOf(version), text({ version, at, by, changed, document }))) break;
    for (const old of (await numbers()).slice(KEPT)) await rm(pathOf(old), { force: true });
    await removeLeftoverFiles(pathOf(0), at);
  };

  const begin = async (): Promise<void> => {
    if (!begun && first) await keep(first, FILE_EDITOR, openedAt);
    begun = true;
  };

  return {
    note(document, by) {
      const at = clock.now();
      const work = inTurn(async () => {
        await begin();
        await keep(document, by, at);
      });
      log.catch("keeping a version of the configuration", work);
    },
    list: () =>
      inTurn(async () => {
        await begin();
        const found = await Promise.all((await numbers()).map(load));
        return listedVersions(found.filter((kept) => kept !== undefined));
      }),
    read: (version) =>
      inTurn(async () => {
        await begin();
        return await load(version);
      }),
    forget: (value, instead) =>
      inTurn(async () => {
        await begin();
        for (const number of await numbers()) {
          const version = await load(number);
          if (!version) continue;
          const document = replaced(version.document, value, instead) as JsonObject;
          if (!sameJson(document, version.document))
            await writeFileDurably(pathOf(number), text({ ...version, document }));
        }
      }),
    async close() {
      await queue;
    },
  };
}

function text({ at, ...kept }: StoredConfigVersion): string {
  return `${JSON.stringify({ ...kept, at: rfc3339(at) }, null, 2)}\n`;
}

function replaced(value: unknown, search: string, instead: string): unknown {
  if (value === search) return instead;
  if (Array.isArray(value)) return value.map((item) => replaced(item, search, instead));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, search, instead)]));
}
