import assert from "node:assert/strict";
import { test } from "node:test";
import { paramHeadersMismatch, requestHeadersMismatch } from "#lib/core/mcp/request-headers.ts";
import { declaredHeaders, decodeHeaderValue, encodeHeaderValue } from "#lib/core/upstream/protocol/param-headers.ts";

const REVISION = { "mcp-protocol-version": "2026-07-28" };
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;

/** Headers, the body's method and name, and what is wrong; undefined where they agree. */
const STANDARD: [says: string, headers: object, method: string, params: object, wrong: RegExp | undefined][] = [
  ["all there", { "mcp-method": "tools/list" }, "tools/list", {}, undefined],
  ["no method", {}, "tools/list", {}, /Mcp-Method is missing/],
  ["another method", { "mcp-method": "prompts/list" }, "tools/list", {}, /"prompts\/list".*"tools\/list"/],
  ["another case", { "mcp-method": "TOOLS/LIST" }, "tools/list", {}, /TOOLS/],
  ["twice", { "mcp-method": ["tools/list", "tools/list"] }, "tools/list", {}, /Mcp-Method is/],
  ["a name", { "mcp-method": "tools/call", "mcp-name": "a" }, "tools/call", { name: "a" }, undefined],
  ["no name", { "mcp-method": "tools/call" }, "tools/call", { name: "a" }, /Mcp-Name is missing/],
  ["another name", { "mcp-method": "tools/call", "mcp-name": "b" }, "tools/call", { name: "a" }, /"b".*"a"/],
  [
    "a wrapped name",
    { "mcp-method": "tools/call", "mcp-name": base64("größe") },
    "tools/call",
    { name: "größe" },
    undefined,
  ],
  [
    "bytes as they are",
    { "mcp-method": "tools/call", "mcp-name": "gr\u00f6\u00dfe" },
    "tools/call",
    { name: "größe" },
    /not a valid/,
  ],
  [
    "badly wrapped",
    { "mcp-method": "tools/call", "mcp-name": "=?base64?YQ?=" },
    "tools/call",
    { name: "a" },
    /not a valid/,
  ],
  ["a name in the header alone", { "mcp-method": "tools/call", "mcp-name": "a" }, "tools/call", {}, undefined],
  ["a name nobody needs", { "mcp-method": "tools/list", "mcp-name": "x" }, "tools/list", { name: "y" }, undefined],
  [
    "an address",
    { "mcp-method": "resources/read", "mcp-name": "a://b" },
    "resources/read",
    { uri: "a://c" },
    /a:\/\/b/,
  ],
  ["a prompt", { "mcp-method": "prompts/get", "mcp-name": "p" }, "prompts/get", { name: "q" }, /"p"/],
  ["a method like a property of all", { "mcp-method": "constructor" }, "constructor", { name: "q" }, undefined],
];

for (const [says, headers, method, params, wrong] of STANDARD)
  test(`the standard headers against the body: ${says}`, () => {
    const reason = requestHeadersMismatch({ ...REVISION, ...headers }, method, { ...params });

    if (wrong) assert.match(reason ?? "", wrong);
    else assert.equal(reason, undefined);
  });

test("without its revision a request is refused before its method is looked at", () => {
  assert.match(requestHeadersMismatch({}, "tools/list", {}) ?? "", /MCP-Protocol-Version is missing/);
});

const DECLARED = declaredHeaders({
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    deep: { type: "object", properties: { n: { type: "integer", "x-mcp-header": "Deep-N" } } },
    on: { type: "boolean", "x-mcp-header": "On" },
    free: { type: "string" },
  },
});

const PARAMS: [says: string, headers: Record<string, string>, args: object, wrong: RegExp | undefined][] = [
  ["nothing given", {}, { free: "x" }, undefined],
  ["a header for nothing", { "mcp-param-region": "eu" }, {}, undefined],
  ["null is absent", {}, { region: null }, undefined],
  ["the same", { "mcp-param-region": "eu" }, { region: "eu" }, undefined],
  ["missing", {}, { region: "eu" }, /mcp-param-region is missing/],
  ["another", { "mcp-param-region": "us" }, { region: "eu" }, /"us".*"eu"/],
  ["wrapped", { "mcp-param-region": base64(" eu ") }, { region: " eu " }, undefined],
  ["the empty text", { "mcp-param-region": encodeHeaderValue("") }, { region: "" }, undefined],
  ["looks wrapped and is not", { "mcp-param-region": "=?base64?ZXU=" }, { region: "=?base64?ZXU=" }, undefined],
  ["wrapped without padding", { "mcp-param-region": "=?base64?SGVsbG8?=" }, { region: "Hello" }, /not a valid/],
  [
    "wrapped with other characters",
    { "mcp-param-region": "=?base64?SGVs!!!bG8=?=" },
    { region: "Hello" },
    /not a valid/,
  ],
  ["wrapped bytes that are no text", { "mcp-param-region": "=?base64?/w==?=" }, { region: "ÿ" }, /not a valid/],
  ["a number", { "mcp-param-deep-n": "42" }, { deep: { n: 42 } }, undefined],
  ["a number written otherwise", { "mcp-param-deep-n": "42.0" }, { deep: { n: 42 } }, undefined],
  ["another number", { "mcp-param-deep-n": "43" }, { deep: { n: 42 } }, /"43"/],
  ["a number in another base", { "mcp-param-deep-n": "0x2a" }, { deep: { n: 42 } }, /0x2a/],
  ["yes", { "mcp-param-on": "true" }, { on: true }, undefined],
  ["yes and no", { "mcp-param-on": "false" }, { on: true }, /"false"/],
  ["of another type than declared", {}, { deep: { n: { not: "a number" } } }, undefined],
  ["where a path ends early", {}, { deep: 7 }, undefined],
];

for (const [says, headers, args, wrong] of PARAMS)
  test(`headers that repeat arguments: ${says}`, () => {
    const reason = paramHeadersMismatch(headers, DECLARED, { ...args });

    if (wrong) assert.match(reason ?? "", wrong);
    else assert.equal(reason, undefined);
  });

test("what is wrapped for a header is unwrapped again", () => {
  for (const text of ["plain", "", " edge ", "a\nb", "größe 世界", "=?base64?eA==?=", "tab\tinside"])
    assert.equal(decodeHeaderValue(encodeHeaderValue(text)), text, JSON.stringify(text));
});
