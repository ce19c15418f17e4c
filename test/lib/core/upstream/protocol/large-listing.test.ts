import assert from "node:assert/strict";
import { test } from "node:test";
import { readListedTool } from "#lib/core/catalog/read-tool.ts";
import type { RawTool } from "#lib/core/schema/mcp.ts";
import { discoverTools } from "#lib/core/upstream/discover-tools.ts";
import { readLargeListing } from "#lib/core/upstream/protocol/large-listing.ts";

function readWhole(raw: string): { result: Record<string, unknown>; pauses: number } {
  const steps = readLargeListing(raw);
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done) return { result: step.value, pauses };
  }
}

const TOOLS = [
  { name: "a", description: 'quotes " and \\ and ] } , :', inputSchema: { type: "object", properties: { "]": {} } } },
  { name: "ä€😀", description: "\u2028\n", annotations: { readOnlyHint: true, nested: [[[1]], [], {}, null, -1.5e9] } },
  {},
  "no tool",
  7,
  null,
  [],
];

test("a listing that is read entry by entry is what JSON.parse makes of it", () => {
  const rows: unknown[] = [
    { tools: TOOLS },
    { tools: TOOLS, nextCursor: 'x"y', _meta: { tools: [1, 2] } },
    { nextCursor: "first", tools: [] },
    { tools: "none" },
    { tools: { a: [1] }, other: [] },
    {},
  ];
  for (const value of rows)
    for (const space of [0, 1, "\t"])
      for (const raw of [JSON.stringify(value, null, space), ` \n${JSON.stringify(value, null, space)}\r\n`])
        assert.deepEqual(readWhole(raw).result, JSON.parse(raw), raw);
});

test("of members with the same key the last counts, and none of them becomes a prototype", () => {
  const { result } = readWhole('{"tools":[1],"__proto__":{"polluted":true},"tools":[2]}');

  assert.deepEqual(result.tools, [2]);
  assert.equal(Object.getPrototypeOf(result), Object.prototype);
  assert.equal((result as { polluted?: boolean }).polluted, undefined);
});

test("what is no JSON object is refused, wherever it is broken", () => {
  const whole = JSON.stringify({ tools: [{ name: "a", n: [1, { b: 2 }] }], nextCursor: "c" });
  const broken = ["", "[]", "7", "{", '{"tools"}', '{"tools":}', '{"tools":[}', `${whole}x`, '{"tools":[{"name":}]}'];
  for (let end = 1; end < whole.length; end++) broken.push(whole.slice(0, end));
  for (const raw of broken) assert.throws(() => readWhole(raw), SyntaxError, raw);
});

test("others have turns between entries, and within an entry that is long", () => {
  const raw = JSON.stringify({ tools: [{ name: "wide", p: Array.from({ length: 300_000 }, (_, i) => i) }, ...TOOLS] });

  assert.ok(readWhole(raw).pauses > 20);
});

test("an entry nested too deep ends the listing with a reason", () => {
  const deep = `${'{"a":'.repeat(300)}1${"}".repeat(300)}`;

  assert.throws(() => readWhole(`{"tools":[${deep}]}`), /nested deeper than 200 levels/);
});

test("an entry that is far too large is never parsed, and left out by its name", async () => {
  const large = {
    name: "huge",
    inputSchema: { properties: Object.fromEntries(range(100_000).map((i) => [`p${i}`, {}])) },
  };
  const raw = JSON.stringify({ tools: [{ ...large, description: "x".repeat(2 << 20) }, { name: "good" }] });

  const tools = (await discoverTools({
    now: () => 0,
    request: async () => ({ result: readWhole(raw).result, raw }),
  })) as RawTool[];

  assert.deepEqual(
    tools.map((tool) => tool.name),
    ["huge", "good"],
  );
  assert.equal(tools[0]!.description, undefined);
  assert.match(String(readListedTool(tools[0])), /^tool "huge" is larger than the maximum of 262144 characters/);
});

const range = (length: number) => Array.from({ length }, (_, i) => i);
