/** Where a JSON text stops being JSON. Lines and columns count from 1. */
export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
  readonly line: number;
  readonly column: number;

  constructor(message: string, text: string, offset: number) {
    super(message);
    const before = text.slice(0, offset).split("\n");
    this.line = before.length;
    this.column = before.at(-1)!.length + 1;
  }
}

export interface JsonText {
  value: unknown;
  /** The line of a member or element, or of the nearest parent that exists. */
  lineOf(path: readonly (string | number)[]): number;
}

/** Deepest nesting of what is written by hand. */
const MAX_DEPTH = 100;
const NUMBER = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const SPACES = [0x20, 0x0a, 0x0d, 0x09];

/**
 * Parses strict JSON written by hand: says line and column of a mistake, refuses a key given twice (the first one would
 * be lost), and knows the line of every value. A byte order mark is passed over.
 *
 * @throws JsonTextError
 */
export function parseJsonText(source: string, maxDepth = MAX_DEPTH): JsonText {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  scan(text, maxDepth);
  let places: Map<string, number> | undefined;
  return {
    value: JSON.parse(text),
    lineOf(path) {
      if (!places) {
        places = new Map();
        scan(text, maxDepth, places);
      }
      for (let length = path.length; ; length--) {
        const offset = places.get(path.slice(0, length).reduce<string>(child, ""));
        if (offset !== undefined) return lineAt(text, offset);
      }
    },
  };
}

/** Goes once over the text. @param places filled with the offset of every member and element */
function scan(text: string, maxDepth: number, places?: Map<string, number>): void {
  let at = 0;

  const fail = (message: string, offset = at): never => {
    throw new JsonTextError(message, text, offset);
  };
  const take = (pattern: RegExp): string | undefined => {
    const start = at;
    pattern.lastIndex = at;
    if (!pattern.test(text)) return undefined;
    at = pattern.lastIndex;
    return text.slice(start, at);
  };
  const next = () => {
    while (SPACES.includes(text.charCodeAt(at))) at++;
    return text[at];
  };
  const describe = (): string => {
    if (at >= text.length) return "the text ends too early";
    if (text.startsWith("//", at) || text.startsWith("/*", at) || text[at] === "#") return "JSON has no comments";
    if (text[at] === "'") return "strings and keys stand in double quotes";
    return `unexpected ${JSON.stringify(take(WORD) ?? text[at])}`;
  };

  const string = (what: string): string => {
    const start = at;
    const token = take(STRING);
    if (token !== undefined) return token;
    if (text[at] !== '"') return fail(`${describe()}, where ${what} should be`, start);
    return fail(`${what} is not closed, or holds a control character or a wrong escape`, start);
  };
  const list = (close: string, item: (index: number) => void): void => {
    at++;
    if (next() === close) return void at++;
    for (let index = 0; ; index++) {
      item(index);
      const after = next();
      if (after === close) return void at++;
      if (after !== ",") fail(`${describe()}, where a comma or ${JSON.stringify(close)} should be`, at);
      const comma = at++;
      if (next() === close) fail(`a comma before ${JSON.stringify(close)}`, comma);
    }
  };
  const member = (path: string, depth: number, seen: Map<string, number>): void => {
    next();
    const start = at;
    const key = JSON.parse(string("a key")) as string;
    const earlier = seen.get(key);
    if (earlier !== undefined)
      fail(`the key ${JSON.stringify(key)} was given before, on line ${lineAt(text, earlier)}`, start);
    seen.set(key, start);
    if (next() !== ":") fail(`${describe()}, where a colon should be`);
    at++;
    const inner = places ? child(path, key) : "";
    places?.set(inner, start);
    value(inner, depth + 1);
  };
  const value = (path: string, depth: number): void => {
    if (depth > maxDepth) fail(`nested deeper than ${maxDepth} levels`);
    const first = next();
    const start = at;
    if (places && !places.has(path)) places.set(path, start);
    if (first === "{") {
      const seen = new Map<string, number>();
      list("}", () => member(path, depth, seen));
    } else if (first === "[") list("]", (index) => value(places ? child(path, index) : "", depth + 1));
    else if (first === '"') string("a string");
    else if (take(NUMBER) === undefined && !["true", "false", "null"].includes(take(WORD) ?? "")) {
      at = start;
      fail(describe(), start);
    }
  };

  value("", 0);
  if (next() !== undefined) fail(`${describe()} after the end of the document`);
}

/** Paths as map keys; the separator cannot stand unescaped in a JSON text. */
const child = (path: string, key: string | number): string => `${path}\u0000${key}`;

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf("\n"); i >= 0 && i < offset; i = text.indexOf("\n", i + 1)) line++;
  return line;
}
