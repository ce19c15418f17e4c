import assert from "node:assert/strict";
import { test } from "node:test";
import { hexId, recordId, requestId, sessionId, uuidDigits } from "#lib/core/base/id.ts";

const NUMBER = 20_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("a request without an id gets a UUID of version 4, and each is different", () => {
  const ids = Array.from({ length: NUMBER }, () => requestId(undefined));

  for (const id of ids) assert.match(id, UUID);
  assert.equal(new Set(ids).size, NUMBER);
});

test("every digit of an id is random: each position has every value about equally often", () => {
  const ids = Array.from({ length: NUMBER }, () => requestId(undefined).replaceAll("-", ""));
  const sessions = Array.from({ length: NUMBER }, () => sessionId());
  const traces = Array.from({ length: NUMBER }, () => hexId(8) + hexId(8));

  for (const [texts, width, values] of [
    [ids, 32, 16],
    [sessions, 32, 32],
    [traces, 32, 16],
  ] as const)
    for (let at = 0; at < width; at++) {
      if (texts === ids && (at === 12 || at === 16)) continue;
      const counts = new Map<string, number>();
      for (const text of texts) counts.set(text[at]!, (counts.get(text[at]!) ?? 0) + 1);
      assert.equal(counts.size, values, `position ${at}`);
      // More than seven standard deviations from the mean do not happen by chance.
      const mean = NUMBER / values;
      for (const count of counts.values()) assert.ok(Math.abs(count - mean) < 7 * Math.sqrt(mean), `position ${at}`);
    }
});

test("a client's well-formed id is kept, any other is replaced", () => {
  assert.equal(requestId("abc-1_2"), "abc-1_2");
  for (const sent of ["", "a b", "a\r\n", "x".repeat(257), "ü"]) assert.match(requestId(sent), UUID);
});

test("ids of records sort by their creation, also within a millisecond and when the clock goes back", () => {
  const ids = [1_800_000_000_000, 1_800_000_000_000, 1_800_000_000_001, 1_700_000_000_000].map(recordId);

  assert.deepEqual([...ids].sort(), ids);
  for (const id of ids) assert.match(id, /^[0-9a-hjkmnp-tv-z]{24}$/);
});

test("the ids of traces and spans have the digits that W3C Trace Context prescribes", () => {
  assert.match(hexId(16), /^[0-9a-f]{32}$/);
  assert.match(hexId(8), /^[0-9a-f]{16}$/);
});

test("only ids that are UUIDs of version 4 have digits", () => {
  const id = requestId(undefined);

  assert.equal(uuidDigits(id), id.replaceAll("-", ""));
  for (const other of [
    "",
    "abc-1_2",
    "6f1d0eb096d145fb8f7d0af7651916cd",
    "6F1D0EB0-96D1-45FB-8F7D-0AF7651916CD",
    "6f1d0eb0-96d1-45fb-8f7d-0af7651916cd0",
    "6f1d0eb0-96d1-15fb-8f7d-0af7651916cd",
    "6f1d0eb0-96d1-45fb-cf7d-0af7651916cd",
    "6f1d0eb0_96d1_45fb_8f7d_0af7651916cd",
  ])
    assert.equal(uuidDigits(other), undefined, other);
});
