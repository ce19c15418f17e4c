import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequestStates } from "#lib/core/mcp/request-state.ts";
import { handClock } from "#test/kit/clock.ts";

const OF = { owner: "agent:a", mode: "direct", name: "up__ask", args: { a: 1, b: [2, { c: 3 }] } };

test("a state comes back as the upstream gave it, and is not readable on its way", () => {
  const states = createRequestStates(handClock());

  const sealed = states.seal("öpaque\n1", OF);

  assert.match(sealed, /^[\w-]+$/);
  assert.ok(!Buffer.from(sealed, "base64url").toString("latin1").includes("paque"));
  assert.equal(states.open(sealed, OF), "öpaque\n1");
  assert.equal(states.open(sealed, { ...OF, args: { b: [2, { c: 3 }], a: 1 } }), "öpaque\n1");
  assert.notEqual(states.seal("öpaque\n1", OF), sealed);
});

test("a state is good for its caller and its call alone", () => {
  const states = createRequestStates(handClock());
  const sealed = states.seal("s", OF);
  const others = [
    { owner: "agent:b" },
    { owner: "user:a" },
    { mode: "retrieve_tools" },
    { name: "up__other" },
    { args: {} },
    { args: { ...OF.args, a: 2 } },
  ];

  for (const other of others) assert.equal(states.open(sealed, { ...OF, ...other }), undefined, JSON.stringify(other));
});

test("a state that was changed, cut, or made elsewhere is refused", () => {
  const states = createRequestStates(handClock());
  const sealed = states.seal("s", OF);
  const bytes = Buffer.from(sealed, "base64url");
  const flipped = Buffer.from(bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte))).toString("base64url");
  const elsewhere = createRequestStates(handClock()).seal("s", OF);

  for (const text of [
    "",
    "x",
    `${sealed}-TAMPERED`,
    `${sealed}=`,
    sealed.slice(1),
    sealed.slice(0, -1),
    flipped,
    elsewhere,
  ])
    assert.equal(states.open(text, OF), undefined, text);
});

test("a state is too old after half an hour", async () => {
  const clock = handClock();
  const states = createRequestStates(clock);
  const sealed = states.seal("s", OF);

  await clock.advance(30 * 60_000);
  assert.equal(states.open(sealed, OF), "s");
  await clock.advance(1);
  assert.equal(states.open(sealed, OF), undefined);
});
