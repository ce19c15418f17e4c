import * as v from "valibot";
import { configKeys } from "../config/config-keys.ts";

const about = v.description;
const names = (description: string) => v.pipe(v.array(v.string()), about(description));

/** A whole configuration, or a part of one; judged by the configuration's own schema, which names every problem. */
export const ConfigDocumentShape = v.looseObject({} as ReturnType<typeof everyKey>);
// Looked at with the first request: modules add their keys after this file is loaded.
Object.defineProperty(ConfigDocumentShape, "entries", { configurable: true, get: () => settleEntries() });

function settleEntries(): ReturnType<typeof everyKey> {
  const value = everyKey();
  Object.defineProperty(ConfigDocumentShape, "entries", { value });
  return value;
}

const everyKey = () =>
  Object.fromEntries(
    configKeys().map(({ key, description }) => [key, v.optional(v.pipe(v.unknown(), about(description)))]),
  );

/** A configuration as it is shown, masked; the reference describes it as the file (`components.schemas.Configuration`). */
export const ShownConfigShape = v.looseObject({});

/** Largest document that is taken. (bytes) */
export const MAX_DOCUMENT_BYTES = 4 << 20;

export const ConfigProblemShape = v.object({
  field: v.pipe(v.string(), about("path of the key")),
  message: v.string(),
});

export const ConfigVersionShape = v.object({
  version: v.pipe(v.number(), about("version number; use it to restore the version")),
  timestamp: v.pipe(v.string(), about("time at which the version took effect")),
  by: v.pipe(v.string(), about("author; `configuration file` for an edit by hand")),
  changed_fields: names("top-level keys that differ from the previous version"),
});
