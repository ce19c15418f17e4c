import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson } from "#lib/core/base/canonical.ts";
import { formerPinOf, pinOf } from "#lib/core/catalog/pin.ts";
import { type PinnedTool, readListedTool } from "#lib/core/catalog/read-tool.ts";
import type { DriftClass } from "#lib/core/schema/lock-verification.ts";
import type { McpObject } from "#lib/core/schema/mcp.ts";
import type { ToolDefinition } from "#lib/core/schema/tool.ts";
import { compare } from "#lib/modules/lock/compare.ts";
import { LOCK_VERSION, type LockDocument, type LockedTool, lockPieces, readLock } from "#lib/modules/lock/document.ts";
import { schemaDrift } from "#lib/modules/lock/schema-drift.ts";
import { toolOf as toolLock } from "#lib/modules/lock/server-lock.ts";
import { type Random, seeded } from "#test/kit/random.ts";

test("a change of a schema is classed by what is accepted after it", () => {
  const rows: [before: object, now: object, ...DriftClass[]][] = [
    [{ type: "string" }, { type: "string" }],
    [{ type: "string" }, { type: ["string", "number"] }, "widening"],
    [{ type: "number" }, { type: "integer" }, "narrowing"],
    [{ type: "string" }, { type: "number" }, "widening", "narrowing"],
    [{ enum: ["a", "b"] }, { enum: ["b", "a"] }],
    [{ enum: ["a"] }, { enum: ["a", "b"] }, "widening"],
    [{ enum: ["a", "b"] }, { enum: ["a"] }, "narrowing"],
    [{}, { enum: ["a"] }, "narrowing"],
    [{ required: ["a"] }, { required: ["a", "b"] }, "narrowing"],
    [{ required: ["a"] }, {}, "widening"],
    [{ required: ["a", "b"] }, { required: ["b", "a"] }],
    [{ properties: { a: {} } }, { properties: { a: {}, b: {} } }, "widening"],
    [{ properties: { a: {}, b: {} } }, { properties: { a: {} } }, "narrowing"],
    [{ properties: { a: { maxLength: 5 } } }, { properties: { a: { maxLength: 9 } } }, "widening"],
    [{ minimum: 1 }, { minimum: 0 }, "widening"],
    [{ minimum: 1 }, { minimum: 2 }, "narrowing"],
    [{ maximum: 1 }, {}, "widening"],
    [{}, { pattern: "a" }, "narrowing"],
    [{ pattern: "a" }, { pattern: "b" }, "widening"],
    [{ additionalProperties: false }, {}, "widening"],
    [{}, { additionalProperties: false }, "narrowing"],
    [{ items: { type: "string" } }, { items: {} }, "widening"],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }, { anyOf: [{ type: "number" }, { type: "string" }] }],
    [{ anyOf: [{ type: "string" }] }, { anyOf: [{ type: "string" }, { type: "null" }] }, "widening"],
    [{ anyOf: [{ description: "a" }, {}] }, { anyOf: [{}, { description: "b" }] }, "text"],
    [{ default: 1 }, { default: 2 }, "widening"],
    [{ description: "a b" }, { description: "a\n  b " }],
    [{ description: "a" }, { description: "b" }, "text"],
    [{ examples: ["a"] }, { examples: ["b"] }, "text"],
    [{ $schema: "a" }, { $schema: "b" }, "cosmetic"],
    [{ unheardOf: 1 }, { unheardOf: 2 }, "widening"],
  ];
  for (const [before, now, ...classes] of rows)
    assert.deepEqual(
      schemaDrift(before, now, "s")
        .map((d) => d.class)
        .sort(),
      [...classes].sort(),
      JSON.stringify([before, now]),
    );
});

