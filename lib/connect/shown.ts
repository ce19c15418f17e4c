import { structuredPatch } from "diff";
import { createScanner } from "jsonc-parser";
import { isScalar, parseDocument, visit } from "yaml";
import { isObject } from "../base/merge.ts";
import { maskArgs } from "../redact/args.ts";
import { maskJson } from "../redact/json.ts";
import { scrubLine } from "../redact/lines.ts";
import { mask } from "../redact/mask.ts";
import { maskUrl } from "../redact/url.ts";
import { type Client, read } from "./client.ts";
import { Malformed, parse } from "./document.ts";
import { apply, type Edit } from "./edit.ts";
import { decoded, stringAt } from "./toml.ts";

/** Longest difference that is shown. (characters) */
const MOST = 64 * 1024;
/** A comparison that takes longer is left out. (ms) */
const PATIENCE = 1000;

/**
 * What a change does to a configuration, line by line as `diff -u` tells it, every secret in it masked: those of the
 * other servers, too, since they stand right beside.
 */
export function shownDiff(client: Client, before: string, after: string): string {
  const [old, now] = [masked(client, before), masked(client, after)];
  const patch = structuredPatch("before", "after", old, now, "", "", { context: 3, timeout: PATIENCE });
  if (!patch) return "the files differ in too many places to be compared";
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: own }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...own.map((line) => line.slice(0, 1) + scrubLine(line.slice(1).replace(/\r$/, ""))),
  ]);
  const text = lines.join("\n");
  return text.length > MOST ? `${text.slice(0, MOST)}\n…` : text;
}

/** The text with masks in the places of secrets, whatever way they are written there. */
function masked(client: Client, text: string): string {
  const secrets = secretsOf(client, text);
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  const body = text.slice(mark);
  const edits: Edit[] = [];
  const offer = (from: number, to: number, value: string) => {
    const shown = secrets.get(value);
    if (shown !== undefined) edits.push({ from, to, text: JSON.stringify(shown) });
  };
  STRINGS[client.format](body, offer);
  return apply(body, edits);
}

type Offer = (from: number, to: number, value: string) => void;

const STRINGS = { json: jsonStrings, jsonc: jsonStrings, toml: tomlStrings, yaml: yamlStrings };

function jsonStrings(text: string, offer: Offer): void {
  const scanner = createScanner(text, true);
  // jsonc-parser's numbers for a string and the end.
  for (let kind: number = scanner.scan(); kind !== 17; kind = scanner.scan())
    if (kind === 10)
      offer(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength(), scanner.getTokenValue());
}

function yamlStrings(text: string, offer: Offer): void {
  visit(parseDocument(text), (_, node) => {
    if (isScalar(node) && node.range) offer(node.range[0], node.range[1], String(node.value));
  });
}

function tomlStrings(text: string, offer: Offer): void {
  for (let at = 0; at < text.length; ) {
    const string = stringAt(text, at);
    if (string !== undefined) {
      offer(at, at + string.length, decoded(string));
      at += string.length;
    } else if (text[at] === "#") at = text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at);
    else at++;
  }
}

/** Every text of a configuration that is shown masked, and how. */
function secretsOf(client: Client, text: string): Map<string, string> {
  const secrets = new Map<string, string>();
  const add = (value: string, shown: string) => {
    if (value !== shown) secrets.set(value, shown);
  };
  let document: unknown;
  try {
    document = parse(client.format, text);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return secrets;
  }
  together(document, maskJson(document), add);
  for (const { reach } of read(client, document).entries) {
    if (reach.kind === "stdio") {
      for (const value of Object.values(reach.env)) add(value, mask(value));
      for (const [i, shown] of maskArgs(reach.args).entries()) add(reach.args[i]!, shown);
    } else {
      for (const value of Object.values(reach.headers)) add(value, mask(value));
      add(reach.url, maskUrl(reach.url));
    }
  }
  return secrets;
}

/** Each text of one value with the text in the same place of another. */
function together(value: unknown, shown: unknown, add: (value: string, shown: string) => void): void {
  if (typeof value === "string") add(value, typeof shown === "string" ? shown : mask(value));
  else if (Array.isArray(value))
    for (const [i, item] of value.entries()) together(item, Array.isArray(shown) ? shown[i] : undefined, add);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) together(item, isObject(shown) ? shown[key] : undefined, add);
}
