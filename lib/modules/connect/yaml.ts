import { isAlias, isMap, isScalar, isSeq, type Pair, parseDocument, stringify, type YAMLMap, type YAMLSeq } from "yaml";
import type { JsonObject } from "../../core/base/json-object.ts";
import { Malformed } from "./document.ts";
import { type Edit, type Layout, lineEnd, lineStart, nextLine, type Place } from "./text-edits.ts";

/**
 * Edits of YAML texts that leave every other byte unchanged. The parser gives the positions, and the text is edited by
 * hand, because printing a parsed document would change its layout.
 */

type Ranged = { range?: readonly [number, number, number] | null };
/** A map or list along the path, with its key. */
interface Held {
  readonly key: Ranged | undefined;
  readonly value: unknown;
}

/** Returns the edits that set the entry in a YAML file; everything else keeps its form. */
export function putYaml(text: string, place: Place, raw: JsonObject, layout: Layout): Edit[] {
  const { held, missing, parent } = find(text, place);
  const entry = (place.list ? [raw] : { [place.name]: raw }) as unknown;
  if (missing.length > 0) {
    const value = missing.reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
    return [appendPair(text, parent, value, layout)];
  }
  const container = held!.value;
  if (isMap(container)) return putInMap(text, held!, container, place.name, entry, layout);
  if (isSeq(container)) return putInList(text, held!, container, place.name, entry, layout);
  return [fill(text, held!, entry, columnOf(text, held!.key), layout)];
}

/** Returns the edits that remove the entry from a YAML file; none if it has no such entry. */
export function removeYaml(text: string, place: Place): Edit[] {
  const { held } = find(text, place);
  const container = held?.value;
  if (isMap(container)) {
    const pair = container.items.find((item) => keyOf(item) === place.name);
    if (!pair) return [];
    if (container.flow) return [flowItem(text, container, pair.key as Ranged, (pair.value ?? pair.key) as Ranged)];
    if (container.items.length === 1) return [hollow(text, held!, container, "{}")];
    return [lines(text, startOf(pair.key), endOfPair(pair))];
  }
  if (isSeq(container)) {
    const item = itemOf(container, place.name);
    if (!item) return [];
    if (container.flow) return [flowItem(text, container, item, item)];
    if (container.items.length === 1) return [hollow(text, held!, container, "[]")];
    return [lines(text, dashOf(text, item), endOf(item))];
  }
  return [];
}

function find(text: string, { path }: Place): { held?: Held; missing: readonly string[]; parent: Held } {
  const document = parseDocument(text);
  let container: Held = { key: undefined, value: document.contents };
  for (const [i, key] of path.entries()) {
    const { value } = container;
    if (isAlias(value)) throw new Malformed("its servers are an alias of something else");
    const pair = isMap(value) ? value.items.find((item) => keyOf(item) === key) : undefined;
    if (!pair) return { missing: path.slice(i), parent: container };
    container = { key: pair.key as Ranged, value: pair.value };
  }
  if (isAlias(container.value)) throw new Malformed("its servers are an alias of something else");
  return { held: container, missing: [], parent: container };
}

function putInMap(text: string, container: Held, map: YAMLMap, name: string, entry: unknown, layout: Layout): Edit[] {
  const pair = map.items.find((item) => keyOf(item) === name);
  if (pair && map.flow) {
    const value = (entry as JsonObject)[name];
    const pairValue = pair.value as Ranged | null;
    if (!pairValue?.range) throw new Malformed(`the entry "${name}" in it has no value`);
    return [{ from: pairValue.range[0], to: pairValue.range[1], text: JSON.stringify(value) }];
  }
  if (pair) {
    const { from, to } = lines(text, startOf(pair.key), endOfPair(pair));
    return [{ from, to, text: block(entry, columnOf(text, pair.key as Ranged), layout) }];
  }
  if (map.items.length === 0) return [fill(text, container, entry, columnOf(text, container.key), layout)];
  if (map.flow) {
    const last = map.items.at(-1)!;
    const at = endOfPair(last);
    return [{ from: at, to: at, text: `, ${JSON.stringify(entry).slice(1, -1)}` }];
  }
  return [appendPair(text, container, entry, layout)];
}

function putInList(text: string, container: Held, list: YAMLSeq, name: string, entry: unknown, layout: Layout): Edit[] {
  const item = itemOf(list, name);
  const json = JSON.stringify(entry).slice(1, -1);
  if (item && list.flow) return [{ from: item.range![0], to: item.range![1], text: json }];
  if (item) {
    const dash = dashOf(text, item);
    const { from, to } = lines(text, dash, endOf(item));
    return [{ from, to, text: block(entry, dash - lineStart(text, dash), layout) }];
  }
  const last = list.items.at(-1) as Ranged | undefined;
  if (!last) return [fill(text, container, entry, columnOf(text, container.key), layout)];
  const at = endOf(last);
  if (list.flow) return [{ from: at, to: at, text: `, ${json}` }];
  const dash = dashOf(text, last);
  return [atNextLine(text, at, block(entry, dash - lineStart(text, dash), layout), layout)];
}

