import { isJsonObject } from "../base/json-object.ts";
import { jsonStringEnd, skipJsonSpace, walkJsonValue } from "../base/json-walk.ts";
import type { McpObject } from "../schema/mcp.ts";

/** Methods whose results hold URIs of resources. */
type UriMethod = "tools/call" | "prompts/get" | "resources/read";

/** Whether `mapResultUris` would change a result; checked on the parsed value, which exists already. */
export function holdsUris(method: UriMethod, result: unknown): boolean {
  if (!isJsonObject(result)) return false;
  switch (method) {
    case "tools/call":
      return hasContentUri(result.content) || hasAppUri(result._meta);
    case "prompts/get":
      return Array.isArray(result.messages) && result.messages.some((one) => hasContentUri([one?.content].flat()));
    case "resources/read":
      return true;
  }
}

/**
 * Replaces the URIs in the raw text of a result and leaves every other byte as it is.
 *
 * @param raw valid JSON
 * @param change maps a URI to its replacement
 */
export function mapResultUris(method: UriMethod, raw: string, change: (uri: string) => string): string {
  const pieces: string[] = [];
  let done = 0;
  walk(raw, skipJsonSpace(raw, 0), PATHS[method], (from, to) => {
    const before = textOf(raw.slice(from, to));
    const after = change(before);
    if (after === before) return;
    pieces.push(raw.slice(done, from), JSON.stringify(after));
    done = to;
  });
  return pieces.length === 0 ? raw : pieces.join("") + raw.slice(done);
}

/**
 * The inverse: replaces each text in arguments that `unmap` knows, at any depth. A model passes a URI that it saw
 * to the next tool of the same server, which only knows its own.
 *
 * @returns the same value where nothing changes; what changes is copied
 */
export function unmapArguments<T>(value: T, unmap: (text: string) => string | undefined): T {
  const replaced = (inner: unknown, depth: number): unknown => {
    if (typeof inner === "string") return unmap(inner) ?? inner;
    if (typeof inner !== "object" || inner === null || depth === MAX_DEPTH) return inner;
    let copy: unknown;
    for (const key of Object.keys(inner)) {
      const before = (inner as McpObject)[key];
      const after = replaced(before, depth + 1);
      if (after === before) continue;
      copy ??= Array.isArray(inner) ? [...inner] : { ...inner };
      (copy as McpObject)[key] = after;
    }
    return copy ?? inner;
  };
  // Only texts are replaced, by texts.
  return replaced(value, 0) as T;
}

/** Texts nested deeper than this in arguments stay unchanged. */
const MAX_DEPTH = 100;

/** Where the URIs stand: the members of an object, the one element of a list for all of its elements, or a text. */
type Path = "uri" | readonly [Path] | { readonly [key: string]: Path };

const CONTENT: Path = { uri: "uri", resource: { uri: "uri" } };
/** Of the MCP Apps extension; the second is how it was written before. */
const APP: Path = { ui: { resourceUri: "uri" }, "ui/resourceUri": "uri" };
const PATHS: Readonly<Record<UriMethod, Path>> = {
  "tools/call": { content: [CONTENT], _meta: APP },
  "prompts/get": { messages: [{ content: CONTENT }] },
  "resources/read": { contents: [{ uri: "uri" }] },
};

function hasContentUri(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  for (const one of content) if (one?.type === "resource_link" || one?.type === "resource") return true;
  return false;
}

function hasAppUri(meta: unknown): boolean {
  if (!isJsonObject(meta)) return false;
  return meta["ui/resourceUri"] !== undefined || (isJsonObject(meta.ui) && meta.ui.resourceUri !== undefined);
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;

/** @returns the index after the value at `at` */
function walk(raw: string, at: number, path: Path, found: (from: number, to: number) => void): number {
  const first = raw.charCodeAt(at);
  if (path === "uri") {
    if (first !== QUOTE) return valueEnd(raw, at);
    const end = jsonStringEnd(raw, at);
    found(at, end);
    return end;
  }
  if (isListPath(path)) return first === OPEN_BRACKET ? walkElements(raw, at, path[0], found) : valueEnd(raw, at);
  return first === OPEN_BRACE ? walkMembers(raw, at, path, found) : valueEnd(raw, at);
}

function walkElements(raw: string, from: number, path: Path, found: (from: number, to: number) => void): number {
  let at = skipJsonSpace(raw, from + 1);
  while (at < raw.length && raw.charCodeAt(at) !== CLOSE_BRACKET) {
    at = skipJsonSpace(raw, walk(raw, at, path, found));
    if (raw.charCodeAt(at) === COMMA) at = skipJsonSpace(raw, at + 1);
  }
  return at + 1;
}

/** Of several members with one key all are walked, since readers differ in which one counts. */
function walkMembers(
  raw: string,
  from: number,
  paths: { readonly [key: string]: Path },
  found: (from: number, to: number) => void,
): number {
  let at = skipJsonSpace(raw, from + 1);
  while (raw.charCodeAt(at) === QUOTE) {
    const keyEnd = jsonStringEnd(raw, at);
    const key = textOf(raw.slice(at, keyEnd));
    const value = skipJsonSpace(raw, skipJsonSpace(raw, keyEnd) + 1);
    const path = Object.hasOwn(paths, key) ? paths[key] : undefined;
    at = skipJsonSpace(raw, path === undefined ? valueEnd(raw, value) : walk(raw, value, path, found));
    if (raw.charCodeAt(at) === COMMA) at = skipJsonSpace(raw, at + 1);
  }
  return at + 1;
}

function isListPath(path: Path): path is readonly [Path] {
  return Array.isArray(path);
}

function valueEnd(raw: string, at: number): number {
  const place = { at, depth: 0, deepest: 0 };
  walkJsonValue(raw, place, Number.POSITIVE_INFINITY);
  return place.at;
}

/** @param token a JSON string with its quotes */
function textOf(token: string): string {
  return token.includes("\\") ? JSON.parse(token) : token.slice(1, -1);
}
