import { type Node, parsePattern, type Span } from "./pattern.ts";

/**
 * A regular expression that somebody else wrote, read so that no text can make it slow: all ways to match are followed
 * at once, one character at a time (Thompson). What that cannot do (looking around, references back) is refused.
 */
export interface Linear {
  /** Matches that begin in `[from, to)`, the leftmost first, none of them empty; at most `most`. */
  find(text: string, from: number, to: number, most: number): Span[];
}

type Step =
  | { op: "char"; ascii: Uint8Array; wide: (code: number) => boolean }
  | { op: "split"; first: number; second: number }
  | { op: "jump"; to: number }
  | { op: "assert"; kind: "^" | "$" | "b" | "B" }
  | { op: "match" };

/** Steps of one expression, counted repetitions written out. */
const LARGEST = 1000;

/** @throws Error that says what is wrong with it */
export function compileLinear(source: string): Linear {
  const steps: Step[] = [];
  emit(parsePattern(source), steps);
  steps.push({ op: "match" });
  return { find: (text, from, to, most) => find(steps, firstCharacters(steps), text, { from, to, most }) };
}

function emit(node: Node, steps: Step[]): void {
  if (steps.length > LARGEST) throw new Error(`it is too large; repeat less than ${LARGEST} characters in all`);
  switch (node.kind) {
    case "set":
      steps.push({ op: "char", ascii: node.ascii, wide: node.wide });
      break;
    case "assert":
      steps.push({ op: "assert", kind: node.what });
      break;
    case "all":
      for (const part of node.parts) emit(part, steps);
      break;
    case "any":
      emitAny(node.parts, steps);
      break;
    case "repeat":
      emitRepeat(node, steps);
  }
}

function emitAny(parts: readonly Node[], steps: Step[]): void {
  const ends: { op: "jump"; to: number }[] = [];
  for (const [i, part] of parts.entries()) {
    if (i === parts.length - 1) {
      emit(part, steps);
      break;
    }
    const split = { op: "split" as const, first: steps.length + 1, second: 0 };
    steps.push(split);
    emit(part, steps);
    const end = { op: "jump" as const, to: 0 };
    steps.push(end);
    ends.push(end);
    split.second = steps.length;
  }
  for (const end of ends) end.to = steps.length;
}

function emitRepeat({ part, least, most, greedy }: Extract<Node, { kind: "repeat" }>, steps: Step[]): void {
  for (let i = 0; i < least; i++) emit(part, steps);
  const branch = () => {
    const split = { op: "split" as const, first: steps.length + 1, second: 0 };
    steps.push(split);
    return (end: number) => {
      if (greedy) split.second = end;
      else [split.first, split.second] = [end, split.first];
    };
  };
  if (most === Number.POSITIVE_INFINITY) {
    const start = steps.length;
    const leave = branch();
    emit(part, steps);
    steps.push({ op: "jump", to: start });
    leave(steps.length);
    return;
  }
  const leaves: ((end: number) => void)[] = [];
  for (let i = least; i < most; i++) {
    leaves.push(branch());
    emit(part, steps);
  }
  for (const leave of leaves) leave(steps.length);
}

/** What a match can begin with, of ASCII; beyond it anything may. */
function firstCharacters(steps: readonly Step[]): Uint8Array {
  const first = new Uint8Array(128);
  const seen = new Set<number>();
  const todo = [0];
  for (let pc = todo.pop(); pc !== undefined; pc = todo.pop()) {
    if (seen.has(pc)) continue;
    seen.add(pc);
    const step = steps[pc]!;
    if (step.op === "char") for (let i = 0; i < 128; i++) first[i]! |= step.ascii[i]!;
    else if (step.op === "split") todo.push(step.first, step.second);
    else if (step.op === "jump") todo.push(step.to);
    else if (step.op === "assert") todo.push(pc + 1);
    else first.fill(1);
  }
  return first;
}

/** Ways under way, in the order in which they are preferred: where each is, and where it began. */
interface Ways {
  pcs: number[];
  starts: number[];
}

function find(
  steps: readonly Step[],
  first: Uint8Array,
  text: string,
  { from, to, most }: { from: number; to: number; most: number },
): Span[] {
  const found: Span[] = [];
  const seen = new Int32Array(steps.length).fill(-1);
  let visit = 0;
  let now: Ways = { pcs: [], starts: [] };
  let next: Ways = { pcs: [], starts: [] };
  let best: Span | undefined;

  const add = (ways: Ways, entry: number, at: number, start: number) => {
    const todo = [entry];
    for (let pc = todo.pop(); pc !== undefined; pc = todo.pop()) {
      if (seen[pc] === visit) continue;
      seen[pc] = visit;
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
        // What comes after is less preferred.
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

function holds(kind: "^" | "$" | "b" | "B", text: string, at: number): boolean {
  if (kind === "^") return at === 0 || text[at - 1] === "\n";
  if (kind === "$") return at >= text.length || text[at] === "\n";
  return (isWord(text, at - 1) !== isWord(text, at)) === (kind === "b");
}

function isWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /\w/.test(text[at]!);
}
