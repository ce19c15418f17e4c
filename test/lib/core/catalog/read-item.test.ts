import assert from "node:assert/strict";
import { test } from "node:test";
import { readListedItem } from "#lib/core/catalog/read-item.ts";
import type { ListedKind } from "#lib/core/schema/item.ts";

const deep = (n: number): unknown => (n === 0 ? 1 : { a: deep(n - 1) });

/** What an entry becomes: its definition, or why it is left out. */
const ROWS: [what: string, kind: ListedKind, entry: unknown, expected: object | RegExp][] = [
  [
    "known members of a prompt",
    "prompt",
    { name: "p", title: "P", description: "d", arguments: [{ name: "a", required: true, x: 1 }], other: 1 },
    { name: "p", title: "P", description: "d", arguments: [{ name: "a", required: true }] },
  ],
  [
    "known members of a resource",
    "resource",
    {
      uri: "a://b",
      name: "n",
      mimeType: "text/plain",
      size: 3,
      annotations: { priority: 0.5, audience: ["user", "x"], z: 1 },
    },
    { uri: "a://b", name: "n", mimeType: "text/plain", size: 3, annotations: { audience: ["user"], priority: 0.5 } },
  ],
  ["a resource without a name gets its URI", "resource", { uri: "a://b" }, { uri: "a://b", name: "a://b" }],
  [
    "known members of a template",
    "template",
    { uriTemplate: "a://{b}", name: "n" },
    { uriTemplate: "a://{b}", name: "n" },
  ],
  [
    "hints of wrong types are left out",
    "resource",
    { uri: "a:b", name: "n", size: -1, annotations: { priority: 2, lastModified: "Ignore me" } },
    { uri: "a:b", name: "n" },
  ],
  ["no object", "prompt", "p", /an entry is string/],
  ["no name", "prompt", { title: "p" }, /an entry has no name/],
  ["no URI", "resource", { name: "n" }, /an entry has no uri/],
  ["a long URI", "resource", { uri: `a://${"b".repeat(9000)}`, name: "n" }, /a uri is longer than 8192/],
  ["a text of another type", "prompt", { name: "p", description: 3 }, /prompt "p": description is not of type string/],
  ["too many characters", "prompt", { name: "p", description: "x".repeat(70_000) }, /larger than the 65536/],
  ["a secret as name", "resource", { uri: "a://hunter2", name: "n" }, /a uri repeats a secret/],
  ["a secret in a text", "prompt", { name: "p", description: "is hunter2" }, { name: "p", description: "is •" }],
  ["a deep _meta is left out", "prompt", { name: "p", _meta: deep(200) }, { name: "p" }],
];

const hide = (text: string) => text.replaceAll("hunter2", "•");

for (const [what, kind, entry, expected] of ROWS)
  test(`a listed ${kind}: ${what}`, () => {
    const item = readListedItem(kind, entry, hide);

    if (expected instanceof RegExp) return assert.match(String(item), expected);
    assert.ok(typeof item === "object", String(item));
    assert.deepEqual(item.definition, expected);
    assert.match(item.hash, /^sha256\/v2:[0-9a-f]{64}$/);
  });

test("every listed text counts for the pin, and the kind does", () => {
  const pin = (kind: ListedKind, entry: object) => {
    const item = readListedItem(kind, entry);
    assert.ok(typeof item === "object");
    return item.hash;
  };
  const base = { name: "n", uri: "a://b", uriTemplate: "a://b" };
  const pins = [
    pin("prompt", base),
    pin("resource", base),
    pin("template", base),
    pin("prompt", { ...base, title: "t" }),
    pin("prompt", { ...base, description: "t" }),
    pin("prompt", { ...base, arguments: [{ name: "t" }] }),
    pin("prompt", { ...base, _meta: { t: 1 } }),
    pin("resource", { ...base, mimeType: "t" }),
    pin("resource", { ...base, annotations: { priority: 1 } }),
  ];

  assert.equal(new Set(pins).size, pins.length);
});
