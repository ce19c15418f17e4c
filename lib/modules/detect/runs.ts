import { lazy } from "../../core/base/lazy.ts";
import { ALL_KINDS, BASE, isWord, KINDS, SORTS, WORD } from "./characters.ts";
import { SHORTEST_KEY } from "./entropy.ts";
import { beginsAt, prefixTable } from "./prefix-table.ts";

/** Candidates for secrets in the runs of a text. */
export interface RunCandidates {
  /** Runs in which a shape may begin: start, end and the first possible position of each. */
  shapes: number[] | undefined;
  /** Possible key material, judged by its characters: start, end and kinds of each. */
  chains: number[] | undefined;
}

/** The beginnings of `SHAPES`. */
const shapeHeads = lazy(() => prefixTable("detect-shape-heads.bin"));

/** The first position from `at` at which a shape may begin in a run, or -1. */
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

/** Whether the first character of a run is the letter of an escape sequence in a nested JSON string. */
function isEscaped(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) !== 92) return false;
  const letter = text.charCodeAt(start);
  return letter === 110 || letter === 114 || letter === 116;
}

/** Scans one complete run. */
export function lookThrough(text: string, runStart: number, end: number, candidates: RunCandidates): void {
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
      if (at - part >= SHORTEST_KEY) addChain(text, part, at, kinds, candidates);
      part = at + 1;
      kinds = 0;
    }
  }
  if (end - part >= SHORTEST_KEY) addChain(text, part, end, kinds, candidates);
  if (shape < 0) return;
  candidates.shapes ??= [];
  candidates.shapes.push(start, end, shape);
}

/** Adds a run; if only a line break separates it from the previous one, it extends that run. */
function addChain(text: string, start: number, end: number, kinds: number, candidates: RunCandidates): void {
  candidates.chains ??= [];
  const { chains } = candidates;
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
