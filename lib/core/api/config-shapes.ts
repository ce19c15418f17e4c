import * as v from "valibot";
import { configKeys } from "../config/config-keys.ts";

const about = v.description;

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

/** Largest document that is taken. (bytes) */
export const MAX_DOCUMENT_BYTES = 4 << 20;

export const ConfigProblemShape = v.object({
  field: v.pipe(v.string(), about("path of the key")),
  message: v.string(),
});
