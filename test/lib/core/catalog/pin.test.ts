import assert from "node:assert/strict";
import { test } from "node:test";
import { formerPinOf, isCurrentPin, PIN_VERSION, pinOf } from "#lib/core/catalog/pin.ts";
import type { McpObject } from "#lib/core/schema/mcp.ts";
import { MAX_TOOL_DEPTH, type ToolDefinition } from "#lib/core/schema/tool.ts";
import { verifies } from "#test/kit/verifies.ts";

const TOOL: ToolDefinition = {
  name: "read_file",
  title: "Read a file",
  description: "Reads a file.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", description: "where" }, depth: { type: "integer", default: 3 } },
    required: ["path"],
  },
  outputSchema: { type: "object", properties: { text: { type: "string" } } },
  annotations: { readOnlyHint: true, destructiveHint: false },
  icons: [{ src: "https://example.com/a.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" }],
  _meta: { "vendor/template": "ui://a", level: 1 },
};

verifies(
  ["rest.preflight.pin-format", "rest.version.pin"],
  "a pin is sha256/v{N}:{hex} with the formula's version in it (spec 000 §2.6)",
  () => {
    const pin = pinOf(TOOL);
    assert.match(pin, new RegExp(`^sha256/v${PIN_VERSION}:[0-9a-f]{64}$`));
    assert.ok(isCurrentPin(pin));
    assert.ok(!isCurrentPin(pin.replace(`/v${PIN_VERSION}:`, `/v${PIN_VERSION + 1}:`)));
  },
);

test("the formulas never change: pins that people wrote down stay good", () => {
  assert.equal(formerPinOf(TOOL), "sha256/v1:ad21b0cc4ef157d7b0be6e1452669e1a540d80fea2703d06e8ed7141cfc8f888");
  assert.equal(pinOf(TOOL), "sha256/v2:042d294cd1af16dfe2d0e629112a66ccb3220b5a6a07084ef5f4afe2ec8c5046");
});

test("version 1 does not cover icons and _meta, which is what it is kept for", () => {
  const { icons: _, _meta: __, ...rest } = TOOL;
  assert.equal(formerPinOf(rest), formerPinOf(TOOL));
  assert.notEqual(pinOf(rest), pinOf(TOOL));
});

test("a definition nested too deep has no pin", () => {
  const deep = (levels: number): ToolDefinition => {
    let schema: McpObject = {};
    for (let i = 0; i < levels; i++) schema = { not: schema };
    return { ...TOOL, inputSchema: schema };
  };
  assert.match(pinOf(deep(MAX_TOOL_DEPTH)), /^sha256/);
  assert.throws(() => pinOf(deep(MAX_TOOL_DEPTH + 1)), RangeError);
});

test("key order and white space of schemas and annotations do not count, at any depth", () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  for (let round = 0; round < 50; round++) {
    const shuffled = shuffle(TOOL, random) as ToolDefinition;
    assert.equal(pinOf(JSON.parse(JSON.stringify(shuffled, null, round % 5))), pinOf(TOOL));
  }
});

test("any change of any value changes the pin, in whatever part it is", () => {
  const pins = new Set([pinOf(TOOL)]);
  const variants = [...changes(TOOL)] as ToolDefinition[];

  for (const variant of variants) pins.add(pinOf(variant));

  assert.ok(variants.length > 40, `${variants.length} variants`);
  assert.equal(pins.size, variants.length + 1);
});

test("moving text from one part to another changes the pin, and so does an absent part that was empty", () => {
  const base: ToolDefinition = { name: "a", description: "bc", inputSchema: {} };
  const tools: ToolDefinition[] = [
    base,
    { ...base, name: "ab", description: "c" },
    { ...base, name: "abc", description: "" },
    { ...base, title: "" },
    { ...base, title: "bc", description: "" },
    { ...base, description: '","' },
    { ...base, description: "bc;2:{};-;-;" },
    { ...base, annotations: {} },
    { ...base, outputSchema: {} },
    { ...base, icons: [] },
    { ...base, _meta: {} },
    { ...base, inputSchema: { outputSchema: {} } },
  ];
  assert.equal(new Set(tools.map(pinOf)).size, tools.length);
});

function shuffle(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffle(item, random));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, shuffle(item, random)]);
  return Object.fromEntries(
    entries
      .map((entry) => ({ entry, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry),
  );
}

/** The value with one thing changed, in every way: a member gone, another value, a member more, an item more. */
function* changes(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    yield [...value, "more"];
    yield [];
    for (const [i, item] of value.entries()) for (const other of changes(item)) yield value.with(i, other);
    return;
  }
  if (typeof value === "object" && value !== null) {
    const whole = "inputSchema" in value;
    if (!whole) yield { ...value, more: null };
    for (const [key, item] of Object.entries(value)) {
      if (!whole || !["name", "description", "inputSchema"].includes(key))
        yield Object.fromEntries(Object.entries(value).filter(([k]) => k !== key));
      for (const other of changes(item)) yield { ...value, [key]: other };
    }
    return;
  }
  yield typeof value === "boolean" ? !value : typeof value === "number" ? value + 1 : `${value} `;
}
