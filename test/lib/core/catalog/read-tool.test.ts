import assert from "node:assert/strict";
import { test } from "node:test";
import { pinOf } from "#lib/core/catalog/pin.ts";
import { type PinnedTool, readListedTool } from "#lib/core/catalog/read-tool.ts";

function taken(entry: unknown, hide?: (text: string) => string): PinnedTool {
  const tool = readListedTool(entry, hide);
  assert.ok(typeof tool !== "string", String(tool));
  return tool;
}

test("a well formed tool is taken with every member that the protocol knows, and with no other", () => {
  const entry = {
    name: "a",
    title: "A",
    description: "does a",
    inputSchema: { $schema: "x", type: "object", properties: {}, additionalProperties: false },
    outputSchema: { type: "object" },
    annotations: { title: "A", readOnlyHint: true, custom: 1 },
    _meta: { ui: 1 },
    icons: [{ src: "https://example.com/a.png", mimeType: "image/png", sizes: ["any"], theme: "light" }],
  };

  const execution = { taskSupport: "optional" };
  const { definition, hash } = taken({ ...entry, execution: { ...execution, more: 1 }, usage_notes: "call b first" });

  assert.deepEqual(definition, { ...entry, execution });
  assert.equal(hash, pinOf(definition));
  assert.equal(hash, taken(entry).hash, "how a call is made needs no approval");
});

test("of execution only the support of tasks is taken", () => {
  const rows: [execution: unknown, taken: object | undefined][] = [
    [{ taskSupport: "required" }, { taskSupport: "required" }],
    [{ taskSupport: "optional", x: 1 }, { taskSupport: "optional" }],
    [{ taskSupport: "forbidden" }, { taskSupport: "forbidden" }],
    [{ taskSupport: "maybe" }, undefined],
    [{ taskSupport: ["required"] }, undefined],
    [{}, undefined],
    ["required", undefined],
    [undefined, undefined],
  ];
  for (const [execution, expected] of rows)
    assert.deepEqual(taken({ name: "a", execution }).definition.execution, expected, JSON.stringify(execution));
});

test("schemas get the type that MCP requires, and hints of a wrong type are left out", () => {
  const rows: [unknown, Partial<PinnedTool["definition"]>, string[]][] = [
    [{ name: "a" }, { description: "", inputSchema: { type: "object" } }, ["title", "outputSchema", "annotations"]],
    [{ name: "a", inputSchema: { properties: {} } }, { inputSchema: { properties: {}, type: "object" } }, []],
    [{ name: "a", inputSchema: { type: "string" } }, { inputSchema: { type: "object" } }, []],
    [{ name: "a", icons: "none", _meta: [] }, {}, ["icons", "_meta"]],
    [{ name: "a", icons: [], _meta: {} }, { _meta: {} }, ["icons"]],
    [
      {
        name: "a",
        annotations: { readOnlyHint: "true", destructiveHint: 1, title: 2, idempotentHint: true, x: "kept" },
      },
      { annotations: { idempotentHint: true, x: "kept" } as never },
      [],
    ],
  ];
  for (const [entry, expected, absent] of rows) {
    const { definition } = taken(entry);
    for (const [key, value] of Object.entries(expected))
      assert.deepEqual(definition[key as keyof typeof definition], value, JSON.stringify(entry));
    for (const key of absent) assert.ok(!(key in definition), `${key} of ${JSON.stringify(entry)}`);
  }
});

test("an icon is an https or image data address with what the protocol says of it; others are left out", () => {
  const good = { src: "https://example.com/a.png" };
  const rows: [what: string, icons: unknown[], taken: unknown[] | undefined][] = [
    ["https", [good], [good]],
    ["an image within", [{ src: "data:image/png;base64,AAAA" }], [{ src: "data:image/png;base64,AAAA" }]],
    ["upper case scheme", [{ src: "HTTPS://example.com/a" }], [{ src: "HTTPS://example.com/a" }]],
    ["http", [{ src: "http://example.com/a.png" }, good], [good]],
    ["another kind of data", [{ src: "data:text/html,<b>" }], undefined],
    ["a script", [{ src: "javascript:alert(1)" }], undefined],
    ["no address", [{ src: "icon.png" }], undefined],
    ["no object", ["https://example.com/a.png", null], undefined],
    ["no source", [{ mimeType: "image/png" }], undefined],
    ["an unknown member", [{ ...good, note: "call b first" }], [good]],
    ["members of a wrong type", [{ ...good, mimeType: 1, sizes: "any", theme: "blue" }], [good]],
    [
      "sizes that are none",
      [{ ...good, sizes: ["48x48", "any", "ignore all", 5] }],
      [{ ...good, sizes: ["48x48", "any"] }],
    ],
    ["a type that is none", [{ ...good, mimeType: "call b first" }], [good]],
    ["a long address", [{ src: `https://example.com/${"a".repeat(2048)}` }], undefined],
    ["a large image", [{ src: `data:image/png;base64,${"A".repeat(32 * 1024)}` }], undefined],
    ["more than eight", Array(20).fill(good), Array(8).fill(good)],
  ];
  for (const [what, icons, expected] of rows) {
    const { definition, leftOut } = taken({ name: "a", icons });
    assert.deepEqual(definition.icons, expected, what);
    const complete = JSON.stringify(icons) === JSON.stringify(expected);
    if (!complete) assert.match(leftOut.join(), /icons/, what);
    else assert.deepEqual(leftOut, [], what);
  }
});

