import { lazy } from "../../core/base/lazy.ts";
import { ALL_KINDS, BASE, isWord, KINDS, SORTS, WORD } from "./characters.ts";
import { SHORTEST_KEY } from "./entropy.ts";
import { beginsAt, compilePrefixTable } from "./prefix-table.ts";
import { SHAPES } from "./shapes.ts";

/** What the runs of a text hold that may be a secret. */
export interface RunCandidates {
  /** Runs in which a shape may begin: beginning, end and the first such place of each. */
  shapes: number[] | undefined;
  /** What may be key material by its characters: beginning, end and kinds of each. */
  chains: number[] | undefined;
}

/** So much of a shape is compared; more takes longer to prepare and tells little (characters). */
const HEAD = 8;

const shapeHeads = lazy(() =>
  compilePrefixTable(
    SHAPES.map(({ source }) => source),
    { depth: HEAD },
  ),
);

/** The first place from `at` on where a shape may begin in a run, or -1. */
export function nextShape(run: string, at: number): number {
  const heads = shapeHeads();
  let before = at > 0 && isWord(run, at - 1);
  for (let i = at; i < run.length; i++) {
    const word = isWord(run, i);
    if (word && !before && beginsAt(heads, run, i, run.length)) return i;
    before = word;
  }
  return -1;
}

/** The beginning of a run is the end of an escape (`\n`) of a text within a text. */
function isEscaped(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) !== 92) return false;
  const letter = text.charCodeAt(start);
  return letter === 110 || letter === 114 || letter === 116;
}

/** One run, over its whole length. */
export function lookThrough(text: string, runStart: number, end: number, seen: RunCandidates): void {
  const heads = shapeHeads();
  const start = isEscaped(text, runStart) ? runStart + 1 : runStart;
  let shape = -1;
  let before = false;
  let part = start;
  let kinds = 0;
  for (let at = start; at < end; at++) {
    const sort = SORTS[text.charCodeAt(at)]!;
    const word = (sort & WORD) !== 0;
    if (word && !before && shape < 0 && beginsAt(heads, text, at, end)) shape = at;
    before = word;
    if ((sort & BASE) !== 0) kinds |= sort >> KINDS;
    else {
      if (at - part >= SHORTEST_KEY) addChain(text, part, at, kinds, seen);
      part = at + 1;
      kinds = 0;
    }
  }
  if (end - part >= SHORTEST_KEY) addChain(text, part, end, kinds, seen);
  if (shape < 0) return;
  seen.shapes ??= [];
  seen.shapes.push(start, end, shape);
}

/** A full line after a full line belongs to it. */
function addChain(text: string, start: number, end: number, kinds: number, seen: RunCandidates): void {
  seen.chains ??= [];
  const { chains } = seen;
  const last = chains.length - 2;
  if (last > 0) {
    const gap = start - chains[last]!;
    const broken =
      (gap === 1 && text.charCodeAt(start - 1) === 10) ||
      (gap === 2 && text.charCodeAt(start - 1) === 10 && text.charCodeAt(start - 2) === 13);
    if (broken) {
      chains[last] = end;
      chains[last + 1]! |= kinds & ALL_KINDS;
      return;
    }
  }
  chains.push(start, end, kinds & ALL_KINDS);
}
