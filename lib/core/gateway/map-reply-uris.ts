import { isJsonObject } from "../base/json-object.ts";
import { jsonStringEnd, skipJsonSpace, walkJsonValue } from "../base/json-walk.ts";
import { runSteps } from "../base/loop-share.ts";
import type { McpObject, Reply } from "../schema/mcp.ts";

/** Methods whose results contain URIs of resources. */
type UriMethod = "tools/call" | "prompts/get" | "resources/read";

/** True if `mapReplyUris` may change a result. It checks the parsed result, which exists in any case. */
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
 * Replaces the URIs in a result; all other bytes of its text stay as they are. Long results are processed in pieces.
 *
 * @param change returns the replacement of a URI
 * @returns the given reply if nothing changes
 */
export function mapReplyUris<T>(
  method: UriMethod,
  reply: Reply<T>,
  change: (uri: string) => string,
): Reply<T> | Promise<Reply<T>> {
  return runSteps(mapReplySteps(method, reply, change));
}

/**
 * Replaces, in arguments, each text for which `unmap` returns a value, at any depth. A model passes URIs that it has
 * seen to other tools of the same server, which knows only its own URIs.
 *
 * @returns the given value if nothing changes, otherwise a changed copy
 */
export function unmapArguments<T>(value: T, unmap: (text: string) => string | undefined): T | Promise<T> {
  // Texts are replaced by texts only, so the type stays the same.
  return runSteps(replaceSteps(value, "everywhere", (text) => unmap(text) ?? text, { values: 0 })) as T | Promise<T>;
}

/**
 * True if a text in a value, at any depth, passes the test. It is also true for a value with many members or a deep one,
 * so that the search takes microseconds.
 */
export function holdsText(value: unknown, test: (text: string) => boolean): boolean {
  return searchText(value, test, { left: MAX_SEARCHED });
}

/** Number of members and elements that are searched. */
const MAX_SEARCHED = 200;

function searchText(value: unknown, test: (text: string) => boolean, budget: { left: number }): boolean {
  if (typeof value === "string") return test(value);
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) {
    if (--budget.left < 0) return true;
    if (searchText((value as McpObject)[key], test, budget)) return true;
  }
  return false;
}

function* mapReplySteps<T>(
  method: UriMethod,
  reply: Reply<T>,
  change: (uri: string) => string,
): Generator<void, Reply<T>> {
  const { raw } = reply;
  const pieces: string[] = [];
  let done = 0;
  yield* walk(raw, { at: skipJsonSpace(raw, 0), yieldAt: PORTION }, PATHS[method], (from, to) => {
    const before = textOf(raw.slice(from, to));
    const after = change(before);
    if (after === before) return;
    pieces.push(raw.slice(done, from), JSON.stringify(after));
    done = to;
  });
  if (pieces.length === 0) return reply;
  pieces.push(raw.slice(done));
  const result = (yield* replaceSteps(reply.result, PATHS[method], change, { values: 0 })) as T;
  return { raw: pieces.join(""), result };
}

/** Returns a copy of a value with replaced texts, or the value itself if nothing changes. */
function* replaceSteps(
  value: unknown,
  path: Path | "everywhere",
  change: (text: string) => string,
  seen: { values: number },
  depth = 0,
): Generator<void, unknown> {
  if (typeof value === "string") return path === "uri" || path === "everywhere" ? change(value) : value;
  if (typeof value !== "object" || value === null || path === "uri" || depth === MAX_DEPTH) return value;
  if (path !== "everywhere" && isListPath(path) !== Array.isArray(value)) return value;
  let copy: unknown;
  for (const key of Object.keys(value)) {
    if (++seen.values % 1000 === 0) yield;
    const inner = path === "everywhere" ? path : isListPath(path) ? path[0] : memberOf(path, key);
    if (inner === undefined) continue;
    const before = (value as McpObject)[key];
    const after = yield* replaceSteps(before, inner, change, seen, depth + 1);
    if (after === before) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    (copy as McpObject)[key] = after;
  }
  return copy ?? value;
}

/** Texts in arguments that are nested deeper than this are not replaced. */
const MAX_DEPTH = 100;

/**
 * Describes where URIs are in a value: by the members of an object, by one entry for all elements of a list, or `uri`
 * for a text that is a URI.
 */
type Path = "uri" | readonly [Path] | { readonly [key: string]: Path };

const CONTENT: Path = { uri: "uri", resource: { uri: "uri" } };
/** URIs of the MCP Apps extension; the second member is that of its older versions. */
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

/** Number of characters that are processed between two pauses. */
const PORTION = 65_536;

interface Place {
  at: number;
  yieldAt: number;
}

/** Moves `place` to the end of the value that starts there. */
function* walk(raw: string, place: Place, path: Path, found: (from: number, to: number) => void): Generator<void> {
  const first = raw.charCodeAt(place.at);
  if (path === "uri" && first === QUOTE) {
    const from = place.at;
    place.at = jsonStringEnd(raw, from);
    found(from, place.at);
  } else if (path !== "uri" && isListPath(path) && first === OPEN_BRACKET)
    yield* walkElements(raw, place, path[0], found);
  else if (path !== "uri" && !isListPath(path) && first === OPEN_BRACE) yield* walkMembers(raw, place, path, found);
  else yield* skipValue(raw, place);
  if (place.at < place.yieldAt) return;
  place.yieldAt = place.at + PORTION;
  yield;
}

function* walkElements(
  raw: string,
  place: Place,
  path: Path,
  found: (from: number, to: number) => void,
): Generator<void> {
  place.at = skipJsonSpace(raw, place.at + 1);
  while (place.at < raw.length && raw.charCodeAt(place.at) !== CLOSE_BRACKET) {
    yield* walk(raw, place, path, found);
    skipComma(raw, place);
  }
  place.at++;
}

/**
 * If an object has several members with the same key, all are processed, because parsers differ in which one they use.
 */
function* walkMembers(
  raw: string,
  place: Place,
  paths: { readonly [key: string]: Path },
  found: (from: number, to: number) => void,
): Generator<void> {
  place.at = skipJsonSpace(raw, place.at + 1);
  while (raw.charCodeAt(place.at) === QUOTE) {
    const keyEnd = jsonStringEnd(raw, place.at);
    const path = memberOf(paths, textOf(raw.slice(place.at, keyEnd)));
    place.at = skipJsonSpace(raw, skipJsonSpace(raw, keyEnd) + 1);
    if (path === undefined) yield* skipValue(raw, place);
    else yield* walk(raw, place, path, found);
    skipComma(raw, place);
  }
  place.at++;
}

function* skipValue(raw: string, place: Place): Generator<void> {
  const skipped = { at: place.at, depth: 0, deepest: 0 };
  while (!walkJsonValue(raw, skipped, PORTION)) yield;
  place.at = skipped.at;
}

function skipComma(raw: string, place: Place): void {
  place.at = skipJsonSpace(raw, place.at);
  if (raw.charCodeAt(place.at) === COMMA) place.at = skipJsonSpace(raw, place.at + 1);
}

function memberOf(paths: { readonly [key: string]: Path }, key: string): Path | undefined {
  return Object.hasOwn(paths, key) ? paths[key] : undefined;
}

function isListPath(path: Path): path is readonly [Path] {
  return Array.isArray(path);
}

/** @param token a JSON string with its quotes */
function textOf(token: string): string {
  return token.includes("\\") ? JSON.parse(token) : token.slice(1, -1);
}
