import assert from "node:assert/strict";
import { test } from "node:test";
import { scrubText } from "#lib/core/secrets/mask/text.ts";
import { seeded } from "#test/kit/random.ts";
import { HARMLESS, SHAPED } from "#test/kit/secrets.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(["rest.redact.by-name", "rest.redact.logs"], "credentials in running text are masked where they stand", () => {
  const rows = [
    ["Authorization: Bearer abc123def", "Authorization: Bearer ••••ef (9 chars)"],
    ["authorization: abcdef", "authorization: ••••ef (6 chars)"],
    ["got Bearer abc123 from", "got Bearer ••••23 (6 chars) from"],
    ["Proxy-Authorization: Basic dXNlcjpwYXNz", "Proxy-Authorization: Basic ••••Nz (12 chars)"],
    ['Authorization: Digest username="u", response="r"', 'Authorization: Digest ••••r" (26 chars)'],
    ["Cookie: a=b; c=d", "Cookie: ••••=d (8 chars)"],
    ["Set-Cookie: sid=abc; Path=/\nnext line", "Set-Cookie: ••••=/ (15 chars)\nnext line"],
    ["x-api-key: 12345678", "x-api-key: ••••78 (8 chars)"],
    ["error: password=hunter2, user=bob", "error: password=••••r2 (7 chars), user=bob"],
    ["password: hunter", "password: ••••er (6 chars)"],
    ["(password=hunter)", "(password=••••er (6 chars))"],
    ["GITHUB_TOKEN=abcdef npm start", "GITHUB_TOKEN=••••ef (6 chars) npm start"],
    ["KEY=abcdef", "KEY=••••ef (6 chars)"],
    ["API key: abc123 bad", "API key: ••••23 (6 chars) bad"],
    ['{"password":"hun\\"ter2","a":1}', '{"password":"••••r2 (9 chars)","a":1}'],
    ['{\\"token\\":\\"abcdef\\"}', '{\\"token\\":\\"••••ef (6 chars)\\"}'],
    ["{'client_secret': 'two words'}", "{'client_secret': '••••ds (9 chars)'}"],
    ["'secret' => 'abcdef'", "'secret' => '••••ef (6 chars)'"],
    ['"authorization": "Bearer abcdef"', '"authorization": "Bearer ••••ef (6 chars)"'],
    ['password="never closed', 'password="••••ed (12 chars)'],
    ["token: `abcdef`", "token: `••••ef (6 chars)`"],
    ["spawn npx foo --api-key abcdef --verbose", "spawn npx foo --api-key ••••ef (6 chars) --verbose"],
    ["spawn npx foo --api-key=abcdef", "spawn npx foo --api-key=••••ef (6 chars)"],
    ["GET https://h/?token=abc&x=1 401", "GET https://h/?token=••••bc (3 chars)&x=1 401"],
    ["dial postgres://u:pw1@db:5432/x failed", "dial postgres://u:••••(3 chars)@db:5432/x failed"],
    ["1https://u:pw1@h/ x", "1https://u:••••(3 chars)@h/ x"],
    [`${"long-".repeat(20)}https://u:pw1@h/`, `${"long-".repeat(20)}https://u:••••(3 chars)@h/`],
    ["grant_type=x&client_secret=abc", "grant_type=x&client_secret=••••bc (3 chars)"],
    ["Server=db;Password=ab'c", "Server=db;Password=••••ab (2 chars)'c".replace("••••ab", "••••")],
    ["secret=${env:X}", "secret=${env:X}"],
    ["secret=${env:X}tail rest", "secret=${env:X}••••il (4 chars) rest"],
    ["password = 1234", "password = ••••34 (4 chars)"],
    ["<db><password>hunter</password></db>", "<db><password>••••er (6 chars)</password></db>"],
    ["<ns:apiKey>abcdef</ns:apiKey>", "<ns:apiKey>••••ef (6 chars)</ns:apiKey>"],
    ["machine h login me password hunter", "machine h login me password ••••er (6 chars)"],
    ["curl -u me:hunter https://h/", "curl -u me:••••er (6 chars) https://h/"],
    ["curl --user 'me:hunter' x", "curl --user 'me:••••er (6 chars)' x"],
  ] as const;
  for (const [text, shown] of rows) assert.equal(scrubText(text), shown, text);
});

verifies("rest.redact.by-shape", "a secret's shape is masked in any text", () => {
  for (const [what, secret] of Object.entries(SHAPED))
    for (const text of [secret, `got ${secret} back`, `{"value":"${secret}"}`, `path/${secret}`, `note: ${secret}.`])
      assert.ok(!scrubText(text).includes(secret), `${what}: ${scrubText(text)}`);
});

test("sentences, names, paths and digests stay readable (spec 000 §2.9 rule 4)", () => {
  for (const text of [
    ...HARMLESS,
    "invalid key: foo",
    "docker run -u 1000:1000 image",
    "<password></password> and <limits>strict</limits>",
    "<password>required</password>",
    "the login page and its password field",
    'if (token === "x")',
    '"password": null, "secret": true',
    '"tokens": {"count": 5}',
    "authentication failed: token expired",
    "Authorization: Bearer",
    "?apikey= is accepted as well",
    "npm warn deprecated thing@1.2.3: use other-thing",
    "    at Object.<anonymous> (/srv/app/dist/chunk-ABCDEFGH.mjs:10:5)",
  ])
    assert.equal(scrubText(text), text);
});

const PIECES = [
  ...["token", "password", "Authorization", "Cookie", "api", "key", "Bearer ", "--api-key", "Digest ", "note", "env"],
  ...[
    "=",
    ":",
    " ",
    ": ",
    " = ",
    "=>",
    "\n",
    '"',
    "'",
    "`",
    '\\"',
    "\\",
    ",",
    ";",
    ")",
    "(",
    "{",
    "}",
    "[",
    "&",
    "?",
    "@",
    "/",
  ],
  ...["https://", "x://", "${env:X}", "${env:", "null", "missing", "a", "Z9", "12", "🙂", "%40"],
  ...["••••ab (5 chars)", "••••(5 chars)", "•••• (1 chars)", "•", "abcdef123"],
  SHAPED["github token"]!,
  SHAPED["json web token"]!,
  SHAPED["high-entropy blob"]!,
  SHAPED["pem key"]!,
];

test("what a mask lays bare is masked in the same go", () => {
  for (const text of [
    "\nhttps://CookieAuthorizationabcdef123https://&api${env:@",
    '--api-key=>"{--api-keynote\\" "api`',
    '12${env:X}--api-keyhttps://Cookie=--api-keyCookiex://\\"@\n',
  ])
    assert.equal(scrubText(scrubText(text)), scrubText(text), text);
});

test("scrubbing twice is scrubbing once, at most four times as long, and no shaped secret survives", () => {
  const random = seeded(4);
  for (let i = 0; i < 30_000; i++) {
    const text = random.text(PIECES, 14);
    const once = scrubText(text);

    assert.equal(scrubText(once), once, JSON.stringify(text));
    assert.ok(once.length <= 4 * Math.max(5, text.length), JSON.stringify(text));
    assert.ok(!once.includes(SHAPED["github token"]!), JSON.stringify(text));
  }
});
