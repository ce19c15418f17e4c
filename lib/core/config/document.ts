import { parse as parseTolerant } from "jsonc-parser";
import { Fault, reasonOf } from "../base/fault.ts";
import { readBoundedFile, systemErrorCode } from "../base/file.ts";
import { isJsonObject, type JsonObject, setOwnProperty } from "../base/json-object.ts";
import { JsonTextError, parseJsonText } from "../base/json-text.ts";
import { checkConfig } from "./check.ts";

/** Maximum size of the configuration file. (bytes) */
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads the file; undefined if it does not exist. @throws Fault config_invalid if it cannot be read */
export async function readConfigText(path: string): Promise<string | undefined> {
  try {
    return (await readBoundedFile(path, MAX_BYTES)).bytes.toString("utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw new Fault("config_invalid", { reason: `${path} cannot be read: ${reasonOf(error)}` }, { cause: error });
  }
}

/**
 * Parses and checks the content of a configuration file.
 *
 * @throws Fault config_invalid that names file, line and key; also for an empty file, because a file that lost its
 *   content must not be treated as a first start
 */
export function parseDocument(text: string, path: string): JsonObject {
  if (isEmptyText(text)) throw new Fault("config_invalid", { reason: `${path} is empty` });
  try {
    const { value, lineOf } = parseJsonText(text);
    const document = upToDate(value);
    const checked = checkConfig(document);
    if (checked.ok) return document as JsonObject;
    const lines = checked.problems.slice(0, MAX_PROBLEMS).map((p) => `${path}:${lineOf(p.path)}: ${p.text}`);
    throw new Fault("config_invalid", { reason: lines.join("\n") });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new Fault("config_invalid", { reason: `${path}:${error.line}:${error.column}: ${error.message}` });
  }
}

/** Returns `data_dir` of a text that may have errors elsewhere; undefined if it cannot be found. */
export function dataDirIn(text: string): unknown {
  const value: unknown = parseTolerant(text.replace("\uFEFF", ""), [], { allowTrailingComma: true });
  return isJsonObject(value) ? value.data_dir : undefined;
}

/** True if a text contains only white space and a byte order mark. */
export const isEmptyText = (text: string): boolean => text.replace("\uFEFF", "").trim() === "";

const MAX_PROBLEMS = 10;

/** Formats a document as it is written to the file. */
export const documentText = (document: JsonObject): string => `${JSON.stringify(document, null, 2)}\n`;

/** Converts obsolete keys to current ones in a copy. The file is updated with the next change. */
function upToDate(document: unknown): unknown {
  if (!isJsonObject(document) || !Array.isArray(document.mcpServers)) return document;
  return { ...document, mcpServers: document.mcpServers.map(withTrustMode) };
}

/** Converts the obsolete `skip_quarantine: true` to `trust_mode: "auto"`, unless the entry sets a trust mode. */
function withTrustMode(server: unknown): unknown {
  if (!isJsonObject(server) || !Object.hasOwn(server, "skip_quarantine")) return server;
  const converted: JsonObject = {};
  for (const [key, value] of Object.entries(server)) {
    if (key !== "skip_quarantine") setOwnProperty(converted, key, value);
    else if (value === true && !server.trust_mode) converted.trust_mode = "auto";
  }
  return converted;
}
