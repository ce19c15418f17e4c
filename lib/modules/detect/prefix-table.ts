import { type PatternNode, parsePattern } from "../../core/base/pattern/pattern.ts";

/** What stands at one place of a head: 128 flags, one for each ASCII character. */
type Head = readonly Uint8Array[];

/**
 * The first characters of many expressions as one table: row `state`, column character gives the next state. A walk
 * begins in `START`; at `NO` none of them begins like this, at `YES` one of them may.
 */
export type PrefixTable = Uint16Array;

const NO = 0;
const YES = 1;
const START = 2;
const COLUMNS = 128;

/**
 * Tells by up to `depth` characters whether an expression of the list can match at a place, at the cost of one look-up
 * a character. What looks ahead or behind in them is left out: they may begin where they do not match, never the other
 * way round.
 *
 * @param options.backwards read from their ends, right to left
 * @param options.either letters of either case
 */
export function compilePrefixTable(
  sources: readonly string[],
  { depth, backwards = false, either = false }: { depth: number; backwards?: boolean; either?: boolean },
): PrefixTable {
  const heads = sources.flatMap((source) => {
    const plain = source.replace(/\(\?<?[!=][^()]*\)/g, "");
    return headsOf(parsePattern(either ? `(?i)${plain}` : plain), [[]], depth, backwards);
  });
  return tableOf(distinct(heads));
}

/** Each of `before` followed by what the node can match, cut off at `depth` characters. */
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
        // Nothing changes any more once all are as long as they get.
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

/** A number for each set of characters. */
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

/** All heads followed at once: a state is the heads that are still possible after so many characters. */
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

/** The characters in groups that no set of the heads tells apart; a state has the same next one for all of a group. */
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

/** Whether one of them may begin at `at` and is not cut off by `end`; the text is ASCII there. */
export function beginsAt(heads: PrefixTable, text: string, at: number, end: number): boolean {
  let state = START;
  for (let i = at; i < end; i++) {
    state = heads[state * COLUMNS + text.charCodeAt(i)]!;
    if (state <= YES) return state === YES;
  }
  return false;
}

/** Whether one of them may end with the character at `at`, of heads that were compiled backwards. */
export function endsAt(heads: PrefixTable, text: string, at: number): boolean {
  let state = START;
  for (let i = at; i >= 0; i--) {
    const code = text.charCodeAt(i);
    if (code >= COLUMNS) return false;
    state = heads[state * COLUMNS + code]!;
    if (state <= YES) return state === YES;
  }
  return false;
}
