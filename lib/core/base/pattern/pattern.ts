export interface MatchSpan {
  start: number;
  end: number;
}

/** A node of the syntax tree of a regular expression. */
export type PatternNode =
  | { kind: "set"; ascii: Uint8Array; wide: (code: number) => boolean }
  | { kind: "assert"; what: "^" | "$" | "b" | "B" }
  | { kind: "all"; parts: PatternNode[] }
  | { kind: "any"; parts: PatternNode[] }
  | { kind: "repeat"; part: PatternNode; least: number; most: number; greedy: boolean };

type Range = readonly [number, number];

/** Largest count in `{n}`. */
const MAX_REPETITIONS = 500;
/** Deepest nesting of groups. */
const MAX_DEPTH = 50;

const END = 0xffff;
const DIGITS: Range[] = [[0x30, 0x39]];
const WORD: Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACE: Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x2028, 0x2029],
  [0xfeff, 0xfeff],
];
const SHORTHANDS: Readonly<Record<string, Range[]>> = {
  d: DIGITS,
  D: others(DIGITS),
  w: WORD,
  W: others(WORD),
  s: SPACE,
  S: others(SPACE),
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, "0": 0 };

/**
 * Parses the common syntax of regular expressions: alternatives, groups, sets, counts, `^ $ \b`, and a leading `(?i)`
 * to ignore case. `^` and `$` match at the ends of a line.
 *
 * @throws Error that says what is wrong
 */
export function parsePattern(source: string): PatternNode {
  const either = source.startsWith("(?i)");
  let at = either ? 4 : 0;
  let depth = 0;

  const set = (ranges: Range[]): PatternNode => {
    const all = either ? bothCases(ranges) : ranges;
    const ascii = new Uint8Array(128);
    for (const [low, high] of all) for (let i = low; i <= Math.min(high, 127); i++) ascii[i] = 1;
    const high = all.filter((range) => range[1] > 127);
    return { kind: "set", ascii, wide: (code) => high.some(([from, to]) => code >= from && code <= to) };
  };

  const alternatives = (): PatternNode => {
    if (++depth > MAX_DEPTH) throw new Error("its groups are nested too deep");
    const parts = [sequence()];
    while (source[at] === "|") {
      at++;
      parts.push(sequence());
    }
    depth--;
    return parts.length === 1 ? parts[0]! : { kind: "any", parts };
  };

  const sequence = (): PatternNode => {
    const parts: PatternNode[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated(atom()));
    return { kind: "all", parts };
  };

  const repeated = (part: PatternNode): PatternNode => {
    const counts = countsHere();
    if (!counts) return part;
    if (part.kind === "assert") throw new Error("an assertion such as ^ or \\b cannot be repeated");
    const greedy = source[at] !== "?";
    if (!greedy) at++;
    if (source[at] === "+") throw new Error("possessive counts (a++) are not supported");
    if (countsHere()) throw new Error("a count follows another count");
    return { kind: "repeat", part, ...counts, greedy };
  };

  const countsHere = (): { least: number; most: number } | undefined => {
    const simple = { "*": [0, Number.POSITIVE_INFINITY], "+": [1, Number.POSITIVE_INFINITY], "?": [0, 1] }[
      source[at] ?? ""
    ];
    if (simple) {
      at++;
      return { least: simple[0]!, most: simple[1]! };
    }
    const counted = /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(source.slice(at, at + 20));
    if (!counted) return undefined;
    at += counted[0].length;
    const min = Number(counted[1]);
    const max = counted[2] === undefined ? min : counted[3] === "" ? Number.POSITIVE_INFINITY : Number(counted[3]);
    if (max < min) throw new Error(`${counted[0]} counts backwards`);
    if (min > MAX_REPETITIONS || (max > MAX_REPETITIONS && max !== Number.POSITIVE_INFINITY))
      throw new Error(`${counted[0]} counts beyond ${MAX_REPETITIONS}`);
    return { least: min, most: max };
  };

  const atom = (): PatternNode => {
    const character = source[at++]!;
    switch (character) {
      case "(":
        return group();
      case "[":
        return set(readSet());
      case ".":
        return set(
          others([
            [10, 10],
            [13, 13],
            [0x2028, 0x2029],
          ]),
        );
      case "^":
      case "$":
        return { kind: "assert", what: character };
      case "\\": {
        if (source[at] === "b" || source[at] === "B") return { kind: "assert", what: source[at++] as "b" | "B" };
        return set(escaped());
      }
      case "*":
      case "+":
      case "?":
        throw new Error(`nothing to repeat before ${character}`);
      default:
        return set([[character.charCodeAt(0), character.charCodeAt(0)]]);
    }
  };

  const group = (): PatternNode => {
    const head = /^\?(?::|P?<[A-Za-z]\w*>)/.exec(source.slice(at, at + 80));
    if (head) at += head[0].length;
    else if (source[at] === "?") throw new Error("look-around and inline flags are not supported");
    const inside = alternatives();
    if (source[at] !== ")") throw new Error("a group is not closed");
    at++;
    return inside;
  };

  const escaped = (): Range[] => {
    const character = source[at++];
    if (character === undefined) throw new Error("it ends in a backslash");
    const shorthand = SHORTHANDS[character];
    if (shorthand) return shorthand;
    const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(source.slice(at - 1, at + 4));
    if (code) {
      at += code[0].length - 1;
      const value = Number.parseInt((code[1] ?? code[2])!, 16);
      return [[value, value]];
    }
    const control = CONTROLS[character];
    if (control !== undefined) return [[control, control]];
    if (/[1-9k]/.test(character)) throw new Error("backreferences are not supported");
    if (/[A-Za-z]/.test(character)) throw new Error(`\\${character} is not supported`);
    return [[character.charCodeAt(0), character.charCodeAt(0)]];
  };

  const readSet = (): Range[] => {
    const negated = source[at] === "^";
    if (negated) at++;
    const ranges: Range[] = [];
    for (let begun = false; source[at] !== "]" || !begun; begun = true) {
      if (at >= source.length) throw new Error("a set is not closed");
      const low = member();
      const isRange = source[at] === "-" && source[at + 1] !== "]" && source[at + 1] !== undefined;
      if (!isRange || low.length > 1) {
        ranges.push(...low);
        continue;
      }
      at++;
      const [from, to] = [low[0]![0], member()[0]![1]];
      if (to < from) throw new Error("a range of a set runs backwards");
      ranges.push([from, to]);
    }
    at++;
    return negated ? others(either ? bothCases(ranges) : ranges) : ranges;
  };

  const member = (): Range[] => {
    if (source[at] === "\\") {
      at++;
      if (source[at] === "b") throw new Error("\\b in a set is not supported");
      return escaped();
    }
    const code = source.charCodeAt(at++);
    return [[code, code]];
  };

  const whole = alternatives();
  if (at < source.length) throw new Error("a closing bracket too many");
  return whole;
}

/** Returns the ranges of all characters that are in none of `ranges`. */
function others(ranges: readonly Range[]): Range[] {
  const out: Range[] = [];
  let from = 0;
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (low > from) out.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  if (from <= END) out.push([from, END]);
  return out;
}

/** Adds the other case of each ASCII letter. */
function bothCases(ranges: readonly Range[]): Range[] {
  const out = [...ranges];
  for (const [low, high] of ranges) {
    const overlap = (from: number, to: number, by: number) => {
      const [a, b] = [Math.max(low, from), Math.min(high, to)];
      if (a <= b) out.push([a + by, b + by]);
    };
    overlap(0x41, 0x5a, 32);
    overlap(0x61, 0x7a, -32);
  }
  return out;
}
