import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readBoundedFile, systemErrorCode } from "../base/file.ts";
import { isJsonObject, type JsonObject } from "../base/json-object.ts";
import type { Logger } from "../log/logger.ts";
import { changedServers } from "./changed-servers.ts";

/** One earlier version of the configuration file. */
export interface ConfigVersion {
  /** Increases with each version; never reused. */
  version: number;
  /** When the file first had this content (ms). */
  at: number;
  /** Who made the change: the name of a caller, or `configuration file` if a person edited the file. */
  by: string;
  /** Top-level keys that differ from the previous version. */
  changed: readonly string[];
  /** Names of the servers that differ from the previous version; absent if that is not known. */
  servers?: readonly string[];
}

export type StoredConfigVersion = ConfigVersion & { document: JsonObject };

const MAX_BYTES = 32 * 1024 * 1024;

/** Returns the folder of the earlier versions, which has one file per version. */
export const historyFolder = (dataDir: string) => join(dataDir, "config-history");

/** Returns the path of the file that keeps a version. Zeros in its name make the order of names that of versions. */
export const versionPath = (dataDir: string, version: number) =>
  join(historyFolder(dataDir), `${String(version).padStart(6, "0")}.json`);

/** Lists the numbers of the versions, newest first; empty if there is no folder. */
export async function versionNumbers(dataDir: string): Promise<number[]> {
  const names = await readdir(historyFolder(dataDir)).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  });
  return names
    .flatMap((name) => (/^\d{6,15}\.json$/.test(name) ? [Number(name.slice(0, -5))] : []))
    .sort((a, b) => b - a);
}

/** Reads a version; undefined if it is absent or damaged, so that the others remain readable. */
export async function readVersion(
  dataDir: string,
  version: number,
  log: Pick<Logger, "warn">,
): Promise<StoredConfigVersion | undefined> {
  try {
    const { bytes } = await readBoundedFile(versionPath(dataDir, version), MAX_BYTES);
    return parsed(version, bytes.toString("utf8"));
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT")
      log.warn(`version ${version} of the configuration cannot be read`, { error });
    return undefined;
  }
}

/** Converts stored versions, newest first, into those of a list: without the documents, with the changed servers. */
export function listedVersions(stored: readonly StoredConfigVersion[]): ConfigVersion[] {
  return stored.map(({ document, ...version }, i) => {
    const before = stored[i + 1]?.document;
    return before ? { ...version, servers: changedServers(before, document) } : version;
  });
}

/** @throws if the content is not that of a stored version */
function parsed(version: number, content: string): StoredConfigVersion {
  const kept: unknown = JSON.parse(content);
  if (!isJsonObject(kept) || !isJsonObject(kept.document) || typeof kept.at !== "string" || typeof kept.by !== "string")
    throw new Error("it is damaged");
  const changed = Array.isArray(kept.changed) ? kept.changed.filter((key) => typeof key === "string") : [];
  return { version, at: Date.parse(kept.at) || 0, by: kept.by, changed, document: kept.document };
}
