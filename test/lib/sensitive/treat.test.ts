import assert from "node:assert/strict";
import { test } from "node:test";
import { compileRules } from "#lib/sensitive/rules.ts";
import { STRIP_CLASSES, treat } from "#lib/sensitive/treat.ts";

const rules = compileRules({ categories: {}, entropy_threshold: 4.5, custom_patterns: [], sensitive_keywords: [] });
const redact = { rules, most: 1 << 20 };
const PAT = `ghp_${"aB3dE5gH7jK9".repeat(3)}`;
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
    [`{"${PAT}":1}`, `{"${PAT}":1}`],
    ["{}", "{}"],
  ];
  for (const [raw, wanted] of rows) assert.equal(treat(raw, { redact }), wanted);
});

test("at most a hundred pieces of one text are taken out", () => {
  const out = treat(JSON.stringify({ a: `${PAT} `.repeat(150) }), { redact });
  assert.equal(out.split("[REDACTED:api_token]").length - 1, 100);
});

test("characters that nobody sees are removed by their classes", () => {
  const text = "a\u001b[31mred\u001b[0m\u001b]8;;http://x\u0007b\u0007c\u202ed\u2066e\u200bf\ufeffg\u{e0041}h\ti\nj";
  const raw = JSON.stringify({ content: [{ type: "text", text }] });
  const out = JSON.parse(treat(raw, { strip: STRIP_CLASSES }));
  assert.equal(out.content[0].text, "aredbcdefgh\ti\nj");
  assert.equal(JSON.parse(treat(raw, { strip: ["bidi"] })).content[0].text, text.replace(/[\u202e\u2066]/g, ""));
});

test("text blocks are framed, and nothing else", () => {
  const raw = JSON.stringify({
    content: [{ type: "text", text: "one" }, { type: "resource", resource: { text: "two" } }, { text: "three" }],
    structuredContent: { content: [{ text: "four" }] },
  });
  assert.deepEqual(JSON.parse(treat(raw, { frame: { before: "<", after: ">" } })), {
    content: [
      { type: "text", text: "<\none\n>" },
      { type: "resource", resource: { text: "two" } },
      { text: "<\nthree\n>" },
    ],
    structuredContent: { content: [{ text: "four" }] },
  });
});
