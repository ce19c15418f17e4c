import { firstCharacters, linearSteps, type Step } from "./linear-steps.ts";
import type { MatchSpan } from "./pattern.ts";

/**
 * A regular expression from outside, in an engine that no text can make slow: it follows all possible matches in
 * parallel, one character at a time (Thompson). Look-around and back-references are rejected.
 */
export interface LinearPattern {
  /** Returns up to `most` non-empty matches that begin in `[from, to)`, from left to right. */
  find(text: string, from: number, to: number, most: number): MatchSpan[];
  /**
   * True if the expression matches anywhere in the text, even with an empty match.
   *
   * @param onWork called repeatedly with the number of steps taken since the last call; if it throws, the search ends
   */
  test(text: string, onWork?: (steps: number) => void): boolean;
}

/** Whether `^` and `$` match at the ends of each line or of the whole text. */
type Anchors = "line" | "text";

/** Compiles an expression. @throws Error that says what is wrong with the expression */
export function compileLinearPattern(source: string, { anchors = "line" }: { anchors?: Anchors } = {}): LinearPattern {
  const steps = linearSteps(source);
  const holds = HOLDS[anchors];
  return {
    find: (text, from, to, most) => find({ steps, holds }, firstCharacters(steps), text, { from, to, most }),
    test: (text, onWork) => test({ steps, holds }, text, onWork),
  };
}

/** The active threads in order of preference: the instruction of each, and where its match began. */
interface Ways {
  pcs: number[];
  starts: number[];
}

interface Program {
  steps: readonly Step[];
  holds: Holds;
}

function find(
  { steps, holds }: Program,
  first: Uint8Array,
  text: string,
  { from, to, most }: { from: number; to: number; most: number },
): MatchSpan[] {
  const found: MatchSpan[] = [];
  const visited = new Int32Array(steps.length).fill(-1);
  let visit = 0;
  let now: Ways = { pcs: [], starts: [] };
  let next: Ways = { pcs: [], starts: [] };
  let best: MatchSpan | undefined;

  const add = (ways: Ways, entry: number, at: number, start: number) => {
    const todo = [entry];
    for (let pc = todo.pop(); pc !== undefined; pc = todo.pop()) {
      if (visited[pc] === visit) continue;
      visited[pc] = visit;
      const step = steps[pc]!;
      if (step.op === "jump") todo.push(step.to);
      else if (step.op === "split") todo.push(step.second, step.first);
      else if (step.op === "assert") {
        if (holds(step.kind, text, at)) todo.push(pc + 1);
      } else {
        ways.pcs.push(pc);
        ways.starts.push(start);
      }
    }
  };

  let at = from;
  visit++;
  for (;;) {
    if (now.pcs.length === 0) {
      if (best) {
        found.push(best);
        at = best.end;
        best = undefined;
        if (found.length >= most) return found;
      }
      while (at < to && text.charCodeAt(at) < 128 && first[text.charCodeAt(at)] === 0) at++;
      if (at >= to) return found;
      visit++;
    }
    if (!best && at < to) add(now, 0, at, at);
    const code = at < text.length ? text.charCodeAt(at) : -1;
    visit++;
    for (let i = 0; i < now.pcs.length; i++) {
      const pc = now.pcs[i]!;
      const step = steps[pc]!;
      const start = now.starts[i]!;
      if (step.op === "match") {
        // The remaining threads have a lower preference than this match.
        if (at > start) best = { start, end: at };
        if (at > start) break;
      } else if (step.op === "char" && code >= 0 && (code < 128 ? step.ascii[code] === 1 : step.wide(code)))
        add(next, pc + 1, at + 1, start);
    }
    [now, next] = [next, now];
    next.pcs.length = 0;
    next.starts.length = 0;
    if (code < 0 && now.pcs.length === 0 && !best) return found;
    at++;
  }
}

/** Number of characters between two calls of `onWork`. */
const WORK_EVERY = 256;

function test({ steps, holds }: Program, text: string, onWork: ((steps: number) => void) | undefined): boolean {
  const visited = new Int32Array(steps.length).fill(-1);
  const todo: number[] = [];
  let now: number[] = [];
  let next: number[] = [];
  let matched = false;
  let work = 0;

  const add = (ways: number[], entry: number, at: number) => {
    todo.push(entry);
    for (let pc = todo.pop(); pc !== undefined; pc = todo.pop()) {
      if (visited[pc] === at) continue;
      work++;
      visited[pc] = at;
      const step = steps[pc]!;
      if (step.op === "char") ways.push(pc);
      else if (step.op === "jump") todo.push(step.to);
      else if (step.op === "split") todo.push(step.second, step.first);
      else if (step.op === "match") matched = true;
      else if (holds(step.kind, text, at)) todo.push(pc + 1);
    }
  };

  for (let at = 0; ; at++) {
    add(now, 0, at);
    if (matched || at >= text.length) return matched;
    if (onWork && at % WORK_EVERY === 0) {
      onWork(work);
      work = 0;
    }
    const code = text.charCodeAt(at);
    for (const pc of now) {
      const step = steps[pc] as Extract<Step, { op: "char" }>;
      if (code < 128 ? step.ascii[code] === 1 : step.wide(code)) add(next, pc + 1, at + 1);
    }
    [now, next] = [next, now];
    next.length = 0;
  }
}

type Holds = (kind: "^" | "$" | "b" | "B", text: string, at: number) => boolean;

const isBorder: Holds = (kind, text, at) => (isWord(text, at - 1) !== isWord(text, at)) === (kind === "b");

const HOLDS: Readonly<Record<Anchors, Holds>> = {
  line(kind, text, at) {
    if (kind === "^") return at === 0 || text[at - 1] === "\n";
    if (kind === "$") return at >= text.length || text[at] === "\n";
    return isBorder(kind, text, at);
  },
  text(kind, text, at) {
    if (kind === "^") return at === 0;
    if (kind === "$") return at >= text.length;
    return isBorder(kind, text, at);
  },
};

function isWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /\w/.test(text[at]!);
}

/** Returns why an expression is invalid; undefined if it is valid. */
export function patternProblem(regex: string): string | undefined {
  try {
    compileLinearPattern(regex);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