/** Changes that mean something, each with the class it must be found as. */
type Change = [name: string, DriftClass, (lock: LockDocument, r: Random) => void];
const serverOf = (lock: LockDocument, r: Random) => lock.servers[r.pick(Object.keys(lock.servers))]!;
function toolOf(lock: LockDocument, r: Random): LockedTool & { inputSchema: McpObject } {
  const { tools } = serverOf(lock, r);
  return tools[r.pick(Object.keys(tools))]! as LockedTool & { inputSchema: McpObject };
}
const propertiesOf = (tool: { inputSchema: McpObject }) => tool.inputSchema.properties as Record<string, McpObject>;
function propertyOf(lock: LockDocument, r: Random): McpObject {
  const properties = propertiesOf(toolOf(lock, r));
  return properties[r.pick(Object.keys(properties))]!;
}
const fresh = (r: Random) => `new_${r.below(1e6)}`;

const CHANGES: readonly Change[] = [
  [
    "another command",
    "capability",
    (l, r) => {
      serverOf(l, r).start.command = fresh(r);
    },
  ],
  ["another argument", "capability", (l, r) => void (serverOf(l, r).start.args as string[]).push(fresh(r))],
  ["arguments in another order", "capability", (l, r) => void (serverOf(l, r).start.args as string[]).reverse()],
  [
    "a new variable",
    "capability",
    (l, r) => {
      (serverOf(l, r).start.env as McpObject)[fresh(r)] = "<secret>";
    },
  ],
  [
    "another version",
    "capability",
    (l, r) => {
      serverOf(l, r).package!.version = `9.${r.below(1e6)}.0`;
    },
  ],
  [
    "another digest",
    "capability",
    (l, r) => {
      serverOf(l, r).package!.integrity = `sha512-${fresh(r)}`;
    },
  ],
  [
    "the instructions changed",
    "text",
    (l, r) => {
      serverOf(l, r).instructions = fresh(r);
    },
  ],
  [
    "a new server",
    "capability",
    (l, r) => {
      l.servers[fresh(r)] = structuredClone(serverOf(l, r));
    },
  ],
  ["a server gone", "narrowing", (l, r) => void delete l.servers[r.pick(Object.keys(l.servers))]],
  [
    "a new tool",
    "capability",
    (l, r) => {
      serverOf(l, r).tools[fresh(r)] = structuredClone(toolOf(l, r));
    },
  ],
  [
    "a tool gone",
    "narrowing",
    (l, r) => {
      const { tools } = serverOf(l, r);
      delete tools[r.pick(Object.keys(tools))];
    },
  ],
  [
    "the title changed",
    "text",
    (l, r) => {
      toolOf(l, r).title = fresh(r);
    },
  ],
  [
    "the description changed",
    "text",
    (l, r) => {
      toolOf(l, r).description = fresh(r);
    },
  ],
  [
    "no longer read-only",
    "capability",
    (l, r) => {
      toolOf(l, r).annotations!.readOnlyHint = false;
    },
  ],
  [
    "idempotent now",
    "narrowing",
    (l, r) => {
      toolOf(l, r).annotations!.idempotentHint = true;
    },
  ],
  [
    "the icons changed",
    "text",
    (l, r) => {
      toolOf(l, r).icons![0]!.src = `https://example.com/${fresh(r)}`;
    },
  ],
  ["no icons", "text", (l, r) => void delete toolOf(l, r).icons],
  [
    "another member of _meta",
    "capability",
    (l, r) => {
      toolOf(l, r)._meta![fresh(r)] = 1;
    },
  ],
  [
    "another template in _meta",
    "capability",
    (l, r) => {
      toolOf(l, r)._meta!["vendor/template"] = fresh(r);
    },
  ],
  [
    "a new parameter",
    "widening",
    (l, r) => {
      propertiesOf(toolOf(l, r))[fresh(r)] = { type: "string" };
    },
  ],
  [
    "a parameter gone",
    "narrowing",
    (l, r) => {
      const properties = propertiesOf(toolOf(l, r));
      delete properties[r.pick(Object.keys(properties))];
    },
  ],
  ["a parameter required", "narrowing", (l, r) => void (toolOf(l, r).inputSchema.required as string[]).push(fresh(r))],
  ["nothing required", "widening", (l, r) => void delete toolOf(l, r).inputSchema.required],
  [
    "a parameter's text",
    "text",
    (l, r) => {
      propertyOf(l, r).description = fresh(r);
    },
  ],
  ["a further choice", "widening", (l, r) => void (propertyOf(l, r).enum as string[]).push(fresh(r))],
  ["one choice less", "narrowing", (l, r) => void (propertyOf(l, r).enum as string[]).pop()],
  [
    "longer texts",
    "widening",
    (l, r) => {
      (propertyOf(l, r).maxLength as number) += 1 + r.below(9);
    },
  ],
  [
    "shorter texts",
    "narrowing",
    (l, r) => {
      (propertyOf(l, r).maxLength as number) -= 1 + r.below(9);
    },
  ],
  [
    "another default",
    "widening",
    (l, r) => {
      propertyOf(l, r).default = fresh(r);
    },
  ],
  [
    "a pattern",
    "narrowing",
    (l, r) => {
      propertyOf(l, r).pattern = fresh(r);
    },
  ],
  [
    "another type too",
    "widening",
    (l, r) => {
      propertyOf(l, r).type = ["string", "null"];
    },
  ],
  [
    "closed",
    "narrowing",
    (l, r) => {
      toolOf(l, r).inputSchema.additionalProperties = false;
    },
  ],
  [
    "deep within",
    "widening",
    (l, r) => {
      ((propertyOf(l, r).items as McpObject).minimum as number) -= 1;
    },
  ],
  [
    "an output narrowed",
    "narrowing",
    (l, r) => {
      toolOf(l, r).outputSchema!.required = ["ok", fresh(r)];
    },
  ],
  [
    "another dialect",
    "cosmetic",
    (l, r) => {
      toolOf(l, r).inputSchema.$schema = fresh(r);
    },
  ],
];