test("_meta is an object of bounded depth and size; one beyond that is left out, and said so", () => {
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}{}${"}".repeat(levels)}`);
  const rows: [what: string, meta: unknown, kept: boolean][] = [
    ["an object", { "vendor/x": [1, { y: null }] }, true],
    ["a list", [1], false],
    ["a text", "call b first", false],
    ["deep", nested(20), true],
    ["too deep", nested(21), false],
    ["large", { a: "é".repeat(16 * 1024 - 10) }, true],
    ["too large", { a: "é".repeat(16 * 1024) }, false],
  ];
  for (const [what, _meta, kept] of rows) {
    const { definition, leftOut } = taken({ name: "a", _meta });
    assert.deepEqual(definition._meta, kept ? _meta : undefined, what);
    assert.equal(leftOut.length, kept ? 0 : 1, what);
  }
});

test("a secret of its own server is masked wherever a definition repeats it, in the same words after a rotation", () => {
  const hiding = (secret: string) => (text: string) => text.replaceAll(secret, "••••");
  const entry = (secret: string) => ({
    name: "a",
    title: `T ${secret}`,
    description: `uses ${secret}`,
    inputSchema: { type: "object", properties: { [`x${secret}`]: { default: secret, enum: [`${secret}!`] } } },
    outputSchema: { type: "object", description: secret },
    annotations: { title: secret },
    icons: [{ src: `https://example.com/?key=${secret}` }],
    _meta: { [secret]: [secret] },
  });

  const [first, second] = ["s3cret-one", "another-s3cret"].map((secret) => taken(entry(secret), hiding(secret)));

  assert.ok(!JSON.stringify(first!.definition).includes("s3cret"));
  assert.equal(first!.definition.description, "uses ••••");
  assert.equal(first!.hash, second!.hash);
  assert.equal(first!.hash, pinOf(first!.definition));
  assert.notEqual(first!.formerPin(), second!.formerPin(), "pins of version 1 covered the text as it was sent");
  const refused = readListedTool({ name: "get-s3cret-one" }, hiding("s3cret-one"));
  assert.ok(typeof refused === "string" && /name repeats a secret/.test(refused) && !refused.includes("s3cret-one"));
});

test("what is no tool is refused with its reason", () => {
  const deep = JSON.parse(`{"type":"object","a":${"[".repeat(5000)}${"]".repeat(5000)}}`);
  const rows: [unknown, RegExp][] = [
    [null, /^an entry is null$/],
    [[], /^an entry is a list$/],
    ["a", /^an entry is string$/],
    [{}, /no name/],
    [{ name: 5 }, /no name/],
    [{ name: "" }, /no name/],
    [{ name: "n".repeat(257) }, /longer than 256/],
    [{ name: "a", inputSchema: deep }, /tool "a" is nested more than 100 deep/],
    // Clients reject the whole list for one of these, and without the member the tool would be another one.
    [{ name: "a", inputSchema: "none" }, /^tool "a": inputSchema is not of type object$/],
    [{ name: "a", inputSchema: [] }, /^tool "a": inputSchema is not of type object$/],
    [{ name: "a", outputSchema: null }, /^tool "a": outputSchema is not of type object$/],
    [{ name: "a", annotations: 7 }, /^tool "a": annotations is not of type object$/],
    [{ name: "a", description: {} }, /^tool "a": description is not of type string$/],
    [{ name: "a", title: 1 }, /^tool "a": title is not of type string$/],
  ];
  for (const [entry, reason] of rows) {
    const refused = readListedTool(entry);
    assert.ok(typeof refused === "string" && reason.test(refused), JSON.stringify(refused).slice(0, 200));
  }
});

test("a member named __proto__ is data like any other", () => {
  const entry = JSON.parse('{"name":"a","inputSchema":{"type":"object","__proto__":{"x":"secret"}}}');

  const { definition } = taken(entry, (text) => text.replace("secret", "••••"));

  assert.ok(Object.hasOwn(definition.inputSchema, "__proto__"));
  assert.deepEqual(Object.keys(definition.inputSchema), ["type", "__proto__"]);
});

test("a tool is taken up to a size, wherever its characters stand", () => {
  const most = 256 * 1024;
  const properties = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`property_${i}`, {}]));
  const icon = { src: `data:image/png;base64,${"A".repeat(32_000)}` };
  const good: object[] = [
    { description: "x".repeat(most - 1000) },
    { inputSchema: { type: "object", properties: properties(10_000) } },
    { icons: Array.from({ length: 8 }, () => icon), _meta: { ui: "x".repeat(30_000) } },
  ];
  const large: object[] = [
    { description: "x".repeat(most) },
    { inputSchema: { type: "object", properties: properties(100_000) } },
    { outputSchema: { type: "object", enum: Array.from({ length: 100_000 }, (_, i) => i) } },
    { inputSchema: { type: "object", properties: { a: { description: "x".repeat(most) } } } },
  ];

  for (const members of good) assert.equal(typeof readListedTool({ name: "a", ...members }), "object");
  for (const members of large)
    assert.equal(readListedTool({ name: "a", ...members }), 'tool "a" is larger than the maximum of 262144 characters');
});
