import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readBoundedFile, systemErrorCode } from "../base/file.ts";
import { isJsonObject, type JsonObject } from "../base/json-object.ts";
import type { Logger } from "../log/logger.ts";

/** One earlier content of the file. */
export interface ConfigVersion {
  /** Increases by one; never reused. */
  version: number;
  /** When the file first had this content (ms). */
  at: number;
  /** Its author: a caller's name, or `configuration file` for an edit by hand. */
  by: string;
  /** Top-level keys that differ from the version before. */
  changed: readonly string[];
}

export type StoredConfigVersion = ConfigVersion & { document: JsonObject };

const MAX_BYTES = 32 * 1024 * 1024;

/** The folder of the earlier configurations, one file for each. */
export const historyFolder = (dataDir: string) => join(dataDir, "config-history");

export const versionPath = (dataDir: string, version: number) =>
  join(historyFolder(dataDir), `${String(version).padStart(6, "0")}.json`);

/** Numbers of the versions, newest first; none where there is no folder. */
export async function versionNumbers(dataDir: string): Promise<number[]> {
  const names = await readdir(historyFolder(dataDir)).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  });
  return names
    .flatMap((name) => (/^\d{6,15}\.json$/.test(name) ? [Number(name.slice(0, -5))] : []))
    .sort((a, b) => b - a);
}

/** Undefined for a version that is absent or damaged, so that the others remain readable. */
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

/** @throws when it is not what was written */
function parsed(version: number, content: string): StoredConfigVersion {
  const kept: unknown = JSON.parse(content);
  if (!isJsonObject(kept) || !isJsonObject(kept.document) || typeof kept.at !== "string" || typeof kept.by !== "string")
    throw new Error("it is damaged");
  const changed = Array.isArray(kept.changed) ? kept.changed.filter((key) => typeof key === "string") : [];
  return { version, at: Date.parse(kept.at) || 0, by: kept.by, changed, document: kept.document };
}
