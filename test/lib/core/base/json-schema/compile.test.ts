import assert from "node:assert/strict";
import { test } from "node:test";
import Ajv7 from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import { compileSchema } from "#lib/core/base/json-schema/compile.ts";
import { explainProblems } from "#lib/core/base/json-schema/explain.ts";
import { effortMs } from "#test/kit/effort.ts";
import { seeded } from "#test/kit/random.ts";

/** What is told of a value that does not match: `place message`. */
const told = (schema: unknown, value: unknown) =>
  explainProblems(compileSchema(schema)(value).problems, "it").problems.map(
    ({ field, message }) => `${field} ${message}`,
  );

const object = (properties: object, rest: object = {}) => ({ type: "object", properties, ...rest });

test("what is wrong is told by its place, with what was expected there", () => {
  const rows: [schema: object, value: unknown, problems: string[]][] = [
    [object({ n: { type: "integer" } }), { n: "1" }, ["n must be an integer, not a string"]],
    [object({ n: { type: "integer" } }), { n: 1.5 }, ["n must be an integer, not a number"]],
    [object({ n: { type: ["string", "null"] } }), { n: [] }, ["n must be a string or null, not an array"]],
    [object({}, { required: ["a", "b"] }), {}, ["a is required but missing", "b is required but missing"]],
    [object({}), null, ["it must be an object, not null"]],
    [
      object({ path: {} }, { additionalProperties: false }),
      { pth: 1 },
      ['pth is not among the properties; did you mean "path"?'],
    ],
    [object({ a: {} }, { additionalProperties: false }), { "x y": 1 }, ['["x y"] is not among the properties']],
    [
      object({ color: { enum: ["red", "green", 3, null] } }),
      { color: "gren" },
      ['color must be one of "red", "green", 3, null; did you mean "green"?'],
    ],
    [object({ kind: { const: "a" } }), { kind: "b" }, ['kind must be "a"']],
    [object({ n: { minimum: 1, maximum: 5 } }), { n: 9 }, ["n must be at most 5"]],
    [object({ n: { exclusiveMinimum: 1 } }), { n: 1 }, ["n must be more than 1"]],
    [object({ n: { multipleOf: 0.01 } }), { n: 1.001 }, ["n must be a multiple of 0.01"]],
    [object({ t: { minLength: 2 } }), { t: "x" }, ["t must have at least 2 characters"]],
    [object({ t: { maxLength: 1 } }), { t: "😀😀" }, ["t must have at most 1 character"]],
    [object({ t: { pattern: "^[a-z]+$" } }), { t: "a1" }, ['t must match the pattern "^[a-z]+$"']],
    [object({ l: { items: { type: "string" } } }), { l: ["a", 1] }, ["l[1] must be a string, not an integer"]],
    [object({ l: { minItems: 1 } }), { l: [] }, ["l must have at least 1 item"]],
    [
      object({ l: { uniqueItems: true } }),
      {
        l: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      ["l must not hold the same item twice"],
    ],
    [object({ a: object({ b: { type: "string" } }) }), { a: { b: 1 } }, ["a.b must be a string, not an integer"]],
    [
      object({ v: { anyOf: [{ type: "string" }, { type: "null" }] } }),
      { v: 1 },
      ["v must be a string or null, not an integer"],
    ],
    [
      object({
        shape: {
          oneOf: [
            object({ kind: { const: "circle" }, r: { type: "number" } }, { required: ["kind", "r"] }),
            object({ kind: { const: "square" }, side: { type: "number" } }, { required: ["kind", "side"] }),
          ],
        },
      }),
      { shape: { kind: "square" } },
      ["shape.side is required but missing"],
    ],
    [
      object({ n: { oneOf: [{ minimum: 1 }, { minimum: 2 }] } }),
      { n: 3 },
      ["n matches 2 of the alternatives of oneOf, where exactly one is allowed"],
    ],
    [object({ n: { not: { const: 1 } } }), { n: 1 }, ["n must not match what `not` describes"]],
    [object({}, { dependentRequired: { a: ["b"] } }), { a: 1 }, ["b is required but missing"]],
    [object({}, { propertyNames: { maxLength: 1 } }), { ab: 1 }, ["ab must have at most 1 character"]],
    [object({ a: false }), { a: 1 }, ["a is not allowed"]],
    [object({ a: { type: "string", nullable: true } }), { a: null }, []],
  ];
  for (const [schema, value, problems] of rows) assert.deepEqual(told(schema, value), problems, JSON.stringify(schema));
});

test("what a value holds is never repeated, as it may be a secret", () => {
  const secret = "hunter2-hunter2";
  const schema = object({ a: { enum: ["x"] }, b: { pattern: "^x$" }, c: { type: "number" }, d: { const: 1 } });

  const all = explainProblems(compileSchema(schema)({ a: secret, b: secret, c: secret, d: secret }).problems, "it");

  assert.equal(all.problems.length, 4);
  assert.ok(!JSON.stringify(all).includes("hunter2"));
});

test("references within a document are followed, also in circles; nothing outside is asked for", () => {
  const tree = {
    $defs: { node: object({ children: { type: "array", items: { $ref: "#/$defs/node" } } }, { required: ["name"] }) },
    $ref: "#/$defs/node",
  };
  assert.deepEqual(told(tree, { name: 1, children: [{ name: 2, children: [{}] }] }), [
    "children[0].children[0].name is required but missing",
  ]);
  const rows: [object, unknown, boolean][] = [
    [{ definitions: { "a/b": { type: "string" } }, $ref: "#/definitions/a~1b" }, 1, false],
    [{ $defs: { x: { $anchor: "here", type: "string" } }, $ref: "#here" }, 1, false],
    [{ $id: "https://example.com/s", $defs: { x: { $id: "item", type: "string" } }, $ref: "item" }, 1, false],
    // Draft 7 ignores what stands beside $ref.
    [
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions: { a: {} },
        $ref: "#/definitions/a",
        type: "string",
      },
      1,
      true,
    ],
    [{ definitions: { a: {} }, $ref: "#/definitions/a", type: "string" }, 1, false],
  ];
  for (const [schema, value, valid] of rows)
    assert.equal(compileSchema(schema)(value).problems.length === 0, valid, JSON.stringify(schema));
  for (const $ref of ["https://example.com/other.json", "#/nowhere", "#/%", "other"])
    assert.match(compileSchema({ $ref })(1).unchecked ?? "", /leads out of the schema/, $ref);
  assert.match(compileSchema({ $ref: "#" })(1).unchecked ?? "", /refers to itself/);
});

