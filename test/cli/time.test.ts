import assert from "node:assert/strict";
import { test } from "node:test";
import { readTime, shortTime } from "#cli/time.ts";

const NOW = new Date(2026, 10, 22, 14, 5, 9).getTime();
const iso = (...at: [number, number, number, number?, number?, number?]) => new Date(...at).toISOString();

test("a time of today is told without its date, any other without seconds, and what is no time is left alone", () => {
  assert.equal(shortTime(iso(2026, 10, 22, 1, 2, 3), NOW), "01:02:03");
  assert.equal(shortTime(iso(2026, 10, 21, 23, 59, 59), NOW), "2026-11-21 23:59");
  assert.equal(shortTime(iso(2027, 10, 22, 1, 2, 3), NOW), "2027-11-22 01:02");
  for (const text of ["", "2026-11-21", "2026-13-41T99:00:00Z", "at 2026-11-21T10:00:00Z"])
    assert.equal(shortTime(text, NOW), undefined, text);
});

/** What is typed, and what is meant. */
const TIMES: [string, string | undefined][] = [
  ["90m", new Date(NOW - 90 * 60_000).toISOString()],
  ["2h", new Date(NOW - 2 * 3_600_000).toISOString()],
  ["7d", new Date(NOW - 7 * 86_400_000).toISOString()],
  ["1w", new Date(NOW - 7 * 86_400_000).toISOString()],
  ["2026-01-31", iso(2026, 0, 31)],
  ["2026-01-31 09:30", iso(2026, 0, 31, 9, 30)],
  ["2026-01-31T09:30:05", iso(2026, 0, 31, 9, 30, 5)],
  ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00Z"],
  ["2026-01-31T09:30:00.123456+02:00", "2026-01-31T09:30:00.123456+02:00"],
  ["yesterday", undefined],
  ["2026-13-01", undefined],
  ["-1h", undefined],
  ["1y", undefined],
  ["", undefined],
];
test("a time is so long ago, a day or time of here, or a whole one", () => {
  for (const [text, meant] of TIMES) assert.equal(readTime(text, NOW), meant, text);
});
