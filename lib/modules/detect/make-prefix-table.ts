import { type PatternNode, parsePattern } from "../../core/base/pattern/pattern.ts";
import { COLUMNS, NO, type PrefixTable, START, YES } from "./prefix-table.ts";

/** The characters that are possible at each position of a head: 128 flags, one for each ASCII character. */
type Head = readonly Uint8Array[];

/**
 * Compiles a table that decides from up to `depth` characters whether an expression of the list can match at a
 * position, with one look-up per character. Look-ahead and look-behind are ignored, so the table can accept a position
 * where nothing matches, but never rejects one where something does. It takes 15 to 40 ms, so the build does it.
 *
 * @param options.backwards read the expressions from their ends, right to left
 * @param options.either ignore case
 */
export function makePrefixTable(
  sources: readonly string[],
  { depth, backwards = false, either = false }: { depth: number; backwards?: boolean; either?: boolean },
): PrefixTable {
  const heads: Head[] = [];
  for (const source of sources) {
    const plain = source.replace(/\(\?<?[!=][^()]*\)/g, "");
    heads.push(...headsOf(parsePattern(either ? `(?i)${plain}` : plain), [[]], depth, backwards));
  }
  return tableOf(distinct(heads));
}

/** Appends what the node can match to each of `before`, truncated at `depth` characters. */
function headsOf(node: PatternNode, before: readonly Head[], depth: number, backwards: boolean): Head[] {
  const open = before.filter((head) => head.length < depth);
  const done = before.filter((head) => head.length >= depth);
  if (open.length === 0) return done;
  switch (node.kind) {
    case "assert":
      return [...before];
    case "set":
      return [...done, ...open.map((head) => [...head, node.ascii])];
    case "all": {
      const parts = backwards ? node.parts.toReversed() : node.parts;
      return parts.reduce<Head[]>((heads, part) => headsOf(part, heads, depth, backwards), [...before]);
    }
    case "any":
      return distinct([...done, ...node.parts.flatMap((part) => headsOf(part, open, depth, backwards))]);
    case "repeat": {
      let now: Head[] = open;
      const all: Head[] = [...done];
      for (let count = 0; ; count++) {
        // Stops when all heads have reached their full length.
        const over = count >= node.most || now.every((head) => head.length >= depth);
        if (over || count >= node.least) all.push(...now);
        if (over) break;
        now = distinct(headsOf(node.part, now, depth, backwards));
      }
      return distinct(all);
    }
  }
}

function distinct(heads: readonly Head[]): Head[] {
  const byText = new Map<string, Head>();
  for (const head of heads) byText.set(head.map(idOf).join(), head);
  return [...byText.values()];
}

/** Assigns a number to each set of characters. */
function idOf(set: Uint8Array): number {
  let id = ids.get(set);
  if (id === undefined) {
    const text = Buffer.from(set.buffer, set.byteOffset, set.length).toString("latin1");
    id = idsByText.get(text) ?? idsByText.size;
    idsByText.set(text, id);
    ids.set(set, id);
  }
  return id;
}

const ids = new WeakMap<Uint8Array, number>();
const idsByText = new Map<string, number>();

/** Follows all heads at once: a state is the set of heads that are still possible. */
function tableOf(heads: readonly Head[]): PrefixTable {
  const states: { at: number; heads: readonly number[] }[] = [{ at: 0, heads: heads.map((_, i) => i) }];
  const numbers = new Map<string, number>();
  const stateOf = (at: number, left: readonly number[]): number => {
    if (left.length === 0) return NO;
    if (left.some((head) => heads[head]!.length === at)) return YES;
    const key = `${at} ${left.join()}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = START + states.length;
      numbers.set(key, number);
      states.push({ at, heads: left });
    }
    return number;
  };
  const columns = columnsOf(heads);
  const rows: Uint16Array[] = [];
  for (const { at, heads: here } of states) {
    const row = new Uint16Array(COLUMNS);
    for (const codes of columns) {
      const next = stateOf(
        at + 1,
        here.filter((head) => heads[head]![at]![codes[0]!] === 1),
      );
      if (next !== NO) for (const code of codes) row[code] = next;
    }
    rows.push(row);
  }
  const table = new Uint16Array((START + rows.length) * COLUMNS);
  for (const [i, row] of rows.entries()) table.set(row, (START + i) * COLUMNS);
  return table;
}

/** Groups of characters that no set of the heads distinguishes; all characters of a group have the same next state. */
function columnsOf(heads: readonly Head[]): number[][] {
  const sets = [...new Map(heads.flat().map((set) => [idOf(set), set])).values()];
  const groups = new Map<string, number[]>();
  for (let code = 0; code < COLUMNS; code++) {
    const key = sets.map((set) => set[code]).join("");
    const group = groups.get(key);
    if (group) group.push(code);
    else groups.set(key, [code]);
  }
  return [...groups.values()];
}
