import { Fault, reasonOf } from "../base/fault.ts";
import { systemErrorCode, writeFileDurably } from "../base/file.ts";
import { type JsonObject, sameJson } from "../base/json-object.ts";
import { type ChangedPath, changedPaths } from "./changed-paths.ts";
import type { Config } from "./config-keys.ts";
import { documentText, readConfigText } from "./document.ts";
import { draftOf } from "./draft.ts";
import type { Follower } from "./follow.ts";
import { setAside } from "./set-aside.ts";
import type { SettingsInForce } from "./settings-in-force.ts";

/**
 * Changes the file. A change that a person made and that was not read yet is adopted first and never overwritten.
 *
 * @returns true if anything changed; the change is then on the disk and in force
 * @throws Fault config_invalid, config_broken, config_unwritable; whatever `change` throws. Nothing is changed then
 */
export async function updateConfigFile(
  inForce: SettingsInForce,
  follower: Follower,
  change: (draft: Config) => void,
): Promise<boolean> {
  const found = await takeOverEdit(inForce, follower);
  const { raw } = inForce.settings;
  const next = proposedDocument(inForce, change);
  if (found !== undefined && sameJson(next, raw)) return false;
  const settings = inForce.resolve(next);
  const text = await writeConfigFile(inForce.path, next);
  inForce.replace(settings, text);
  return true;
}

/** Writes a document to the file. @returns its text @throws Fault config_unwritable */
export async function writeConfigFile(path: string, document: JsonObject): Promise<string> {
  const text = documentText(document);
  await writeFileDurably(path, text).catch((error: unknown) => {
    throw unwritableFault(path, error);
  });
  return text;
}

/**
 * Returns what `updateConfigFile` would change; nothing is written.
 *
 * @throws the same as `updateConfigFile`
 */
export async function previewConfigFile(
  inForce: SettingsInForce,
  follower: Follower,
  change: (draft: Config) => void,
): Promise<ChangedPath[]> {
  await takeOverEdit(inForce, follower);
  const { raw } = inForce.settings;
  const next = proposedDocument(inForce, change);
  inForce.resolve(next);
  return changedPaths(raw, next);
}

/** Adopts a change that a person made to the file. @returns the text of the file @throws Fault config_broken */
export async function takeOverEdit(inForce: SettingsInForce, follower: Follower): Promise<string | undefined> {
  const found = await readConfigText(inForce.path);
  if (found !== undefined && found !== inForce.text) {
    try {
      follower.adopt(found);
    } catch (error) {
      throw new Fault("config_broken", { reason: reasonOf(error) }, { cause: error });
    }
  }
  return found;
}

/** Returns the document with a change; the settings in force stay as they are. */
export function proposedDocument(inForce: SettingsInForce, change: (draft: Config) => void): JsonObject {
  const { raw, file } = inForce.settings;
  const { draft, merged } = draftOf(raw, file);
  change(draft);
  return merged();
}

/** See `LiveConfig.setBrokenAside`. */
export async function setBrokenFileAside(
  inForce: SettingsInForce,
  follower: Follower,
  now: number,
): Promise<string | undefined> {
  const found = await readConfigText(inForce.path);
  if (found === undefined || found === inForce.text) return undefined;
  try {
    follower.adopt(found);
    return undefined;
  } catch {
    const copy = await setAside(inForce.path, found, now);
    await writeFileDurably(inForce.path, inForce.text);
    return copy;
  }
}

/** Returns the error for a configuration file that cannot be written; a denied access names the remedy. */
export function unwritableFault(path: string, error: unknown): Fault {
  const denied = ["EACCES", "EPERM", "EROFS"].includes(systemErrorCode(error));
  const reason = `${reasonOf(error)}${denied ? "; choose another folder with --data-dir, or give the proxy's user write access" : ""}`;
  return new Fault("config_unwritable", { path, reason }, { cause: error });
}
