import type { Spans } from "./lexicon.ts";

/** Both stand with no more than `gap` characters between them, in any order, and are not the same. */
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

/** One of `b` follows one of `a`, beginning at most `gap` characters after it. */
export function inOrder(a: Spans | undefined, b: Spans | undefined, gap: number): boolean {
  if (!a || !b) return false;
  for (let i = 0; i < a.length; i += 2)
    for (let j = 0; j < b.length; j += 2) if (b[j]! >= a[i + 1]! && b[j]! - a[i + 1]! <= gap) return true;
  return false;
}

/** Whether one of them passes the test. */
export function some(spans: Spans, test: (at: number, end: number) => boolean): boolean {
  for (let i = 0; i < spans.length; i += 2) if (test(spans[i]!, spans[i + 1]!)) return true;
  return false;
}
