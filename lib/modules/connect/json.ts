import { createScanner, type Node, parseTree } from "jsonc-parser";
import type { JsonObject } from "../../core/base/json-object.ts";
import { Malformed } from "./document.ts";
import { type Edit, indentOf, type Layout, lineEnd, lineStart, nextLine, type Place } from "./text-edits.ts";

/** jsonc-parser's token kinds. The package declares them as a `const enum`, which cannot be imported. */
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const SPACE = 15;

/** Edits of JSON texts, with or without comments, that leave every other byte unchanged. */

export function putJson(text: string, place: Place, raw: JsonObject, layout: Layout): Edit[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (!root) {
    // The text has only white space and comments, which are preserved.
    const trimmed = text.trimEnd();
    const value = [...place.path, place.name].reduceRight<unknown>((inner, key) => ({ [key]: inner }), raw);
    return [
      { from: trimmed.length, to: text.length, text: (trimmed && layout.eol) + render(value, "", layout) + layout.eol },
    ];
  }
  let node = root;
  const keys = [...place.path, place.name];
  for (const [i, key] of keys.entries()) {
    const member = memberOf(node, key);
    if (!member) {
      const value = keys.slice(i + 1).reduceRight<unknown>((inner, below) => ({ [below]: inner }), raw);
      return insert(text, node, key, value, layout);
    }
    node = member.children![1]!;
    if (node.type === "null" && i < keys.length - 1) {
      const value = keys.slice(i + 1).reduceRight<unknown>((inner, below) => ({ [below]: inner }), raw);
      return [replace(text, node, value, layout)];
    }
  }
  return [replace(text, node, raw, layout)];
}

/** Returns the edits that remove the entry from a JSON file with comments; none if it has no such entry. */
export function removeJson(text: string, { path, name }: Place): Edit[] {
  let node = parseTree(text, [], { allowTrailingComma: true });
  for (const key of path) node = node && memberOf(node, key)?.children?.[1];
  const member = node && memberOf(node, name);
  if (!node || !member) return [];
  const siblings = node.children!;
  const span = { from: member.offset, to: member.offset + member.length };
  const comma = commaAfter(text, span.to);
  if (comma !== undefined) {
    // Removes the complete lines, including the comma.
    if (/^\s*$/.test(text.slice(span.to, comma))) return [wholeLines(text, span.from, comma + 1)];
    return [wholeLines(text, span.from, span.to), { from: comma, to: comma + 1, text: "" }];
  }
  const before = siblings[siblings.indexOf(member) - 1];
  const removal = wholeLines(text, span.from, span.to);
  if (!before) return [hollowed(text, node, removal)];
  const last = commaAfter(text, before.offset + before.length)!;
  // If both are on one line, the space between them is removed too.
  if (/^[ \t]*$/.test(text.slice(last + 1, removal.from))) return [{ from: last, to: span.to, text: "" }];
  return [{ from: last, to: last + 1, text: "" }, removal];
}

/** Removes the white space in an object that becomes empty. */
function hollowed(text: string, { offset, length }: Node, removal: Edit): Edit {
  const [open, close] = [offset + 1, offset + length - 1];
  const blank = text.slice(open, removal.from).trim() === "" && text.slice(removal.to, close).trim() === "";
  return blank ? { from: open, to: close, text: "" } : removal;
}

/** @throws Malformed when a key occurs twice, because it is undefined which one applies */
function memberOf(node: Node, key: string): Node | undefined {
  const found = (node.children ?? []).filter((child) => child.children?.[0]?.value === key);
  if (found.length > 1) throw new Malformed(`the key "${key}" is given twice`);
  return found[0];
}

function insert(text: string, object: Node, key: string, value: unknown, layout: Layout): Edit[] {
  const last = object.children?.at(-1);
  return last ? insertAfter(text, object, last, key, value, layout) : insertFirst(text, object, key, value, layout);
}

function insertFirst(text: string, object: Node, key: string, value: unknown, layout: Layout): Edit[] {
  const close = object.offset + object.length - 1;
  const inside = text.slice(object.offset + 1, close);
  // A single-line text remains on one line.
  if (!text.trim().includes("\n") && text.trim() !== "{}")
    return [{ from: close, to: close, text: `${JSON.stringify(key)}: ${JSON.stringify(value)}` }];
  const outer = indentOf(text, object.offset);
  const inner = outer + layout.unit;
  const line = `${layout.eol}${inner}${JSON.stringify(key)}: ${render(value, inner, layout)}`;
  if (inside.trim() === "") return [{ from: object.offset + 1, to: close, text: `${line}${layout.eol}${outer}` }];
  const end = object.offset + 1 + inside.trimEnd().length;
  const closed = text.slice(end, close).includes("\n") ? "" : `${layout.eol}${outer}`;
  return [{ from: end, to: end, text: line + closed }];
}

function insertAfter(text: string, object: Node, last: Node, key: string, value: unknown, layout: Layout): Edit[] {
  const end = last.offset + last.length;
  const close = object.offset + object.length - 1;
  const trailing = commaAfter(text, end);
  const after = trailing === undefined ? end : trailing + 1;
  const keyText = `${JSON.stringify(key)}: `;
  const comma = { from: end, to: end, text: "," };
  if (!text.slice(object.offset, last.offset).includes("\n")) {
    const flat = ` ${keyText}${JSON.stringify(value)}`;
    if (trailing !== undefined) return [{ from: after, to: after, text: `${flat},` }];
    return [{ from: end, to: end, text: `,${flat}` }];
  }
  const inner = indentOf(text, last.offset);
  const at = endOfRemarks(text, after, close);
  const line = `${layout.eol}${inner}${keyText}${render(value, inner, layout)}`;
  const closed = text.slice(at, close).includes("\n") ? "" : layout.eol + indentOf(text, object.offset);
  if (trailing !== undefined) return [{ from: at, to: at, text: `${line},${closed}` }];
  if (at === end) return [{ from: end, to: end, text: `,${line}${closed}` }];
  return [comma, { from: at, to: at, text: line + closed }];
}

/** The end of the comments on the same line. */
function endOfRemarks(text: string, from: number, to: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let end = from;
  for (;;) {
    const kind: number = scanner.scan();
    if (scanner.getTokenOffset() >= to) return end;
    if (kind === LINE_COMMENT || kind === BLOCK_COMMENT) end = scanner.getTokenOffset() + scanner.getTokenLength();
    else if (kind !== SPACE) return end;
  }
}

/** The position of the comma after a value, or after the comments that follow it. */
function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  return (scanner.scan() as number) === COMMA ? scanner.getTokenOffset() : undefined;
}

function replace(text: string, node: Node, value: unknown, layout: Layout): Edit {
  // A value on one line stays on one line; an empty container takes the layout of the file.
  const was = text.slice(node.offset, node.offset + node.length);
  const flat = !(node.children?.length ? was : text.trim()).includes("\n");
  return {
    from: node.offset,
    to: node.offset + node.length,
    text: flat ? JSON.stringify(value) : render(value, indentOf(text, node.offset), layout),
  };
}

/** Extends an edit to complete lines if they contain nothing else. */
function wholeLines(text: string, from: number, to: number): Edit {
  const [start, end] = [lineStart(text, from), lineEnd(text, to)];
  const alone = text.slice(start, from).trim() === "" && text.slice(to, end).trim() === "";
  if (alone) return { from: start, to: nextLine(text, to), text: "" };
  const space = /^[ \t]*/.exec(text.slice(to))![0].length;
  return { from, to: text.slice(start, from).trim() === "" ? to : to + space, text: "" };
}

function render(value: unknown, indent: string, { unit, eol }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}
