import assert from "node:assert/strict";
import { test } from "node:test";
import { STRIP_CLASSES } from "#lib/core/schema/sensitive-finding.ts";
import { contentTexts, partedIn, type Treatment, rewriteReply as treating } from "#lib/modules/detect/rewrite-reply.ts";
import { compileRules } from "#lib/modules/detect/rules.ts";
import { inSlices } from "#lib/modules/detect/slices.ts";

const rules = compileRules({ categories: {}, entropy_threshold: 4.5, custom_patterns: [], sensitive_keywords: [] });
const redact = rules;
const now = <T>(steps: Generator<void, T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};
const treat = (raw: string, treatment: Treatment) => now(treating(raw, treatment));
const PAT = `ghp_${"aB3dE5gH7jK9".repeat(3)}`;
const LINK = { type: "resource_link", uri: "x://y", name: "link", description: "five" };
const AWS = "wJalrXUtnFKMI/K7MDENG/bPxRfiCYQz3kLm4TpV";

test("sensitive data gives way to its kind, in any text of a result, and the rest keeps its bytes", () => {
  const rows: [string, string][] = [
    [
      `{"content":[{"type":"text","text":"use ${PAT}, please"}],"n":1.50}`,
      `{"content":[{"type":"text","text":"use [REDACTED:api_token], please"}],"n":1.50}`,
    ],
    [
      `{ "structuredContent": {"aws_secret_access_key": "${AWS}", "id": 12345678901234567890} }`,
      `{ "structuredContent": {"aws_secret_access_key": "[REDACTED:cloud_credentials]", "id": 12345678901234567890} }`,
    ],
    [`{"a":["x","${PAT}"],"isError":true}`, `{"a":["x","[REDACTED:api_token]"],"isError":true}`],
    [
      '{"card": 4539578763621486, "id": 4539578763621487, "x": 0.4539578763621486}',
      '{"card": "[REDACTED:credit_card]", "id": 4539578763621487, "x": 0.4539578763621486}',
    ],
    [`{"q":"say \\"${PAT}\\" \\n\\\\"}`, '{"q":"say \\"[REDACTED:api_token]\\" \\n\\\\"}'],
    [`{"a":"\\u0067hp_${PAT.slice(4)}"}`, '{"a":"[REDACTED:api_token]"}'],
    ['{"a":"AKIAIOSFODNN7EXAMPLE"}', '{"a":"AKIAIOSFODNN7EXAMPLE"}'],
    [
      `{"${PAT}":1,"x ${PAT}":{"${PAT}":2}}`,
      '{"[REDACTED:api_token]":1,"x [REDACTED:api_token]":{"[REDACTED:api_token]":2}}',
    ],
    [`{"${PAT}":1,"${PAT}x":2}`, '{"[REDACTED:api_token]":1,"[REDACTED:api_token] (2)":2}'],
    [`{"a":"${PAT.slice(0, 9)}\\u200b${PAT.slice(9)}"}`, '{"a":"[REDACTED:api_token]"}'],
    [`{"a":"say ${btoa(`my ${PAT}`)} now"}`, '{"a":"say [REDACTED:api_token] now"}'],
    [`{"a":"say ${Buffer.from(PAT).toString("hex")} now"}`, '{"a":"say [REDACTED:api_token] now"}'],
    [`{"a":"${PAT.replace("_", "%5F")}"}`, '{"a":"[REDACTED:api_token]"}'],
    [`{"a":"ｇｈｐ_${PAT.slice(4)}"}`, '{"a":"[REDACTED:api_token]"}'],
    [`{"blob":"${btoa(`k: ${PAT}`)}"}`, `{"blob":"${btoa("k: [REDACTED:api_token]")}"}`],
    ["{}", "{}"],
  ];
  for (const [raw, wanted] of rows) assert.equal(treat(raw, { redact }), wanted);
});

test("every piece of a text is taken out, however many there are and wherever they stand", () => {
  const pad = "plain words ".repeat(30_000);
  const out = treat(JSON.stringify({ a: `${PAT} `.repeat(1500), b: `${pad}${PAT} ${pad}` }), { redact });
  assert.equal(out.split("[REDACTED:api_token]").length - 1, 1501);
  const key = `-----BEGIN PRIVATE KEY-----\n${`${"aB3dE5gH7jK9".repeat(5)}\n`.repeat(900)}-----END PRIVATE KEY-----`;
  assert.equal(treat(JSON.stringify({ a: `x ${key} y` }), { redact }), '{"a":"x [REDACTED:private_key] y"}');
});

