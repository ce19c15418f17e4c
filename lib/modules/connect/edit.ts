import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, setOwnProperty } from "../../core/base/json-object.ts";
import { type Client, lookUp, members } from "./client.ts";
import { Malformed, parse } from "./document.ts";
import { putJson, removeJson } from "./json.ts";
import type { Edit, Layout, Place } from "./text-edits.ts";
import { putToml, removeToml } from "./toml.ts";
import { putYaml, removeYaml } from "./yaml.ts";

/**
 * Adds or replaces one entry and leaves every other byte of the configuration unchanged. The new text is parsed again
 * and compared with the expected document.
 *
 * @throws Malformed when the text cannot be parsed, or cannot be changed without changing something else
 */
export function put(client: Client, text: string, name: string, raw: JsonObject): string {
  return change(client, text, name, raw);
}

/** Removes one entry and leaves every other byte of the configuration unchanged. @throws Malformed as `put` */
export function remove(client: Client, text: string, name: string): string {
  return change(client, text, name, undefined);
}

function change(client: Client, text: string, name: string, raw: JsonObject | undefined): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const before = parse(client.format, body);
  if (!isJsonObject(before)) throw new Malformed("its top level is not an object");
  const place = { path: client.at(before), list: client.list === true, name };
  checkPath(before, place);
  const layout = layoutOf(client, body);
  const edits = raw === undefined ? REMOVE[client.format](body, place) : PUT[client.format](body, place, raw, layout);
  const after = apply(body, edits);
  check(client, before, after, place, raw);
  return mark + after;
}

const PUT = { json: putJson, jsonc: putJson, toml: putToml, yaml: putYaml };
const REMOVE = { json: removeJson, jsonc: removeJson, toml: removeToml, yaml: removeYaml };

/** Checks that the values along the path can contain the entry. */
function checkPath(document: JsonObject, { path, list }: Place): void {
  for (let length = 1; length <= path.length; length++) {
    const value = lookUp(document, path.slice(0, length));
    if (value === undefined || value === null) return;
    const fits = list && length === path.length ? Array.isArray(value) : isJsonObject(value);
    if (!fits) throw new Malformed(`${path.slice(0, length).join(".")} is not ${list ? "a list" : "an object"}`);
  }
}

function check(client: Client, before: JsonObject, text: string, place: Place, raw: JsonObject | undefined): void {
  const expected = plain(before) as JsonObject;
  alter(expected, place, raw && (plain(raw) as JsonObject));
  let after: unknown;
  try {
    after = plain(parse(client.format, text));
  } catch {
    after = undefined;
  }
  if (!isDeepStrictEqual(withoutHollow(after, place), withoutHollow(expected, place)))
    throw new Malformed(`the entry "${place.name}" cannot be changed without changing other parts of the file`);
  const now = members(client, after).some(([name]) => name === place.name);
  if (now !== (raw !== undefined)) throw new Malformed(`the entry "${place.name}" cannot be changed`);
}

/** Makes the same change on parsed values. */
function alter(document: JsonObject, { path, list, name }: Place, raw: JsonObject | undefined): void {
  let at = document;
  path.forEach((key, i) => {
    const empty: unknown = list && i === path.length - 1 ? [] : {};
    if (!Object.hasOwn(at, key) || at[key] === null) setOwnProperty(at, key, empty);
    at = at[key] as JsonObject;
  });
  if (Array.isArray(at)) {
    const i = at.findIndex((item) => isJsonObject(item) && item.name === name);
    if (raw === undefined) at.splice(i, 1);
    else at.splice(i < 0 ? at.length : i, i < 0 ? 0 : 1, raw);
  } else if (raw === undefined) delete at[name];
  else setOwnProperty(at, name, raw);
}

/** Removes empty containers along the path: they mean the same as absent ones, and TOML cannot express them. */
function withoutHollow(document: unknown, { path }: Place): unknown {
  for (let length = path.length; length > 0; length--) {
    const parent = lookUp(document, path.slice(0, length - 1));
    const key = path[length - 1]!;
    const member = isJsonObject(parent) ? parent[key] : undefined;
    const hollow = member === null || (typeof member === "object" && Object.keys(member).length === 0);
    if (hollow) delete (parent as JsonObject)[key];
  }
  return document;
}

/** Converts the value of any parser to plain data: dates as text, objects with the usual prototype. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return { date: String(value.toISOString()) };
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function apply(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, text: by } of [...edits].sort((a, b) => a.from - b.from || a.to - b.to)) {
    parts.push(text.slice(at, from), by);
    at = to;
  }
  return parts.join("") + text.slice(at);
}

/** Wider steps are not taken for indentation (spaces). */
const WIDEST = 9;

/** The layout of most lines; two spaces if no line is indented. */
function layoutOf(client: Client, text: string): Layout {
  const crlf = text.split("\r\n").length - 1;
  const lf = text.split("\n").length - 1 - crlf;
  // The smallest indentation is one step; lines of comments do not count.
  const steps = [...text.matchAll(/^([ \t]+)[^\s#/*]/gm)].map(([, step]) => step!);
  const tab = steps.find((step) => step.startsWith("\t"));
  const narrowest = steps.reduce((min, step) => (step.includes("\t") ? min : Math.min(min, step.length)), WIDEST);
  const spaces = narrowest < WIDEST && narrowest > 1 ? narrowest : 2;
  return {
    unit: tab && client.format !== "yaml" ? "\t" : " ".repeat(spaces),
    eol: crlf > lf ? "\r\n" : "\n",
  };
}
