import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequestStates } from "#lib/core/mcp/request-state.ts";
import { handClock } from "#test/kit/clock.ts";
import { memoryMeta, testStates } from "#test/kit/sealed-states.ts";

const OF = { owner: "agent:a", mode: "direct", name: "up__ask", args: { a: 1, b: [2, { c: 3 }] } };

test("a state comes back as the upstream gave it, after a restart, too", async () => {
  const storage = memoryMeta();
  const sealed = await createRequestStates(() => testStates({ storage })).seal("öpaque\n1", OF);

  const states = createRequestStates(() => testStates({ storage }));

  assert.equal(await states.open(sealed, OF), "öpaque\n1");
  assert.equal(await states.open(sealed, { ...OF, args: { b: [2, { c: 3 }], a: 1 } }), "öpaque\n1");
});

test("a state is good for its caller and its call alone", async () => {
  const made = testStates();
  const states = createRequestStates(() => made);
  const sealed = await states.seal("s", OF);
  const others = [
    { owner: "agent:b" },
    { owner: "user:a" },
    { mode: "retrieve_tools" },
    { name: "up__other" },
    { args: {} },
    { args: { ...OF.args, a: 2 } },
  ];

  for (const other of others)
    assert.equal(await states.open(sealed, { ...OF, ...other }), undefined, JSON.stringify(other));
});

test("a state is too old after half an hour", async () => {
  const clock = handClock();
  const made = testStates({ clock });
  const states = createRequestStates(() => made);
  const sealed = await states.seal("s", OF);

  await clock.advance(30 * 60_000);
  assert.equal(await states.open(sealed, OF), "s");
  await clock.advance(1);
  assert.equal(await states.open(sealed, OF), undefined);
});
