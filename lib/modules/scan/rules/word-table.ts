/**
 * A table of words with their meanings: a read-only trie in flat arrays, which `make-word-table.ts` makes. The lexicon
 * has 50,000 nodes, which take 0.5 MB here and 17 MB with an object and a Map for each.
 *
 * Nodes are numbers in the order of their depth, and the root is 0. So the children of a node have consecutive numbers,
 * sorted by character.
 */
export class WordTable {
  /** The character that leads to a node. */
  private readonly codes: Uint16Array;
  /** The first child of each node; its last child precedes the first child of the next node. */
  private readonly firsts: Uint16Array;
  /** The first meaning of the complete word, and of longer words that start with it; 0 for none. */
  private readonly wholes: Uint16Array;
  private readonly parts: Uint16Array;
  private readonly meanings: Uint16Array;
  /** The children of the root, where every look-up begins, by character. */
  private readonly roots = new Uint16Array(65_536);

  /** @param bytes from `makeWordTable` */
  constructor(bytes: Uint8Array) {
    // The copy is aligned; the bytes of an asset need not be.
    const numbers = new Uint16Array(new Uint8Array(bytes).buffer);
    const nodes = numbers[0]!;
    let from = 1;
    const take = (length: number) => {
      from += length;
      return numbers.subarray(from - length, from);
    };
    this.codes = take(nodes);
    this.firsts = take(nodes + 1);
    this.wholes = take(nodes);
    this.parts = take(nodes);
    this.meanings = numbers.subarray(from);
    for (let node = this.firsts[0]!; node < this.firsts[1]!; node++) this.roots[this.codes[node]!] = node;
  }

  /** @returns the child of a node that a character leads to; 0 for none */
  following(node: number, code: number): number {
    if (node === 0) return this.roots[code]!;
    let low = this.firsts[node]!;
    let high = this.firsts[node + 1]!;
    while (high - low > FEW) {
      const middle = (low + high) >> 1;
      if (this.codes[middle]! > code) high = middle;
      else low = middle;
    }
    for (; low < high; low++) if (this.codes[low] === code) return low;
    return 0;
  }

  /** @returns the first meaning of the complete word that ends at a node; 0 for none */
  wholeAt(node: number): number {
    return this.wholes[node]!;
  }

  /** @returns the first meaning of all longer words that start with the word that ends at a node; 0 for none */
  partAt(node: number): number {
    return this.parts[node]!;
  }

  /** @returns the next meaning of the same word; 0 for none */
  meaningAfter(meaning: number): number {
    return (this.meanings[meaning]! & LAST_MEANING) === 0 ? meaning + 1 : 0;
  }

  valueOf(meaning: number): number {
    return this.meanings[meaning]! & ~LAST_MEANING;
  }
}

/** Marks the last meaning of a word; values are smaller. */
export const LAST_MEANING = 0x8000;

/** Number of children that are compared one after another. */
const FEW = 8;
