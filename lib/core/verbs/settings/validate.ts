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
  /** Warnings about a valid document that may contain a mistake. */
  warnings: { field: string; message: string }[];
}

/** Reports the problems that applying a configuration document would find, and changes nothing (spec 000 §4.6). */
export async function validateSettings(app: App, document: JsonObject, caller: Caller): Promise<SettingsValidation> {
  let settings = document;
  try {
    // Masks are replaced by stored values only for callers that may apply the document.
    if (caller.tier === "admin") settings = restoreMaskedConfig(app.config.file(), document);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { valid: false, errors: [{ field: String(error.facts.field), message: error.message }], warnings: [] };
  }
  const checked = checkConfig(settings);
  if (!checked.ok)
    return { valid: false, errors: checked.problems.map(({ field, message }) => ({ field, message })), warnings: [] };
  // Callers that may not read the configuration must not learn which folders exist on this machine.
  const folders = caller.tier === "admin" ? await missingFolders(checked.config.mcpServers) : [];
  return { valid: true, errors: [], warnings: [...checked.unknown.map(unknownKey), ...folders] };
}

async function missingFolders(servers: readonly ServerConfig[]): Promise<SettingsValidation["warnings"]> {
  const found = await Promise.all(servers.map(missingFolder));
  return found.flatMap((message, at) => (message ? [{ field: `mcpServers[${at}].working_dir`, message }] : []));
}
