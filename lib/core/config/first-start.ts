import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { reasonOf } from "../base/fault.ts";
import { createFileDurably, removeLeftoverFiles, writeFileDurably } from "../base/file.ts";
import { makeFolder } from "../base/folder.ts";
import type { JsonObject } from "../base/json-object.ts";
import type { Logger } from "../log/logger.ts";
import { revealed } from "../log/revealed.ts";
import { documentText, parseDocument, readConfigText } from "./document.ts";
import { SCHEMA_REFERENCE } from "./schema-file.ts";
import { unwritableFault } from "./update.ts";

/**
 * Creates what is missing at the first start: the folders (0700), the file (0600) and an API key of 64 hex digits,
 * which is logged only this once (spec 000 §5.1).
 *
 * @param given content of the file; undefined if there is none
 * @param keyElsewhere true if the environment or a flag sets the API key, so the file need not
 * @returns the current text of the file, its content, and a key that could not be stored
 */
export async function firstStart(options: {
  path: string;
  dataDir: string;
  text: string | undefined;
  given: JsonObject | undefined;
  keyElsewhere: boolean;
  now: number;
  log: Logger;
}): Promise<{ text: string; raw: JsonObject; looseKey?: string }> {
  const { path, dataDir, text, given, keyElsewhere, now, log } = options;
  for (const folder of [dirname(path), dataDir])
    try {
      makeFolder(folder);
    } catch (error) {
      throw unwritableFault(path, error);
    }
  await warnOfOpenDoors(path, dataDir, log);
  await removeLeftoverFiles(path, now);

  const key = keyElsewhere || given?.api_key ? undefined : randomBytes(32).toString("hex");
  if (given && key === undefined) return { text: text ?? "", raw: given };
  const raw: JsonObject = given
    ? { ...given, api_key: key }
    : { $schema: SCHEMA_REFERENCE, ...(key && { api_key: key }), mcpServers: [] };
  const announce = (where: string) =>
    key &&
    log.warn(`generated the API key of the administrator, which is shown only once ${where}`, {
      api_key: revealed(key),
    });
  try {
    const written = documentText(raw);
    if (given) await writeFileDurably(path, written);
    else if (!(await createFileDurably(path, written))) return await madeMeanwhile(path);
    announce(`and stored in ${path}`);
    return { text: written, raw };
  } catch (error) {
    if (!given || !key) throw unwritableFault(path, error);
    log.warn(`${path} cannot be written (${reasonOf(error)}), so every start generates another API key`);
    announce("and not stored");
    return { text: text ?? "", raw: given, looseKey: key };
  }
}

/** Uses the content of a file that another process created at the same moment. */
async function madeMeanwhile(path: string): Promise<{ text: string; raw: JsonObject }> {
  const text = (await readConfigText(path)) ?? "";
  return { text, raw: parseDocument(text, path) };
}

async function warnOfOpenDoors(path: string, dataDir: string, log: Logger): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await stat(dataDir);
  if (folder.mode & 0o022) log.warn(`other users can write to the data directory; fix it with: chmod 700 ${dataDir}`);
  const file = await stat(path).catch(() => undefined);
  if (file && file.mode & 0o007) log.warn(`all users can read the configuration; fix it with: chmod 600 ${path}`);
}