/** Appends a pair to a map in block style, or as the first pair of an empty document. */
function appendPair(text: string, { key, value: map }: Held, value: unknown, layout: Layout): Edit {
  if (!isMap(map) || map.items.length === 0) {
    if (key) return fill(text, { key, value: map }, value, columnOf(text, key), layout);
    if (map && isMap(map)) return { from: map.range![0], to: map.range![1], text: block(value, 0, layout).trimEnd() };
    return atNextLine(text, text.length, block(value, 0, layout), layout);
  }
  if (map.flow) throw new Malformed("its top level is in flow style");
  const last = map.items.at(-1)!;
  const column = columnOf(text, map.items[0]!.key as Ranged);
  return atNextLine(text, endOfPair(last), block(value, column, layout), layout);
}

/** Replaces an empty value, `{}`, `[]` or nothing, by a block below its key. */
function fill(text: string, { key, value }: Held, entry: unknown, column: number, layout: Layout): Edit {
  const inner = block(entry, column + layout.unit.length, layout);
  const range = (value as Ranged | null)?.range;
  const empty = isScalar(value) && (range?.[0] ?? 0) === (range?.[1] ?? 0);
  if (!range || empty) return atNextLine(text, endOf(key), inner, layout);
  // A comment on the line remains there.
  const rest = text.slice(range[1], lineEnd(text, range[1]));
  const head = text.slice(0, range[0]).trimEnd().length;
  if (rest.trim() === "" || /^\s+#/.test(rest))
    return { from: head, to: nextLine(text, range[1]), text: `${rest.trimEnd()}${layout.eol}${inner}` };
  throw new Malformed("other content follows its servers on the same line");
}

function atNextLine(text: string, at: number, inner: string, { eol }: Layout): Edit {
  const next = text[at - 1] === "\n" || at === 0 ? at : nextLine(text, at);
  const open = next > 0 && text[next - 1] !== "\n";
  return { from: next, to: next, text: (open ? eol : "") + inner };
}

function hollow(text: string, { key }: Held, container: YAMLMap | YAMLSeq, empty: string): Edit {
  const end = endOf(container);
  const colon = text.indexOf(":", endOf(key)) + 1;
  const first = isSeq(container)
    ? dashOf(text, container.items[0] as Ranged)
    : startOf((container as YAMLMap).items[0]!.key);
  const { from, to } = lines(text, first, end);
  return { from: colon, to, text: ` ${empty}${text.slice(colon, from)}` };
}

/** Adds an item to `{…}` or `[…]`, with a comma. */
function flowItem(text: string, container: YAMLMap | YAMLSeq, first: Ranged, last: Ranged): Edit {
  const [from, to] = [startOf(first), endOf(last)];
  const behind = /^\s*,[ \t]*/.exec(text.slice(to))?.[0].length;
  if (behind !== undefined) return { from, to: to + behind, text: "" };
  const before = container.items.length > 1 ? /,\s*$/.exec(text.slice(0, from))?.[0].length : 0;
  if (before === undefined) throw new Malformed("a comment is between its servers");
  return { from: from - before, to, text: "" };
}

/** The edit that removes a node together with its lines; the node must start its line. */
function lines(text: string, from: number, end: number): Edit {
  const start = lineStart(text, from);
  if (text.slice(start, from).trim() !== "") throw new Malformed("the entry does not begin a line of its own");
  return { from: start, to: text[end - 1] === "\n" ? end : nextLine(text, end), text: "" };
}

function block(value: unknown, column: number, { unit, eol }: Layout): string {
  const text = stringify(value, { indent: unit.length, lineWidth: 0 });
  return text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : " ".repeat(column) + line) + eol)
    .join("");
}

function keyOf({ key }: Pair): unknown {
  return isScalar(key) ? key.value : undefined;
}

function itemOf(list: YAMLSeq, name: string): Ranged | undefined {
  const found = list.items.filter((item) => isMap(item) && item.get("name") === name);
  if (found.length > 1) throw new Malformed(`the server "${name}" is given twice`);
  return found[0] as Ranged | undefined;
}

function dashOf(text: string, item: Ranged): number {
  const before = text.slice(0, startOf(item)).trimEnd();
  if (!before.endsWith("-")) throw new Malformed("its list of servers has comments in unsupported places");
  return before.length - 1;
}

const startOf = (node: unknown) => (node as Ranged).range![0];
/**
 * The end of a node's content. The parser also counts comments below the last line of a block to it; these are
 * excluded.
 */
function endOf(node: unknown): number {
  if (isMap(node) && !node.flow && node.items.length > 0) return endOfPair(node.items.at(-1)!);
  if (isSeq(node) && !node.flow && node.items.length > 0) return endOf(node.items.at(-1));
  return (node as Ranged).range![1];
}

function endOfPair({ key, value }: Pair): number {
  const range = (value as Ranged | null)?.range;
  return range && range[1] > range[0] ? endOf(value) : endOf(key);
}

const columnOf = (text: string, node: Ranged | undefined) =>
  node?.range ? node.range[0] - lineStart(text, node.range[0]) : 0;