/** One server with one tool, whose members are given. */
function lockWith(tool: LockedTool): LockDocument {
  return { lockfile: 1, servers: { s: { start: { command: "x" }, tools: { t: tool } } } };
}

test("a file with pins of version 1 is compared by what version 1 covered; what it did not cover is not verified", () => {
  const definition: ToolDefinition = { name: "t", description: "d", inputSchema: { type: "object" } };
  const now = { ...definition, _meta: { a: 1 }, icons: [{ src: "https://example.com/a" }] };
  const locked = (tool: ToolDefinition, pin: string): LockDocument => lockWith(toolLock({ ...tool, hash: pin }));
  const [file, same] = [locked(definition, formerPinOf(definition)), locked(definition, pinOf(definition))];

  assert.deepEqual(compare(file, same), { drifts: [], unverified: [] }, "another version alone is no difference");
  const more = compare(file, locked(now, pinOf(now)));
  assert.deepEqual(more.drifts, []);
  assert.match(more.unverified.map(({ what }) => what).join(), /icons and _meta of tool "t".*proxy lock/);
  const other = { ...definition, description: "another" };
  assert.deepEqual(
    compare(file, locked(other, pinOf(other))).drifts.map((drift) => drift.at),
    ["description"],
  );
  const upgraded = locked(definition, pinOf(definition));
  assert.deepEqual(
    compare(upgraded, locked(now, pinOf(now))).drifts.map((drift) => [drift.class, drift.at]),
    [
      ["text", "icons"],
      ["capability", "_meta.a"],
    ],
  );
});

test("whatever may be listed can be locked, and what is locked can be read", () => {
  const nested = (levels: number) => JSON.parse(`${'{"not":'.repeat(levels)}{}${"}".repeat(levels)}`);
  const found = (levels: number) => readListedTool({ name: "t", inputSchema: { type: "object", ...nested(levels) } });
  let deepest = 0;
  while (typeof found(deepest + 1) !== "string") deepest++;

  const { definition, hash } = found(deepest) as PinnedTool;
  const lock = lockWith(toolLock({ ...definition, hash }));

  assert.ok(deepest >= 64, `${deepest}`);
  assert.match(String(found(deepest + 1)), /tool "t" is nested more than/);
  assert.deepEqual(readLock(lockText(lock)), lock);
  assert.deepEqual(compare(readLock(lockText(lock)), lock), { drifts: [], unverified: [] });
});

