import { type PatternNode, parsePattern } from "./pattern.ts";

/** One instruction of a compiled pattern. */
export type Step =
  | { op: "char"; ascii: Uint8Array; wide: (code: number) => boolean }
  | { op: "split"; first: number; second: number }
  | { op: "jump"; to: number }
  | { op: "assert"; kind: "^" | "$" | "b" | "B" }
  | { op: "match" };

/** Maximum number of instructions of one expression, with counted repetitions written out. */
const MAX_STEPS = 1000;

/**
 * Compiles an expression to instructions, of which the last one is the match.
 *
 * @throws Error that says what is wrong with it
 */
export function linearSteps(source: string): Step[] {
  const steps: Step[] = [];
  emit(parsePattern(source), steps);
  steps.push({ op: "match" });
  return steps;
}

function emit(node: PatternNode, steps: Step[]): void {
  if (steps.length > MAX_STEPS) throw new Error(`it is too large; repeat fewer than ${MAX_STEPS} characters in total`);
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

function emitAny(parts: readonly PatternNode[], steps: Step[]): void {
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

function emitRepeat({ part, least, most, greedy }: Extract<PatternNode, { kind: "repeat" }>, steps: Step[]): void {
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

/** Returns the set of ASCII characters that a match can begin with. Every other character may begin a match. */
export function firstCharacters(steps: readonly Step[]): Uint8Array {
  const first = new Uint8Array(128);
  const visited = new Set<number>();
  const todo = [0];
  for (let pc = todo.pop(); pc !== undefined; pc = todo.pop()) {
    if (visited.has(pc)) continue;
    visited.add(pc);
    const step = steps[pc]!;
    if (step.op === "char") for (let i = 0; i < 128; i++) first[i]! |= step.ascii[i]!;
    else if (step.op === "split") todo.push(step.first, step.second);
    else if (step.op === "jump") todo.push(step.to);
    else if (step.op === "assert") todo.push(pc + 1);
    else first.fill(1);
  }
  return first;
}