test("what is not supported is taken for valid, said, and never makes a value wrong", () => {
  const look = { pattern: "^(?!x)" };
  const rows: [schema: object, value: unknown][] = [
    [look, "x"],
    [{ not: look }, "y"],
    [{ oneOf: [look, { type: "string" }] }, "y"],
    [{ if: look, else: false }, "x"],
    [{ $dynamicRef: "#x" }, 1],
    [{ unevaluatedProperties: false, allOf: [{ properties: { a: true } }] }, { a: 1 }],
    [{ pattern: "^.$" }, "😀"],
  ];
  for (const [schema, value] of rows) {
    const { problems, unchecked } = compileSchema(schema)(value);
    assert.deepEqual([problems.length, typeof unchecked], [0, "string"], JSON.stringify(schema));
  }
});

test("names that objects have by themselves are names like any other", () => {
  const schema = JSON.parse(
    '{"properties":{"__proto__":{"type":"string"}},"required":["constructor"],"additionalProperties":false}',
  );
  assert.deepEqual(told(schema, JSON.parse('{"__proto__":1,"toString":2}')), [
    "toString is not among the properties",
    "constructor is required but missing",
    "__proto__ must be a string, not an integer",
  ]);
});

test("a schema that is no schema says nothing", () => {
  for (const schema of [
    null,
    1,
    "x",
    [],
    { type: 7 },
    { properties: 1, required: "a", items: 3, enum: "x", minimum: "1" },
  ])
    assert.deepEqual(compileSchema(schema)({ a: [1] }).problems, [], JSON.stringify(schema));
});

/** A schema and values at random, from the keywords that both know. */
function drawn(random: ReturnType<typeof seeded>, depth: number): object {
  const inner = () => drawn(random, depth - 1);
  const leaf = [
    () => ({ type: random.pick(["string", "integer", "number", "boolean", "null", "array", "object"]) }),
    () => ({ type: ["string", random.pick(["null", "integer"])] }),
    () => ({ enum: ["a", 1, null, [1], { a: 1 }].slice(0, 1 + random.below(5)) }),
    () => ({ const: random.pick(["a", 1, { a: 1 }]) }),
    () => ({ minimum: random.below(3), exclusiveMaximum: 2 + random.below(3) }),
    () => ({ minLength: random.below(3), maxLength: 1 + random.below(3) }),
    () => ({ pattern: random.pick(["^a", "b$", "^[ab]*$", "a|b", "^$"]) }),
    () => ({ minItems: random.below(2), maxItems: 1 + random.below(3), uniqueItems: random.below(2) === 0 }),
    () => ({ minProperties: random.below(2), maxProperties: 1 + random.below(2) }),
  ];
  const composed = [
    () => ({ properties: { a: inner(), b: inner() }, required: ["a"].slice(random.below(2)) }),
    () => ({ properties: { a: inner() }, additionalProperties: random.pick([false, inner()]) }),
    () => ({ patternProperties: { "^a": inner() }, additionalProperties: inner() }),
    () => ({ propertyNames: { pattern: "^a" } }),
    () => ({ items: inner() }),
    () => ({ contains: inner() }),
    () => ({ allOf: [inner(), inner()] }),
    () => ({ anyOf: [inner(), inner()] }),
    () => ({ oneOf: [inner(), inner()] }),
    () => ({ not: inner() }),
    () => Object.fromEntries(["if", "then", "else"].map((keyword) => [keyword, inner()])),
    () => ({ $ref: random.pick(["#/definitions/x", "#/definitions/y"]) }),
  ];
  return random.pick(depth > 0 ? [...leaf, ...composed, ...composed] : leaf)();
}

