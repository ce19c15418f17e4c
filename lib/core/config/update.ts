import { Fault, reasonOf } from "../base/fault.ts";
import { codeOf, writeDurably } from "../base/file.ts";
import { type JsonObject, sameJson } from "../base/merge.ts";
import { draftOf } from "./carry.ts";
import { type ChangedPath, changedPaths } from "./changed-paths.ts";
import { documentText, readText } from "./document.ts";
import type { Follower } from "./follow.ts";
import type { Held } from "./held.ts";
import type { Config } from "./schema.ts";
import { setAside } from "./set-aside.ts";

/**
 * One change of the file through the program. An edit by hand that was not seen yet is taken over first, never
 * overwritten.
 *
 * @returns whether anything changed; then it is on the disk and in force
 * @throws Fault config_invalid, config_broken, config_unwritable; whatever `change` throws. Nothing is changed then
 */
export async function updateFile(held: Held, follower: Follower, change: (draft: Config) => void): Promise<boolean> {
  const found = await takeOverEdit(held, follower);
  const { raw } = held.settings;
  const next = proposed(held, change);
  if (found !== undefined && sameJson(next, raw)) return false;
  const settings = held.settle(next);
  const text = documentText(next);
  await writeDurably(held.path, text).catch((error: unknown) => {
    throw unwritable(held.path, error);
  });
  held.swap(settings, text);
  return true;
}

/**
 * What `updateFile` would change; nothing is written.
 *
 * @throws as `updateFile`
 */
export async function previewFile(
  held: Held,
  follower: Follower,
  change: (draft: Config) => void,
): Promise<ChangedPath[]> {
  await takeOverEdit(held, follower);
  const { raw } = held.settings;
  const next = proposed(held, change);
  held.settle(next);
  return changedPaths(raw, next);
}

/** @returns the file's text @throws Fault config_broken */
async function takeOverEdit(held: Held, follower: Follower): Promise<string | undefined> {
  const found = await readText(held.path);
  if (found !== undefined && found !== held.text) {
    try {
      follower.takeOver(found);
    } catch (error) {
      throw new Fault("config_broken", { reason: reasonOf(error) }, { cause: error });
    }
  }
  return found;
}

function proposed(held: Held, change: (draft: Config) => void): JsonObject {
  const { raw, file } = held.settings;
  const { draft, carried } = draftOf(raw, file);
  change(draft);
  return carried();
}

/** As `LiveConfig.setBrokenAside`. */
export async function setBrokenAside(held: Held, follower: Follower, now: number): Promise<string | undefined> {
  const found = await readText(held.path);
  if (found === undefined || found === held.text) return undefined;
  try {
    follower.takeOver(found);
    return undefined;
  } catch {
    const copy = await setAside(held.path, found, now);
    await writeDurably(held.path, held.text);
    return copy;
  }
}

export function unwritable(path: string, error: unknown): Fault {
  const denied = ["EACCES", "EPERM", "EROFS"].includes(codeOf(error));
  const reason = `${reasonOf(error)}${denied ? "; choose another place with --data-dir, or let the proxy's user write there" : ""}`;
  return new Fault("config_unwritable", { path, reason }, { cause: error });
}
