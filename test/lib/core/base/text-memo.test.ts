import assert from "node:assert/strict";
import { test } from "node:test";
import { TextMemo } from "#lib/core/base/text-memo.ts";

const LONG = "a line of a file\n".repeat(100);

/** A memo whose examination counts how often it ran. */
function counted() {
  const memo = new TextMemo<number>();
  let count = 0;
  const of = (text: string, isSmall?: (found: number) => boolean) => memo.of(text, () => ++count, isSmall);
  return { memo, of };
}

test("a long text is examined once, and another one separately", () => {
  const { of } = counted();

  assert.deepEqual([of(LONG), of(LONG), of(`${LONG}.`), of(LONG)], [1, 1, 2, 1]);
});

test("a short text is examined each time, and so is one whose result is too large to remember", () => {
  const { of } = counted();
  const never = () => false;

  assert.deepEqual([of("short"), of("short"), of(LONG, never), of(LONG, never)], [1, 2, 3, 4]);
});

test("the oldest texts are forgotten", () => {
  const { of } = counted();
  of(LONG);
  for (let i = 0; i < 1000; i++) of(`${LONG}${i}`);

  assert.equal(of(LONG), 1002);
});

test("two memories have different hashes of the same text, and neither contains it", () => {
  const keysOf = (memo: object) =>
    Object.values(memo).flatMap((part) => (typeof part?.keys === "function" && "max" in part ? [...part.keys()] : []));
  const [one, other] = [counted(), counted()];
  one.of(LONG);
  other.of(LONG);

  const [[mine], [theirs]] = [keysOf(one.memo), keysOf(other.memo)];

  assert.equal(mine.length, 44);
  assert.notEqual(mine, theirs);
});