const WORDS = ["reads", "a", "file", "and", "says", "what", "is", "in", "it", "quickly", "or\nnot"];
const sentence = (r: Random) => Array.from({ length: 3 + r.below(8) }, () => r.pick(WORDS)).join(" ");

function lockOf(r: Random): LockDocument {
  const servers: LockDocument["servers"] = {};
  for (let s = 0; s < 1 + r.below(3); s++) {
    const tools: Record<string, LockedTool> = {};
    for (let t = 0; t < 2 + r.below(3); t++) {
      const properties: Record<string, McpObject> = {};
      for (let p = 0; p < 1 + r.below(3); p++)
        properties[`p${p}`] = {
          type: "string",
          description: sentence(r),
          enum: ["a", "b", `c${r.below(9)}`],
          maxLength: 20 + r.below(50),
          default: "a",
          items: { minimum: 3, anyOf: [{ type: "string" }, { type: "number" }] },
        };
      tools[`t${t}`] = pinned({
        pin: "",
        title: sentence(r),
        description: sentence(r),
        inputSchema: { type: "object", $schema: "x", properties, required: ["p0", "p1"] },
        outputSchema: { type: "object", required: ["ok"], properties: { ok: { type: "boolean" } } },
        annotations: { readOnlyHint: true, destructiveHint: false },
        icons: [{ src: "https://example.com/a.png", sizes: ["any"] }],
        _meta: { "vendor/template": "ui://a" },
      });
    }
    servers[`s${s}`] = {
      start: { command: "npx", args: ["-y", `pkg${s}@1.0.${r.below(9)}`], env: { A: "${env:A}", B: "<secret>" } },
      package: { source: "npm", name: `pkg${s}`, version: "1.0.0", integrity: `sha512-${r.below(1e9)}` },
      instructions: sentence(r),
      tools,
    };
  }
  return { lockfile: 1, servers };
}

function pinned(tool: LockedTool): LockedTool {
  const { pin: _, description, inputSchema = {}, ...rest } = tool;
  const text = Array.isArray(description) ? description.join("\n") : (description ?? "");
  return { ...tool, pin: pinOf({ name: "t", inputSchema, ...rest, description: text } as ToolDefinition) };
}

function repin(lock: LockDocument): LockDocument {
  for (const server of Object.values(lock.servers))
    for (const [name, tool] of Object.entries(server.tools)) server.tools[name] = pinned(tool);
  return lock;
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([k, v]) => [k, reversed(v)]),
  );
}

/** The same content in another order, with other white space. */
function shuffled(value: unknown, r: Random, path: readonly string[] = []): unknown {
  const key = path.at(-1) ?? "";
  if (typeof value === "string")
    return ["description", "title", "instructions"].includes(key)
      ? value.replace(/\s+/g, () => r.pick([" ", "  ", "\n", " \n\t"]))
      : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => shuffled(item, r, [...path, "[]"]));
    const free = ["required", "enum", "type", "anyOf"].includes(key);
    return free
      ? items
          .map((item) => [r.below(1e9), item] as const)
          .sort((a, b) => a[0] - b[0])
          .map(([, item]) => item)
      : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([k, v]) => [r.below(1e9), k, shuffled(v, r, [...path, k])] as const);
  return Object.fromEntries(entries.sort((a, b) => a[0] - b[0]).map(([, k, v]) => [k, v]));
}

test("of 3,000 random changes every one that means something is found in its class, and no reordering is", () => {
  const r = seeded(20_260_101);
  const counts = new Map<string, number>();
  for (let i = 0; i < 3000; i++) {
    const before = lockOf(r);
    const quiet = repin(shuffled(structuredClone(before), r) as LockDocument);
    if (i % 3 === 0) {
      assert.deepEqual(compare(before, quiet).drifts, [], `round ${i}`);
      continue;
    }
    const [name, expected, change] = r.pick(CHANGES);
    change(quiet, r);
    const { drifts } = compare(before, repin(quiet));
    assert.ok(drifts.length > 0, `round ${i}: ${name} was not found`);
    assert.deepEqual(
      [...new Set(drifts.map((d) => d.class))],
      [expected],
      `round ${i}: ${name} ${JSON.stringify(drifts)}`,
    );
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [name] of CHANGES) assert.ok((counts.get(name) ?? 0) > 30, name);
});

