import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { asset } from "../base/asset.ts";
import { reasonOf } from "../base/fault.ts";
import { writeFileDurably } from "../base/file.ts";
import type { JsonObject } from "../base/json-object.ts";
import type { Logger } from "../log/logger.ts";

/** Name of the JSON Schema beside the configuration file. */
export const SCHEMA_FILE = "mcp_config.schema.json";
/** The built-in schema, compressed. */
export const SCHEMA_ASSET = "config-schema.json.gz";
/** The value of `$schema` in a configuration whose schema the proxy keeps up to date. */
export const SCHEMA_REFERENCE = `./${SCHEMA_FILE}`;

/** Returns the path of the schema of a configuration file. */
export const schemaPath = (configPath: string): string => join(dirname(configPath), SCHEMA_FILE);

/** Returns the JSON Schema of the configuration of this version, as the build made it. */
export const configSchemaText = (): string => gunzipSync(asset(SCHEMA_ASSET)).toString("utf8");

/**
 * Writes the schema beside a configuration file that refers to it, unless the same schema is there. A failure is only
 * logged, because nothing but an editor needs the file.
 */
export async function refreshSchemaFile(configPath: string, document: JsonObject, log: Logger): Promise<void> {
  if (document.$schema !== SCHEMA_REFERENCE) return;
  const path = schemaPath(configPath);
  try {
    const text = configSchemaText();
    if ((await readFile(path, "utf8").catch(() => undefined)) !== text) await writeFileDurably(path, text);
  } catch (error) {
    log.debug(`the schema of the configuration cannot be written: ${reasonOf(error)}`);
  }
}

/** Returns a document with the `$schema` of the one that it replaces, if it has none. */
export function withSchemaOf(replaced: JsonObject, document: JsonObject): JsonObject {
  const kept = Object.hasOwn(replaced, "$schema") && !Object.hasOwn(document, "$schema");
  return kept ? { $schema: replaced.$schema, ...document } : document;
}
