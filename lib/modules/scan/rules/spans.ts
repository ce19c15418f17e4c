import type { Spans } from "./lexicon.ts";

/** Whether both occur with at most `gap` characters between them, in any order, and are different. */
export function close(a: Spans | undefined, b: Spans | undefined, gap: number): boolean {
  if (!a || !b) return false;
  for (let i = 0; i < a.length; i += 2)
    for (let j = 0; j < b.length; j += 2) {
      const distance = a[i]! >= b[j]! ? a[i]! - b[j + 1]! : b[j]! - a[i + 1]!;
      const same = a[i] === b[j] && a[i + 1] === b[j + 1];
      if (!same && distance <= gap) return true;
    }
  return false;
}

/** Whether a span of `b` starts after one of `a`, at most `gap` characters later. */
export function inOrder(a: Spans | undefined, b: Spans | undefined, gap: number): boolean {
  if (!a || !b) return false;
  for (let i = 0; i < a.length; i += 2)
    for (let j = 0; j < b.length; j += 2) if (b[j]! >= a[i + 1]! && b[j]! - a[i + 1]! <= gap) return true;
  return false;
}

/** Whether a span passes the test. */
export function some(spans: Spans, test: (at: number, end: number) => boolean): boolean {
  for (let i = 0; i < spans.length; i += 2) if (test(spans[i]!, spans[i + 1]!)) return true;
  return false;
}
