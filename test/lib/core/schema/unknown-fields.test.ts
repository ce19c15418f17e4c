import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { members } from "#lib/core/schema/members.ts";
import { unknownField } from "#lib/core/schema/unknown-fields.ts";

const Item = v.strictObject({ id: v.string(), pin_hash: v.optional(v.string()) });
const Body = v.pipe(
  v.object({
    items: v.optional(v.array(Item)),
    policy: v.nullish(v.pipe(v.object({ read_only: v.boolean() }), v.description("x"))),
    env: v.optional(members(v.string())),
    each: v.optional(v.record(v.string(), Item)),
    open: v.optional(v.looseObject({ inner: v.optional(Item) })),
    any: v.unknown(),
    either: v.optional(v.union([Item, v.object({ name: v.string() })])),
  }),
  v.check(() => true),
);

const KNOWN = "known fields: items, policy, env, each, open, any, either";
const ROWS: [value: unknown, text: string | undefined][] = [
  [{}, undefined],
  [{ items: [{ id: "a" }], policy: null, any: { x: { y: 1 } } }, undefined],
  [{ polcy: {} }, `polcy: unknown field; ${KNOWN}; did you mean policy?`],
  [{ zzzzzz: {} }, `zzzzzz: unknown field; ${KNOWN}`],
  [
    { items: [{ id: "a" }, { id: "b", pin_hsh: 1 }] },
    "items[1].pin_hsh: unknown field; known fields: id, pin_hash; did you mean pin_hash?",
  ],
  [{ policy: { readonly: true } }, "policy.readonly: unknown field; known fields: read_only; did you mean read_only?"],
  [{ env: { ANY: "x", constructor: "y" } }, undefined],
  [{ each: { "a.b": { idd: 1 } } }, 'each["a.b"].idd: unknown field; known fields: id, pin_hash; did you mean id?'],
  [{ open: { other: 1 } }, undefined],
  [{ open: { inner: { idd: 1 } } }, "open.inner.idd: unknown field; known fields: id, pin_hash; did you mean id?"],
  [{ either: { name: "x" } }, undefined],
  [{ either: { nme: "x" } }, "either.nme: unknown field; known fields: id, pin_hash"],
  [{ constructor: 1 }, `constructor: unknown field; ${KNOWN}`],
  [{ items: { id: "a" } }, undefined],
  ["text", undefined],
];

test("a member that the schema does not name is named with its path and the nearest known one, at every level", () => {
  for (const [value, text] of ROWS) assert.equal(unknownField(Body, value), text, JSON.stringify(value));
});

test("a very long name is cut and not compared", () => {
  const text = unknownField(v.object({ a: v.any() }), { ["a".repeat(500_000)]: 1 });

  assert.ok(text !== undefined && text.length < 300);
});
