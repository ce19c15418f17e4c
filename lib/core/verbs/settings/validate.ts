import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { JsonObject } from "../../base/json-object.ts";
import { checkConfig } from "../../config/check.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { unknownKey } from "../../config/unknown-key.ts";
import type { Caller } from "../../schema/caller.ts";
import { restoreMaskedConfig } from "../../secrets/mask/restore-masked-config.ts";
import { missingFolder } from "../servers/missing-folder.ts";

interface SettingsValidation {
  valid: boolean;
  errors: { field: string; message: string }[];
  /** What does no harm but may not be meant. */
  warnings: { field: string; message: string }[];
}

/** Says what is wrong with a whole configuration document, as applying it would find; changes nothing (spec 000 §4.6). */
export async function validateSettings(app: App, document: JsonObject, caller: Caller): Promise<SettingsValidation> {
  let meant = document;
  try {
    // Only who may apply it has stored values to turn masks back to.
    if (caller.tier === "admin") meant = restoreMaskedConfig(app.config.file(), document);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { valid: false, errors: [{ field: String(error.facts.field), message: error.message }], warnings: [] };
  }
  const checked = checkConfig(meant);
  if (!checked.ok)
    return { valid: false, errors: checked.problems.map(({ field, message }) => ({ field, message })), warnings: [] };
  // A folder of this machine is nobody's business who may not read its configuration.
  const folders = caller.tier === "admin" ? await missingFolders(checked.config.mcpServers) : [];
  return { valid: true, errors: [], warnings: [...checked.unknown.map(unknownKey), ...folders] };
}

async function missingFolders(servers: readonly ServerConfig[]): Promise<SettingsValidation["warnings"]> {
  const found = await Promise.all(servers.map(missingFolder));
  return found.flatMap((message, at) => (message ? [{ field: `mcpServers[${at}].working_dir`, message }] : []));
}
