import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { members } from "#lib/core/schema/members.ts";

const INHERITED = ["constructor", "prototype", "__proto__", "toString", "hasOwnProperty", "valueOf"];

test("a key that every object inherits is a key as any other", () => {
  for (const key of INHERITED) {
    const given = JSON.parse(`{"a":1,"${key}":2}`);
    const found = v.safeParse(members(v.number()), given);
    assert.ok(found.success, key);
    assert.deepEqual(Object.entries(found.output), Object.entries(given), key);
    assert.equal(Object.getPrototypeOf(found.output), Object.prototype, key);
  }
});

test("what stands under such a key is checked and named, too", () => {
  for (const key of INHERITED) {
    const found = v.safeParse(v.object({ map: members(v.number()) }), JSON.parse(`{"map":{"${key}":"no"}}`));
    assert.ok(!found.success, key);
    assert.deepEqual(
      found.issues.map((issue) => v.getDotPath(issue)),
      [`map.${key}`],
    );
  }
});

test("a list is no object with members", () => {
  for (const wrong of [[], ["a"], null, "a", 1]) assert.ok(!v.safeParse(members(v.unknown()), wrong).success);
});
