import { LAST_MEANING } from "./word-table.ts";

/** A meaning of a word, or of all words that start with it. */
export interface WordMeaning {
  readonly word: string;
  readonly isStart: boolean;
  readonly value: number;
}

interface Node {
  readonly code: number;
  readonly children: Map<number, Node>;
  readonly whole: number[];
  readonly part: number[];
}

const MAX_NUMBER = 0xffff;

/** Makes the bytes of a `WordTable`, for the build. A word with several meanings has them in the order of the list. */
export function makeWordTable(words: Iterable<WordMeaning>): Uint8Array {
  const root = nodeOf(0);
  for (const { word, isStart, value } of words) {
    if (value >= LAST_MEANING) throw new RangeError(`the value ${value} is too large`);
    let node = root;
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i);
      const next = node.children.get(code) ?? nodeOf(code);
      node.children.set(code, next);
      node = next;
    }
    (isStart ? node.part : node.whole).push(value);
  }
  const nodes = [root];
  const firsts: number[] = [];
  for (const { children } of nodes) {
    firsts.push(nodes.length);
    nodes.push(...[...children.values()].sort((a, b) => a.code - b.code));
  }
  firsts.push(nodes.length);
  const meanings = [0];
  const places = new Map<string, number>([["", 0]]);
  const placeOf = (values: readonly number[]): number => {
    const key = values.join();
    const place = places.get(key) ?? meanings.length;
    if (!places.has(key)) meanings.push(...values.slice(0, -1), values.at(-1)! | LAST_MEANING);
    places.set(key, place);
    return place;
  };
  const wholes = nodes.map(({ whole }) => placeOf(whole));
  const parts = nodes.map(({ part }) => placeOf(part));
  const largest = Math.max(nodes.length, meanings.length);
  if (largest > MAX_NUMBER) throw new RangeError(`the table has ${largest} entries, more than a number can count`);
  const codes = nodes.map(({ code }) => code);
  const numbers = Uint16Array.from([nodes.length, ...codes, ...firsts, ...wholes, ...parts, ...meanings]);
  return new Uint8Array(numbers.buffer);
}

const nodeOf = (code: number): Node => ({ code, children: new Map(), whole: [], part: [] });
