/**
 * A trie of words in flat arrays. The lexicon has 50,000 nodes, which take 2 MB here and 17 MB with an
 * object and a Map for each.
 *
 * Nodes are numbers and the root is 0. Each node has a list of children. Those near the root, where most look-ups end
 * and the lists are long, have tables instead.
 */
export class WordTrie {
  private size = 1;
  /** The character that leads to a node. */
  private code = new Uint16Array(FIRST_SIZE);
  /** The node's first child, and the next child of its parent; 0 for none. */
  private child = new Uint32Array(FIRST_SIZE);
  private sibling = new Uint32Array(FIRST_SIZE);
  /** The first meaning of the complete word, and of longer words that start with it; 0 for none. */
  private whole = new Uint32Array(FIRST_SIZE);
  private part = new Uint32Array(FIRST_SIZE);
  /** The next meaning of the same word, and the value of each; meaning 0 is none. */
  private readonly nextMeaning: number[] = [0];
  private readonly values: number[] = [0];
  /** The number of a node's table, plus 1; 0 for none. */
  private table = new Uint16Array(FIRST_SIZE);
  /** For each table, a node by ASCII code. */
  private readonly ascii: Uint32Array[] = [];
  /** The other children of nodes with tables, by node × 65,536 + code. */
  private readonly others = new Map<number, number>();

  constructor() {
    this.addTable(0);
  }

  /** @returns the child of a node that a character leads to; 0 for none */
  following(node: number, code: number): number {
    const table = this.table[node]!;
    if (table > 0) return code < 128 ? this.ascii[table - 1]![code]! : (this.others.get(node * 65_536 + code) ?? 0);
    let next = this.child[node]!;
    while (next !== 0 && this.code[next] !== code) next = this.sibling[next]!;
    return next;
  }

  /** @returns the first meaning of the complete word that ends at a node; 0 for none */
  wholeAt(node: number): number {
    return this.whole[node]!;
  }

  /** @returns the first meaning of all longer words that start with the word that ends at a node; 0 for none */
  partAt(node: number): number {
    return this.part[node]!;
  }

  /** @returns the next meaning of the same word; 0 for none */
  meaningAfter(meaning: number): number {
    return this.nextMeaning[meaning]!;
  }

  valueOf(meaning: number): number {
    return this.values[meaning]!;
  }

  /** Adds a meaning to a word, or to all words that start with it. */
  add(word: string, isStart: boolean, value: number): void {
    let node = 0;
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i);
      node = this.following(node, code) || this.addChild(node, code, i + 1);
    }
    const meaning = this.values.push(value) - 1;
    this.nextMeaning.push(0);
    const first = isStart ? this.part : this.whole;
    if (first[node] === 0) first[node] = meaning;
    else {
      let last = first[node]!;
      while (this.nextMeaning[last] !== 0) last = this.nextMeaning[last]!;
      this.nextMeaning[last] = meaning;
    }
  }

  private addChild(parent: number, code: number, depth: number): number {
    const node = this.size++;
    if (node === this.code.length) this.grow();
    this.code[node] = code;
    const table = this.table[parent]!;
    if (table === 0) {
      this.sibling[node] = this.child[parent]!;
      this.child[parent] = node;
    } else if (code < 128) this.ascii[table - 1]![code] = node;
    else this.others.set(parent * 65_536 + code, node);
    if (depth <= TABLE_DEPTH) this.addTable(node);
    return node;
  }

  private addTable(node: number): void {
    this.table[node] = this.ascii.push(new Uint32Array(128));
  }

  private grow(): void {
    const size = this.code.length * 2;
    const grown = <T extends Uint16Array | Uint32Array>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    this.code = grown(new Uint16Array(size), this.code);
    this.child = grown(new Uint32Array(size), this.child);
    this.sibling = grown(new Uint32Array(size), this.sibling);
    this.whole = grown(new Uint32Array(size), this.whole);
    this.part = grown(new Uint32Array(size), this.part);
    this.table = grown(new Uint16Array(size), this.table);
  }
}

const FIRST_SIZE = 1024;

/** Depth of the deepest nodes with tables. */
const TABLE_DEPTH = 1;
