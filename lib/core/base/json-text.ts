import { findNodeAtLocation, type Node, parseTree, visit } from "jsonc-parser";

/** The first syntax error of a JSON text, with its position. Lines and columns count from 1. */
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

interface JsonText {
  value: unknown;
  /** Returns the line of a member or element, or of its nearest parent that exists. */
  lineOf(path: readonly (string | number)[]): number;
}

/** Deepest nesting of a document that people write by hand. */
const MAX_DEPTH = 100;
const WORD = /[A-Za-z_$][\w$]*/y;
/** Codes of jsonc-parser for errors within a number and a string. Its const enum is not available at run time. */
const NUMBER_ERROR = 13;
const STRING_ERRORS = [12, 14, 15, 16];

/**
 * Parses strict JSON that people write by hand. Reports the line and column of a mistake, rejects a key given twice
 * (the first value would be lost), and knows the line of every value. A leading byte order mark is ignored.
 *
 * @throws JsonTextError
 */
export function parseJsonText(source: string, maxDepth = MAX_DEPTH): JsonText {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  check(text, maxDepth);
  let root: Node | undefined;
  return {
    value: JSON.parse(text),
    lineOf(path) {
      root ??= parseTree(text)!;
      for (let length = path.length; length > 0; length--) {
        const node = findNodeAtLocation(root, path.slice(0, length));
        // The line of a member is that of its key.
        if (node) return lineAt(text, node.parent?.type === "property" ? node.parent.offset : node.offset);
      }
      return lineAt(text, root.offset);
    },
  };
}

/** @throws JsonTextError for the first mistake */
function check(text: string, maxDepth: number): void {
  const open: { close: string; keys: Map<string, number> }[] = [];
  let expected: "value" | "key" | "colon" | "comma" = "value";
  let comma: number | undefined;

  const fail = (message: string, offset: number): never => {
    throw new JsonTextError(message, text, offset);
  };
  const enter = (at: number) => {
    if (open.length > maxDepth) fail(`nested deeper than ${maxDepth} levels`, at);
  };
  const begin = (close: string, at: number) => {
    enter(at);
    open.push({ close, keys: new Map() });
    expected = close === "}" ? "key" : "value";
    comma = undefined;
  };
  const end = (at: number) => {
    // At the end of the text the parser also reports the end of an open object; `onError` reports that mistake.
    if (text[at] !== open.at(-1)?.close) return;
    open.pop();
    expected = "comma";
  };

  visit(
    text,
    {
      onObjectBegin: (at) => begin("}", at),
      onArrayBegin: (at) => begin("]", at),
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty(key, at) {
        const { keys } = open.at(-1)!;
        const earlier = keys.get(key);
        if (earlier !== undefined)
          fail(`the key ${JSON.stringify(key)} already occurs on line ${lineAt(text, earlier)}`, at);
        keys.set(key, at);
        expected = "colon";
      },
      onLiteralValue(_value, at) {
        enter(at);
        expected = "comma";
      },
      onSeparator(character, at) {
        comma = character === "," ? at : undefined;
        expected = character === "," && open.at(-1)?.close === "}" ? "key" : "value";
      },
      onError(code: number, at) {
        const close = open.at(-1)?.close;
        if (comma !== undefined && expected !== "comma" && text[at] === close)
          fail(`a comma before ${JSON.stringify(close)}`, comma);
        if (STRING_ERRORS.includes(code))
          fail(
            `a ${expected === "key" ? "key" : "string"} is not closed, or contains a control character or an invalid escape`,
            at,
          );
        if (code === NUMBER_ERROR) fail("a number ends too early", at);
        if (expected === "value") fail(found(text, at), at);
        if (expected === "comma" && close === undefined) fail(`${found(text, at)} after the end of the document`, at);
        const expectedToken = expected === "comma" ? `comma or ${JSON.stringify(close)}` : expected;
        fail(`${found(text, at)}, expected a ${expectedToken}`, at);
      },
    },
    { disallowComments: true },
  );
}

/** Describes what stands at an offset, for error messages. */
function found(text: string, at: number): string {
  if (at >= text.length) return "the text ends too early";
  if (text.startsWith("//", at) || text.startsWith("/*", at) || text[at] === "#") return "JSON has no comments";
  if (text[at] === "'") return "strings and keys must be in double quotes";
  WORD.lastIndex = at;
  return `unexpected ${JSON.stringify(WORD.exec(text)?.[0] ?? text[at])}`;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf("\n"); i >= 0 && i < offset; i = text.indexOf("\n", i + 1)) line++;
  return line;
}
