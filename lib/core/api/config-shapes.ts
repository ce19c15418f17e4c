import * as v from "valibot";
import { configKeys } from "../config/config-keys.ts";

const about = v.description;

/**
 * A complete configuration, or a part of one. The schema of the configuration checks it later and reports every error.
 */
export const ConfigDocumentShape = v.looseObject({} as ReturnType<typeof everyKey>);
// The members are read with the first request, because modules add their keys after this file is loaded.
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

/** Maximum size of a document. (bytes) */
export const MAX_DOCUMENT_BYTES = 4 << 20;

export const ConfigProblemShape = v.object({
  field: v.pipe(v.string(), about("path of the key")),
  message: v.string(),
});
