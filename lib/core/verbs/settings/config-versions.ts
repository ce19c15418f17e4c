import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { type JsonObject, sameJson } from "../../base/json-object.ts";
import { checkConfig } from "../../config/check.ts";
import type { ConfigVersion, StoredConfigVersion } from "../../config/config-versions.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ConfigVersionEntry } from "../../schema/config-version-entry.ts";
import type { SettingsChange } from "../../schema/settings-change.ts";
import { maskConfig } from "../../secrets/mask/config.ts";
import { maskJson } from "../../secrets/mask/json.ts";
import { distrustServers } from "../servers/track.ts";
import { changeSettings, mayConfigure } from "./change.ts";

/** Lists the stored versions of the configuration file, newest first. */
export async function listConfigVersions({ config }: App): Promise<ConfigVersionEntry[]> {
  return (await config.history.list()).map(configVersionEntry);
}

/** Returns one version with its content, masked. @throws Fault no_such_record */
export async function readConfigVersion(
  app: App,
  number: string,
): Promise<ConfigVersionEntry & { current: boolean; config: JsonObject }> {
  const kept = await find(app, number);
  const current = sameJson(kept.document, app.config.raw());
  return { ...configVersionEntry(kept), current, config: maskedDocument(kept.document) };
}

/**
 * Restores an earlier version of the configuration, as a new change.
 *
 * @param options.force also replaces an invalid file that was edited by hand; a copy of it is kept
 * @throws Fault no_such_record, and the faults of `changeSettings`
 */
export async function restoreConfigVersion(
  app: App,
  number: string,
  by: Actor,
  { expected, force = false }: { expected?: readonly string[] | undefined; force?: boolean | undefined } = {},
): Promise<SettingsChange & { replaced?: string }> {
  const { document } = await find(app, number);
  const checked = checkConfig(document);
  if (checked.ok) {
    mayConfigure(app);
    await distrustServers(app, checked.config.mcpServers);
  }
  const replaced = force && checked.ok ? await app.config.setBrokenAside() : undefined;
  const settingNames = Object.keys(document);
  const done = await changeSettings(
    app,
    { action: "restore", expected, asked: settingNames, edit: () => document },
    by,
  );
  if (replaced === undefined) return done;
  return { ...done, message: `${done.message}; the invalid file was replaced and is kept as ${replaced}`, replaced };
}

async function find({ config }: App, number: string): Promise<StoredConfigVersion> {
  const kept = /^\d{1,15}$/.test(number) ? await config.history.read(Number(number)) : undefined;
  if (!kept) throw new Fault("no_such_record", { what: "configuration version", id: number });
  return kept;
}

/** Converts a stored version into its entry in responses, without the document. */
export function configVersionEntry({ version, at, by, changed, servers }: ConfigVersion): ConfigVersionEntry {
  return {
    version,
    timestamp: rfc3339(at),
    by,
    changed_fields: [...changed],
    ...(servers && { changed_servers: [...servers] }),
  };
}

/**
 * Masks a document. Masking by field needs a valid document; one that is no longer valid is masked like any other JSON.
 */
export function maskedDocument(document: JsonObject): JsonObject {
  const checked = checkConfig(document);
  return checked.ok ? maskConfig(checked.config as unknown as JsonObject) : maskJson(document);
}
