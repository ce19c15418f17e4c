import assert from "node:assert/strict";
import { test } from "node:test";
import { holdsText, holdsUris, mapReplyUris, unmapArguments } from "#lib/core/gateway/map-reply-uris.ts";
import { type Random, seeded } from "#test/kit/random.ts";

const mapped = (uri: string) => `via://git/${uri}`;
const mapReply = (method: Parameters<typeof mapReplyUris>[0], raw: string) =>
  mapReplyUris<unknown>(method, { raw, result: JSON.parse(raw) }, mapped);
const ESCAPED_URI = '"\\u0066ile:\\/\\/\\/x"';

/** JSON text with odd spaces, numbers and members in any order; `uri` writes each URI that is to change. */
function resultText({ pick, below }: Random, uri: () => string): string {
  const space = () => pick(["", "", " ", "\n", " \t"]);
  const object = (members: [string, string][]) => {
    const order = members.map((member) => [below(1000), member] as const).sort(([a], [b]) => a - b);
    const texts = order.map(([, [key, value]]) => `${JSON.stringify(key)}${space()}:${space()}${value}`);
    return `{${space()}${texts.join(`${space()},${space()}`)}${space()}}`;
  };
  const decoy = () =>
    pick([
      "1",
      "-0",
      "1e5",
      "12345678901234567890",
      '{"uri":"file:///decoy"}',
      '[{"resource":{"uri":"x"}},"]}"]',
      '"\\"}"',
      "null",
    ]);
  const blocks = [
    () =>
      object([
        ["type", '"text"'],
        ["text", '"file:///in text"'],
      ]),
    () =>
      object([
        ["type", '"resource_link"'],
        ["uri", uri()],
        ["name", '"n"'],
        ["_meta", decoy()],
      ]),
    () =>
      object([
        ["type", '"resource"'],
        [
          "resource",
          object([
            ["uri", uri()],
            ["text", '"{\\"uri\\":1}"'],
            ["x", decoy()],
          ]),
        ],
      ]),
  ];
  const content = `[${space()}${Array.from({ length: below(4) }, () => pick(blocks)()).join(`,${space()}`)}]`;
  const meta: [string, string][] =
    below(3) === 0 ? [["_meta", object([["ui", object([["resourceUri", uri()]])]])]] : [];
  return object([["content", content], ["structuredContent", decoy()], ["isError", "false"], ...meta]);
}

test("only the URIs of a result change, every other byte stays, and the parsed result follows (10,000 cases)", async () => {
  for (let seed = 0; seed < 10_000; seed++) {
    let count = 0;
    const written = (change: (uri: string) => string) => {
      count = 0;
      return resultText(seeded(seed), () => JSON.stringify(change(`file:///${count++}`)));
    };
    const raw = written((uri) => uri);
    const result = JSON.parse(raw);

    assert.equal(holdsUris("tools/call", result), count > 0);
    const after = await mapReply("tools/call", raw);
    assert.equal(after.raw, written(mapped));
    assert.deepEqual(after.result, JSON.parse(after.raw));
  }
});

test("URIs are found where each method has them, however they are written", async () => {
  const rows: [method: "tools/call" | "prompts/get" | "resources/read", raw: string, expected: string][] = [
    [
      "resources/read",
      '{"contents":[{"uri":"a:b","text":"a:b"}]}',
      '{"contents":[{"uri":"via://git/a:b","text":"a:b"}]}',
    ],
    [
      "prompts/get",
      '{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"a:b"}}}]}',
      '{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"via://git/a:b"}}}]}',
    ],
    [
      "tools/call",
      `{"content":[{"type":"resource_link","uri":${ESCAPED_URI}}]}`,
      '{"content":[{"type":"resource_link","uri":"via://git/file:///x"}]}',
    ],
    ["tools/call", '{"content":[{"\\u0075ri":"a:b"}]}', '{"content":[{"\\u0075ri":"via://git/a:b"}]}'],
    [
      "tools/call",
      '{"content":[{"uri":"a:b","uri":"c:d"}]}',
      '{"content":[{"uri":"via://git/a:b","uri":"via://git/c:d"}]}',
    ],
    ["tools/call", '{"_meta":{"ui/resourceUri":"a:b"}}', '{"_meta":{"ui/resourceUri":"via://git/a:b"}}'],
    ["tools/call", '{"content":{"uri":"a:b"},"uri":"a:b"}', '{"content":{"uri":"a:b"},"uri":"a:b"}'],
    [
      "tools/call",
      '{"content":[{"uri":7},{"uri":{"uri":"a"}},[],null]}',
      '{"content":[{"uri":7},{"uri":{"uri":"a"}},[],null]}',
    ],
    ["tools/call", "[]", "[]"],
    ["tools/call", "7", "7"],
  ];

  for (const [method, raw, expected] of rows) {
    const after = await mapReply(method, raw);
    assert.equal(after.raw, expected);
    assert.deepEqual(after.result, JSON.parse(expected));
  }
});

test("a reply without a URI stays the same object, and a long one gives way to other work", async () => {
  const plain = { raw: '{"content":[]}', result: { content: [] } };
  const link = '{"type":"resource_link","uri":"a:b","name":"n"}';
  const raw = `{"structuredContent":[${"1,".repeat(3_000_000)}1],"content":[${`${link},`.repeat(50_000)}${link}]}`;
  let turns = 0;
  const counting = setInterval(() => turns++, 0);

  const after = await mapReply("tools/call", raw);
  clearInterval(counting);

  assert.equal(mapReplyUris("tools/call", plain, mapped), plain);
  assert.equal((after.result as { content: { uri: string }[] }).content.at(-1)!.uri, mapped("a:b"));
  assert.ok(turns > 3, `${turns} turns of the event loop`);
});

test("mapped URIs in arguments become the server's own, and arguments without any are the same object", () => {
  const unmap = (text: string) => (text.startsWith("via://git/") ? text.slice("via://git/".length) : undefined);
  const args = { a: "via://git/file:///x", b: [{ c: "via://git/y", d: 1 }, null], e: "via://other/x" };
  const before = structuredClone(args);
  const plain = { z: [1, { y: "x" }] };
  let deep: unknown = "via://git/x";
  for (let i = 0; i < 20_000; i++) deep = [deep];

  assert.deepEqual(unmapArguments(args, unmap), { a: "file:///x", b: [{ c: "y", d: 1 }, null], e: "via://other/x" });
  assert.deepEqual(args, before);
  assert.equal(unmapArguments(plain, unmap), plain);
  assert.equal(unmapArguments(deep, unmap), deep);
});

test("a text is found at any depth, and a value that would take long to search counts as holding one", () => {
  const isX = (text: string) => text === "x";
  let deep: unknown = "y";
  for (let i = 0; i < 20_000; i++) deep = [deep];

  assert.ok(holdsText({ a: 1, b: ["y", { c: { d: "x" } }] }, isX));
  assert.ok(!holdsText({ a: 1, b: ["y", { c: { d: "y" } }], x: null }, isX));
  assert.ok(holdsText(Array(1000).fill("y"), isX));
  assert.ok(holdsText(deep, isX));
});