function drawnValue(random: ReturnType<typeof seeded>, depth: number): unknown {
  const inner = () => drawnValue(random, depth - 1);
  const leaf = [() => random.text(["a", "b", "ab"], 3), () => random.below(5), () => null, () => true, () => 1.5];
  const composed = [
    () => Array.from({ length: random.below(4) }, inner),
    () => ({ a: inner() }),
    () => ({ a: inner(), b: inner() }),
    () => ({ c: inner() }),
  ];
  return random.pick(depth > 0 ? [...leaf, ...composed] : leaf)();
}

test("drawn by lot, a value is valid exactly where another implementation says so", () => {
  const random = seeded(2026);
  const ajv = { strict: false, logger: false as const };
  for (let i = 0; i < 150; i++) {
    const old = i % 2 === 0;
    const dialect = old ? "http://json-schema.org/draft-07/schema#" : "https://json-schema.org/draft/2020-12/schema";
    const definitions = { x: drawn(random, 1), y: drawn(random, 0) };
    const schema = { $schema: dialect, definitions, ...drawn(random, 3) };
    const other = (old ? new Ajv7(ajv) : new Ajv2020(ajv)).compile(schema);
    const ours = compileSchema(schema);
    for (let k = 0; k < 20; k++) {
      const value = drawnValue(random, 3);
      const { problems, unchecked } = ours(value);
      assert.equal(unchecked, undefined);
      assert.equal(problems.length === 0, other(value), `${JSON.stringify(schema)} on ${JSON.stringify(value)}`);
    }
  }
});

test("a value that is nested deeper than can be followed is not checked, and does not break anything", () => {
  let deep: unknown[] = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  for (const schema of [{ items: { $ref: "#" } }, { uniqueItems: true }, { enum: [deep] }, { const: { a: 1 } }]) {
    const { problems, unchecked } = compileSchema(schema)([deep, deep]);
    assert.deepEqual([problems.length, typeof unchecked], [0, "string"], Object.keys(schema)[0]);
  }
});

test("no schema and no value takes long", () => {
  const wide = object(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}`, { type: "string" }])), {
    additionalProperties: false,
  });
  let chain: object = {};
  for (let i = 0; i < 60; i++) chain = { x: chain };
  const twice = (n: string) => object({ x: { $ref: `#/$defs/${n}` } }, { required: ["missing"] });
  const doubling = { $defs: { a: { anyOf: [twice("a"), twice("a")] } }, $ref: "#/$defs/a" };
  const numbers = Array.from({ length: 300_000 }, (_, i) => i);
  const several = [{ type: "string" }, { type: "number" }, { type: "boolean" }];
  const rows: [string, schema: unknown, value: unknown][] = [
    ["a long list of alternatives", { items: { oneOf: several } }, numbers],
    ["a long list of what is not allowed", { items: { not: { type: "string" } } }, numbers],
    ["100,000 properties", wide, { p5: "x", p99999: "y" }],
    ["an expression of nested repetition", { pattern: "^(a+)+$" }, `${"a".repeat(1_000_000)}!`],
    ["an expression of many ways", { pattern: "(?:a?){30}a{30}" }, "a".repeat(1_000_000)],
    ["alternatives that double at each level", doubling, chain],
    ["a long list", { items: { type: "string" }, uniqueItems: true }, Array.from({ length: 1_000_000 }, String)],
    ["a long text", { maxLength: 3_000_000 }, "x".repeat(5_000_000)],
  ];
  for (const [what, schema, value] of rows) {
    const check = compileSchema(schema);
    // The first runs compile. What is left is 5 ms on a slow core, and the best of three is not the machine's doing.
    for (let i = 0; i < 3; i++) check(value);
    const effort = Math.min(...[1, 2, 3].map(() => effortMs(() => void check(value))));
    assert.ok(effort < 40, `${what}: ${effort} ms`);
  }
});
