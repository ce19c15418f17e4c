import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { isJsonObject, type JsonObject, mergePatch } from "../../base/json-object.ts";
import { checkConfig } from "../../config/check.ts";
import { checkUnknownKeys } from "../../config/check-unknown-keys.ts";
import { configDocument } from "../../config/config-keys.ts";
import { withSchemaOf } from "../../config/schema-file.ts";
import { nearestKey } from "../../config/unknown-key.ts";
import type { Actor } from "../../schema/caller.ts";
import type { SettingsChange } from "../../schema/settings-change.ts";
import { restoreMaskedConfig } from "../../secrets/mask/restore-masked-config.ts";
import { changeSettings } from "./change.ts";

/**
 * How a document is applied. `apply`: it replaces the configuration, and absent keys get their defaults. `patch`:
 * objects merge at every depth, lists and scalars replace, null deletes (RFC 7396).
 */
export type WriteMode = "apply" | "patch";

interface WriteSettingsOptions {
  /** Revisions of the current document for which the change may be made; absent: any. */
  readonly expected?: readonly string[] | undefined;
  /** Allows `apply` to remove the API key or all servers. */
  readonly confirmed?: boolean;
  /** Allows `patch` to set unknown keys. */
  readonly allowsUnknown?: boolean;
}

/**
 * Applies a document or a patch to the configuration (spec 000 §4.6). Masks in it stand for the stored values.
 *
 * @throws Fault confirmation_required, and the faults of `changeSettings`
 */
export async function writeSettings(
  app: App,
  manner: WriteMode,
  document: JsonObject,
  by: Actor,
  { expected, confirmed, allowsUnknown }: WriteSettingsOptions = {},
): Promise<SettingsChange> {
  const edit = (stored: JsonObject) => {
    const meant = restoreMaskedConfig(stored, document);
    if (manner === "patch") {
      if (!allowsUnknown) refuseUnknown(app, meant);
      return mergePatch(stored, meant) as JsonObject;
    }
    // Errors in the document take precedence; the update reports them.
    if (!confirmed && checkConfig(meant).ok) refuseLoss(stored, meant);
    return withSchemaOf(stored, meant);
  };
  return await changeSettings(app, { action: manner, expected, asked: Object.keys(document), edit }, by);
}

/** Rejects unknown keys in a patch, unless the file already has the key or the patch removes it. */
function refuseUnknown({ config }: App, patch: JsonObject): void {
  const knownKeys = new Set(config.unknownKeys().map((path) => path.split(/[.[]/)[0]));
  const { unknown } = checkUnknownKeys(configDocument(), withoutNulls(patch));
  const [field] = unknown.filter((path) => !knownKeys.has(path.split(/[.[]/)[0]));
  if (field === undefined) return;
  const near = nearestKey(field);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  throw new Fault("invalid_request", {
    reason: `${field}: unknown field${meant}; to keep it anyway, repeat the request with ?allow_unknown=true (proxy config set --force)`,
  });
}

function withoutNulls(patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(patch).flatMap(([key, value]) =>
      value === null ? [] : [[key, isJsonObject(value) ? withoutNulls(value) : value]],
    ),
  );
}

/** Rejects a document without the API key or without any server, such as `{}`, because it is usually a mistake. */
function refuseLoss(stored: JsonObject, next: JsonObject): void {
  const has = (document: JsonObject, key: string) => (document[key] as { length?: number } | null | undefined)?.length;
  const lost = [
    ...(has(stored, "api_key") && !has(next, "api_key") ? ["the administrator's key (api_key)"] : []),
    ...(has(stored, "mcpServers") && !has(next, "mcpServers") ? [`all ${has(stored, "mcpServers")} server(s)`] : []),
  ];
  if (lost.length > 0)
    throw new Fault("confirmation_required", { reason: `this configuration drops ${lost.join(" and ")}` });
}