test("what is parted over texts of content is taken out of each of them", () => {
  const parts = [PAT.slice(0, 12), PAT.slice(12, 30), PAT.slice(30)];
  const raw = JSON.stringify({
    content: [
      { type: "text", text: `it is ${parts[0]}` },
      { type: "resource", resource: { uri: "x://y", text: parts[1] } },
      { type: "text", text: `${parts[2]} indeed` },
    ],
  });
  const parted = now(partedIn(contentTexts(JSON.parse(raw)), rules));
  assert.deepEqual(
    parted.found.map(({ type }) => type),
    ["github_pat"],
  );
  const out = JSON.parse(treat(raw, { redact, parted: parted.spans }));
  assert.deepEqual(contentTexts(out), [
    "it is [REDACTED:api_token]",
    "[REDACTED:api_token]",
    "[REDACTED:api_token] indeed",
  ]);
  assert.deepEqual(now(partedIn([PAT, "and", PAT], rules)).found, []);
});

test("work goes on in slices, and ends with its budget", async () => {
  const raw = JSON.stringify({ a: `${PAT} plain words `.repeat(40_000) });
  const whole = await inSlices(treating(raw, { redact }), 60_000);
  assert.ok(whole !== undefined && !whole.includes(PAT));
  assert.equal(await inSlices(treating(raw, { redact }), 1), undefined);
  assert.equal(inSlices(treating('{"a":"b"}', { redact }), 1000), '{"a":"b"}');
});

test("characters that nobody sees are removed by their classes", () => {
  const text = "a\u001b[31mred\u001b[0m\u001b]8;;http://x\u0007b\u0007c\u202ed\u2066e\u200bf\ufeffg\u{e0041}h\ti\nj";
  const raw = JSON.stringify({ content: [{ type: "text", text }] });
  const out = JSON.parse(treat(raw, { strip: STRIP_CLASSES }));
  assert.equal(out.content[0].text, "aredbcdefgh\ti\nj");
  assert.equal(JSON.parse(treat(raw, { strip: ["bidi"] })).content[0].text, text.replace(/[\u202e\u2066]/g, ""));
});

test("texts of blocks and embedded resources, and what is said of a link, are framed, and nothing else", () => {
  const raw = JSON.stringify({
    content: [{ type: "text", text: "one" }, { type: "resource", resource: { text: "two" } }, { text: "three" }, LINK],
    structuredContent: { content: [{ text: "four" }] },
  });
  assert.deepEqual(JSON.parse(treat(raw, { frame: { before: "<", after: ">" } })), {
    content: [
      { type: "text", text: "<\none\n>" },
      { type: "resource", resource: { text: "<\ntwo\n>" } },
      { text: "<\nthree\n>" },
      { ...LINK, description: "<\nfive\n>" },
    ],
    structuredContent: { content: [{ text: "four" }] },
  });
});

test("of an error the message is framed", () => {
  const raw = JSON.stringify({ message: "no", data: { message: "deep" } });
  assert.deepEqual(JSON.parse(treat(raw, { error: true, frame: { before: "<", after: ">" } })), {
    message: "<\nno\n>",
    data: { message: "deep" },
  });
});

test("invisible characters beyond those of width are removed, and a picture keeps its selector", () => {
  const raw = JSON.stringify({ a: "a\u00adb\u2064c\u3164d\u{e0101}e\ufe01f ❤\ufe0f g\ufe0f\ufe0f\ufe0fh" });
  assert.equal(treat(raw, { strip: ["zero_width"] }), JSON.stringify({ a: "abcdef ❤\ufe0f g\ufe0fh" }));
});

test("a long text is stripped at every place, also where its pieces meet", () => {
  const code = "\u001b]8;;http://example.com/a/long/address\u0007";
  const text = `${"x".repeat(32_740)}${code}${"y".repeat(40_000)}\u200bz`;
  assert.equal(
    treat(JSON.stringify({ text }), { strip: STRIP_CLASSES }).length,
    JSON.stringify({ text }).length - (JSON.stringify(code).length - 2) - 1,
  );
});