test("the file's text is the same for the same content, and reading it gives the content back", () => {
  const r = seeded(7);
  for (let i = 0; i < 200; i++) {
    const lock = lockOf(r);
    assert.equal(lockText(lock), lockText(reversed(lock) as LockDocument));
    assert.deepEqual(readLock(lockText(lock)), lock);
  }
  const hidden = lockOf(r);
  hidden.servers.s0!.instructions = "a\u200bb\u202e\u{e0041}";
  assert.match(lockText(hidden), /a\\u200bb\\u202e\\udb40\\udc41/);
  assert.deepEqual(readLock(lockText(hidden)), hidden);
});

test("the file's text is its sorted JSON, and comes in pieces of a tool at most", () => {
  const { pin, inputSchema } = lockOf(seeded(9)).servers.s0!.tools.t0!;
  const names = ["10", "9", "b", "a", "__proto__", "é", "2a"];
  const tools = () => Object.fromEntries(names.map((name) => [name, { pin, inputSchema, title: undefined }]));
  const lock = {
    lockfile: LOCK_VERSION,
    servers: Object.fromEntries(names.map((name) => [name, { start: { args: [], env: {} }, tools: tools() }])),
  } as LockDocument;
  const servers = { ...lock.servers, empty: { start: {}, tools: {} } };
  for (const made of [lock, { ...lock, servers }, { ...lock, servers: {} }]) {
    const pieces = [...lockPieces(made)];

    assert.equal(pieces.join(""), `${JSON.stringify(JSON.parse(canonicalJson(made)), null, 2)}\n`);
    assert.ok(pieces.every((piece) => piece.split('"pin"').length <= 2));
  }
});

test("a lock file that cannot be used says why", () => {
  const rows: [string, RegExp][] = [
    ["", /not JSON/],
    ["[]", /lockfile/],
    ['{"lockfile": 2, "servers": {}}', /newer/],
    ['{"lockfile": 1, "servers": {"a": {"start": {}}}}', /servers\.a\.tools/],
    ['{"lockfile": 1, "lockfile": 1, "servers": {}}', /twice|lockfile/],
  ];
  for (const [text, message] of rows) assert.throws(() => readLock(text), message, text);
});

test("what is not known here is no difference, and is told apart from being in step", () => {
  const lock = lockOf(seeded(3));
  const now = structuredClone(lock);
  now.servers.s0!.tools = {};
  delete now.servers.s0!.package!.integrity;
  const { drifts, unverified } = compare(lock, now);
  assert.deepEqual(drifts, []);
  assert.deepEqual(
    unverified.map(({ what }) => what),
    ["its tools are unknown; check that it is connected"],
  );
});

test("servers, tools, parameters and notes that are called what every object has are locked as others are", () => {
  for (const name of ["constructor", "__proto__", "prototype", "toString"]) {
    const locked = (value: unknown): LockDocument => {
      const own = (member: unknown) => JSON.parse(JSON.stringify({ NAME: member }).replace("NAME", name));
      const tool: LockedTool = {
        pin: String(value),
        inputSchema: own({ properties: own({ maxLength: value }) }),
        annotations: own(`note ${value}`),
      };
      return { lockfile: 1, servers: own({ start: {}, tools: own(tool) }) };
    };
    assert.deepEqual(compare(readLock(lockText(locked(5))), locked(5)), { drifts: [], unverified: [] }, name);
    const { drifts } = compare(readLock(lockText(locked(5))), locked(6));
    assert.deepEqual(
      drifts.map(({ server, tool, at, class: is }) => [server, tool, at, is]),
      [
        [name, name, `inputSchema.${name}`, "widening"],
        [name, name, `annotations.${name}`, "text"],
      ],
      name,
    );
  }
});

const lockText = (lock: LockDocument) => [...lockPieces(lock)].join("");
