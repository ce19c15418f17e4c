import assert from "node:assert/strict";
import { test } from "node:test";
import { scrubLine } from "#lib/core/secrets/mask/lines.ts";
import { hideValues, secretValuesIn } from "#lib/core/secrets/mask/values.ts";
import { verifies } from "#test/kit/verifies.ts";

const ROWS: [definition: Parameters<typeof secretValuesIn>[0], ...found: string[]][] = [
  [{ env: { API_TOKEN: "tangerine dream", WORKSPACE: "/home/me/project" } }, "tangerine dream"],
  [{ env: { NOTE: `as ghp_${"a1B2".repeat(9)} says` } }, `ghp_${"a1B2".repeat(9)}`],
  [{ env: { API_TOKEN: "${env:TOKEN}", SECRET_MODE: "enabled", TOKEN: "short" } }],
  [{ headers: { Authorization: "Bearer open sesame", Accept: "text/plain" } }, "Bearer open sesame", "open sesame"],
  [{ headers: { authorization: `Basic ${btoa("me:open sesame")}` } }, "open sesame"],
  [{ headers: { Authorization: "Bearer ${keyring:x}" } }],
  [{ args: ["serve", "--api-key", "strawberry", "--token=raspberry", "--port", "8080"] }, "strawberry", "raspberry"],
  [{ url: "https://me:p%20assword@h.example/mcp?api_key=blackberry&v=2" }, "p%20assword", "p assword", "blackberry"],
  [
    {
      oauth: { client_id: "me", client_secret: "gooseberry", extra_params: { api_key: "cranberry", audience: "them" } },
    },
    "gooseberry",
    "cranberry",
  ],
  [{}],
];
test("the secrets of a definition are those that are shown masked", () => {
  for (const [definition, ...wanted] of ROWS) {
    const found = secretValuesIn(definition);
    for (const value of wanted) assert.ok(found.includes(value), `${value} of ${JSON.stringify(definition)}`);
    const told = JSON.stringify(found);
    for (const harmless of ["/home/me", "text/plain", "8080", "serve", "h.example", "them", "enabled", "${"])
      assert.ok(!told.includes(harmless), `${harmless}: ${told}`);
    if (wanted.length === 0) assert.deepEqual(found, []);
  }
});

test("a known secret is hidden in every form in which programs repeat it", () => {
  const secret = 'tangerine "dream"&more\nwith another long line';
  const hide = hideValues(["abcdef", secret]);
  for (const form of [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll("%20", "+"),
    JSON.stringify(secret),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("base64url"),
    "with another long line",
  ])
    assert.doesNotMatch(hide(`it said ${form} and went`), /tangerine|another|dGFuZ2/, form);
  assert.equal(hide("x=abcdef; y"), "x=••••ef (6 chars); y");
  assert.equal(hide("nothing to see"), "nothing to see");
});

test("of two secrets one of which begins with the other nothing is left over", () => {
  assert.equal(hideValues(["abcdef", "abcdefghij"])("abcdefghij abcdef"), "••••ij (10 chars) ••••ef (6 chars)");
});

verifies("rest.redact.logs", "a line with a known secret shows one mask, with the length of the secret", () => {
  const hide = hideValues(["abcdef1234567890"]);
  const shown = "••••90 (16 chars)";
  for (const [line, wanted] of [
    ["token=abcdef1234567890", `token=${shown}`],
    ["password: abcdef1234567890 failed", `password: ${shown} failed`],
    ['{"token":"abcdef1234567890"}', `{"token":"${shown}"}`],
    ["Authorization: Bearer abcdef1234567890", `Authorization: Bearer ${shown}`],
    [`Authorization: Basic ${btoa("abcdef1234567890")}`, `Authorization: Basic ${shown}`],
    ["https://u:abcdef1234567890@h/x?api_key=abcdef1234567890", `https://u:${shown}@h/x?api_key=${shown}`],
  ] as const)
    assert.equal(scrubLine(hide(line)), wanted);
  assert.equal(hideValues(['say "hello"'])('he said say \\"hello\\"'), "he said •••• (11 chars)");
});
