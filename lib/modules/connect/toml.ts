import { parse } from "smol-toml";
import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";
import { Malformed } from "./document.ts";
import type { Edit, Layout, Place } from "./text-edits.ts";

/**
 * Edits of TOML texts that leave every other byte unchanged. A text is read as statements (headers, keys with values)
 * with the full path of each; values are skipped, not parsed.
 */

interface Statement {
  readonly kind: "header" | "value";
  /** Path from the top of the document. */
  readonly path: readonly string[];
  /** From the start of its first line to the end of its last one. */
  readonly from: number;
  readonly to: number;
}

/** Returns the edits that set the entry in a TOML file; everything else keeps its form. */
export function putToml(text: string, place: Place, raw: JsonObject, { eol }: Layout): Edit[] {
  const statements = scan(text);
  const path = [...place.path, place.name];
  const tableStatements = statements.filter((s) => startsWith(s.path, path));
  const table = render(path, raw, eol);
  if (tableStatements[0]?.kind === "header") {
    const [first, ...rest] = removals(text, statements, path);
    return [{ ...first!, text: table }, ...rest];
  }
  // After the other servers, or at the end. Comments before the next header belong to that header.
  const beside = statements.filter((s) => s.kind === "header" && startsWith(s.path, place.path)).at(-1);
  const last = beside ? lastOf(statements, beside) : undefined;
  const at = last?.to ?? text.length;
  const before = text.slice(0, at);
  const gap = before === "" || /\n[ \t]*\r?\n$/.test(before) ? "" : before.endsWith("\n") ? eol : eol + eol;
  const follows = text.slice(at).trim() !== "" && !/^[ \t]*\r?\n/.test(text.slice(at));
  return [...removals(text, statements, path), { from: at, to: at, text: gap + table + (follows ? eol : "") }];
}

/** Returns the edits that remove the entry from a TOML file; none if it has no such entry. */
export function removeToml(text: string, { path, name }: Place): Edit[] {
  const statements = scan(text);
  return removals(text, statements, [...path, name]).map((edit) => withGap(text, edit));
}

/** Extends a block to the empty lines before it, if empty lines or nothing follow it. */
function withGap(text: string, { from, to }: Edit): Edit {
  const rest = text.slice(to);
  if (rest !== "" && !/^[ \t]*\r?\n/.test(rest)) return { from, to, text: "" };
  const gap = /(?:(?<=\n)|^)[ \t]*\r?\n$/.exec(text.slice(0, from))?.[0].length ?? 0;
  return { from: from - gap, to, text: "" };
}

/** The statements at a path or below it, adjacent ones joined. */
function removals(text: string, statements: readonly Statement[], path: readonly string[]): Edit[] {
  const edits: { from: number; to: number; text: string }[] = [];
  let joined = false;
  for (const { path: at, from, to } of statements) {
    const isOwn = startsWith(at, path);
    const last = edits.at(-1);
    // Comments between two statements of one entry belong to the entry.
    if (isOwn && joined && last && isRemarks(text.slice(last.to, from))) last.to = to;
    else if (isOwn) edits.push({ from, to, text: "" });
    joined = isOwn;
  }
  return edits;
}

const isRemarks = (text: string) => text.split("\n").every((line) => /^\s*(?:#.*)?$/.test(line));

const startsWith = (path: readonly string[], start: readonly string[]) => start.every((key, i) => path[i] === key);

/** The last statement under a header. */
function lastOf(statements: readonly Statement[], header: Statement): Statement {
  let last = header;
  for (const s of statements.slice(statements.indexOf(header) + 1)) {
    if (s.kind === "header") break;
    last = s;
  }
  return last;
}

function scan(text: string): Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let at = 0;
  while (at < text.length) {
    const line = at;
    at = skip(/[ \t\r\n]*/y, text, at);
    if (at >= text.length) break;
    if (text[at] === "#") {
      at = behindLine(text, at);
      continue;
    }
    const from = Math.max(line, text.lastIndexOf("\n", at) + 1);
    if (text[at] === "[") {
      const [, open] = /^(\[\[?)/.exec(text.slice(at, at + 2))!;
      const key = readKey(text, at + open!.length);
      table = key.path;
      at = behindLine(text, key.end);
      statements.push({ kind: "header", path: table, from, to: at });
    } else {
      const key = readKey(text, at);
      at = behindLine(text, valueEnd(text, skip(/[ \t]*=[ \t]*/y, text, key.end)));
      statements.push({ kind: "value", path: [...table, ...key.path], from, to: at });
    }
  }
  return statements;
}

const BARE = /[A-Za-z0-9_-]+/y;
const BASIC = /"(?:[^"\\\n]|\\.)*"/y;
const LITERAL = /'[^'\n]*'/y;

/** Reads a dotted key. @throws Malformed */
function readKey(text: string, start: number): { path: string[]; end: number } {
  const path: string[] = [];
  let at = skip(/[ \t]*/y, text, start);
  for (;;) {
    const token = match(BARE, text, at) ?? match(BASIC, text, at) ?? match(LITERAL, text, at);
    if (token === undefined) throw new Malformed("a key in it cannot be read");
    path.push(token.startsWith("'") ? token.slice(1, -1) : token.startsWith('"') ? decoded(token) : token);
    at += token.length;
    const dot = match(/[ \t]*\.[ \t]*/y, text, at);
    if (dot === undefined) return { path, end: at };
    at += dot.length;
  }
}

/** The end of a value; strings are skipped and brackets are counted. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const string = stringAt(text, at);
    if (string !== undefined) at += string.length;
    else if (text[at] === "#") {
      if (depth === 0) return at;
      at = behindLine(text, at);
    } else {
      if ("[{".includes(text[at]!)) depth++;
      else if ("]}".includes(text[at]!)) depth--;
      else if (text[at] === "\n" && depth === 0) return at;
      at++;
    }
  }
  return text.length;
}

const STRINGS = [/"""(?:[^\\]|\\[\s\S])*?"{3,5}/y, /'''[\s\S]*?'{3,5}/y, BASIC, LITERAL];

/** The string at a position, with its quotes. */
function stringAt(text: string, at: number): string | undefined {
  if (text[at] !== '"' && text[at] !== "'") return undefined;
  for (const kind of STRINGS) {
    const found = match(kind, text, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const skip = (pattern: RegExp, text: string, at: number) => at + (match(pattern, text, at)?.length ?? 0);

function behindLine(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}

/** The value of a string token. */
function decoded(token: string): string {
  return String((parse(`x = ${token}`) as { x?: unknown }).x);
}

function render(path: readonly string[], raw: JsonObject, eol: string): string {
  const lines = Object.entries(raw).map(([key, value]) => `${bare(key)} = ${inline(value)}`);
  return [`[${path.map(bare).join(".")}]`, ...lines, ""].join(eol);
}

const bare = (key: string) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : basic(key));
const basic = (text: string) => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

function inline(value: unknown): string {
  if (typeof value === "string") return basic(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.entries(value).map(([key, member]) => `${bare(key)} = ${inline(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
