import assert from "node:assert/strict";
import { test } from "node:test";
import { joinUrl, maskUrl, splitUrl } from "#lib/core/secrets/mask/url.ts";
import { seeded } from "#test/kit/random.ts";
import { SHAPED } from "#test/kit/secrets.ts";
import { verifies } from "#test/kit/verifies.ts";

const GITHUB = SHAPED["github token"]!;

verifies(
  ["rest.redact.url-components", "rest.redact.query"],
  "a URL is masked part by part, and what is no secret stays readable",
  () => {
    const rows = [
      ["postgres://user:s3cretpass@host/db", "postgres://user:••••(10 chars)@host/db"],
      ["postgres://user:pa/s?s#w@host:5432/db", "postgres://user:••••(8 chars)@host:5432/db"],
      ["postgres://user:p@ss@host/db", "postgres://user:••••(4 chars)@host/db"],
      ["redis://:pw@h:1/0", "redis://:••••(2 chars)@h:1/0"],
      ["https://h/mcp?api_key=0123456789&v=2", "https://h/mcp?api_key=••••89 (10 chars)&v=2"],
      ["https://h/?a=1&token=abc&token=defg#x", "https://h/?a=1&token=••••bc (3 chars)&token=••••fg (4 chars)#x"],
      ["https://h/?access%5Ftoken=abcdef", "https://h/?access%5Ftoken=••••ef (6 chars)"],
      ["https://h/?token=&x", "https://h/?token=&x"],
      [`https://h/?x=${GITHUB}`, `https://h/?x=••••${GITHUB.slice(-2)} (40 chars)`],
      [`https://h/?${GITHUB}`, "https://h/?••••(40 chars)"],
      [`https://${GITHUB}@github.com/o/r`, "https://••••(40 chars)@github.com/o/r"],
      ["https://0123456789abcdef0123@sentry.io/1", "https://••••(20 chars)@sentry.io/1"],
      ["https://somebody@example.com/", "https://somebody@example.com/"],
      [`https://h/a/${GITHUB}/b`, "https://h/a/••••(40 chars)/b"],
      [`https://h/a;token=abcd/b`, "https://h/••••(12 chars)/b"],
      [`https://h/#${GITHUB}`, "https://h/#••••(40 chars)"],
      ["https://h/#access_token=abcdef&state=1", "https://h/#access_token=••••ef (6 chars)&state=1"],
      ["https://h/?next=https%3A%2F%2Fu%3Apw%40i%2F", "https://h/?next=••••2F (27 chars)"],
      ["https://h/?next=https%3A%2F%2Fi%2F%3Ftoken%3Dabc", "https://h/?next=••••bc (32 chars)"],
      [
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXabcdEFGH1234ijklMNOP",
        "https://hooks.slack.com/services/T00000000/B00000000/••••(24 chars)",
      ],
      ["https://u:pw@h/?token=abc", "https://u:••••(2 chars)@h/?token=••••bc (3 chars)"],
    ] as const;
    for (const [url, shown] of rows) assert.equal(maskUrl(url), shown, url);
  },
);

test("a URL without secrets stays as it is, to the letter", () => {
  for (const url of [
    "",
    "http://127.0.0.1:8080/mcp",
    "https://[::1]:3000/x?a=b&c",
    "HTTPS://Example.COM/%7Euser/?q=%20#frag",
    "https://h/@scope/pkg@1.2.3",
    "https://example.com/docs/v1/getting-started?page=2&sort=name",
    "file:///home/user/notes.txt",
  ])
    assert.equal(maskUrl(url), url);
});

verifies("rest.redact.references", "references in a URL pass wherever they stand", () => {
  for (const url of [
    "${env:MCP_URL}",
    "${env:BASE}/mcp?v=1",
    "https://u:${env:PW}@h/?token=${keyring:T}",
    "https://${env:HOST}:${env:PORT}/mcp",
  ])
    assert.equal(maskUrl(url), url);

  assert.equal(maskUrl("${env:BASE}/p?token=abc"), "${env:BASE}/p?token=••••bc (3 chars)");
  assert.equal(maskUrl("https://h/?token=${env:A}xyz"), "https://h/?token=${env:A}••••yz (3 chars)");
});

test("text that is no URL is masked as one value", () => {
  assert.equal(maskUrl("localhost:3000 token abc"), "••••bc (24 chars)");
});

const PIECES = [
  "https://",
  "://",
  ":",
  "@",
  "/",
  "?",
  "#",
  "&",
  "=",
  ";",
  "%",
  "%2",
  "%40",
  "token",
  "a",
  "Z9",
  " ",
  "•",
  "••••ab (5 chars)",
  "••••(5 chars)",
  "${env:X}",
  "${",
  "[::1]",
  "localhost",
  GITHUB,
  "user",
  "\\",
  "\n",
  "api_key=",
];

test("the pieces of any URL joined again are that URL", () => {
  const random = seeded(2);
  for (let i = 0; i < 20_000; i++) {
    const url = `x://${random.text(PIECES, 12)}`;
    const parts = splitUrl(url);

    assert.ok(parts, url);
    assert.equal(joinUrl(parts), url);
  }
});

test("masking a URL twice is masking it once, at most four times as long, and no password survives", () => {
  const random = seeded(3);
  for (let i = 0; i < 20_000; i++) {
    const url = `x://${random.text(PIECES, 12)}`;
    const once = maskUrl(url);

    assert.equal(maskUrl(once), once, JSON.stringify(url));
    assert.ok(once.length <= 4 * url.length, JSON.stringify(url));
    assert.ok(!once.includes(GITHUB), JSON.stringify(url));
  }
});
