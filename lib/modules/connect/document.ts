import { createScanner, type ParseError, parse as parseJsonc, printParseErrorCode } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { parseDocument as parseYaml } from "yaml";
import { MAX_JSON_DEPTH } from "../../core/base/parse-json.ts";
import type { Format } from "./client.ts";

/** jsonc-parser's token number for the end of the text. */
const END = 17;

/** An error in a configuration that cannot be parsed or changed. */
export class Malformed extends Error {
  override readonly name = "Malformed";
}

/** Decodes a file: UTF-8, with or without a byte order mark. @throws Malformed */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Malformed("it is not UTF-8 text");
  }
}

/**
 * Parses a client's configuration into plain values. A text without content is an empty document. JSON may have
 * comments and trailing commas, whatever the client: an edit preserves them.
 *
 * @throws Malformed
 */
export function parse(format: Format, text: string): unknown {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (body.trim() === "") return {};
  try {
    const value = PARSE[format](body);
    checkDepth(value);
    return value;
  } catch (error) {
    throw new Malformed(firstLine(error));
  }
}

const PARSE = { json: parseJsonText, jsonc: parseJsonText, toml: parseTomlText, yaml: parseYamlText };

/** Limits the depth, because later code recurses over the document. */
function checkDepth(document: unknown): void {
  let level: unknown[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) throw new Malformed(`it is nested more than ${MAX_JSON_DEPTH} deep`);
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
}

function parseTomlText(text: string): unknown {
  return parseToml(text, { integersAsBigInt: "asNeeded" });
}

function parseJsonText(text: string): unknown {
  // The text contains only comments.
  if ((createScanner(text, true).scan() as number) === END) return {};
  const errors: ParseError[] = [];
  const value = parseJsonc(text, errors, { allowTrailingComma: true, disallowComments: false });
  const [first] = errors;
  if (!first) return value ?? {};
  const before = text.slice(0, first.offset).split("\n");
  throw new Malformed(`line ${before.length}: ${inWords(printParseErrorCode(first.error))}`);
}

/** `PropertyNameExpected` as words: "property name expected". */
const inWords = (code: string) => code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();

function parseYamlText(text: string): unknown {
  const document = parseYaml(text, { prettyErrors: true, maxAliasCount: 100 } as object);
  const [first] = document.errors;
  if (first) throw new Malformed(firstLine(first));
  return document.toJS({ maxAliasCount: 100 }) ?? {};
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split("\n")[0]!;
