import assert from "node:assert/strict";
import { test } from "node:test";
import type { SensitiveLocation } from "#lib/core/schema/sensitive-finding.ts";
import { findSensitive } from "#lib/modules/detect/find.ts";
import { partingPlace, plainText } from "#lib/modules/detect/plain.ts";
import { compileRules } from "#lib/modules/detect/rules.ts";
import { seeded } from "#test/kit/random.ts";
import { scanNow } from "#test/kit/scan-now.ts";
import { FILES, negatives, positives } from "./labelled.ts";
import { find as findPlainly } from "./plainly/find.ts";
import { plainText as plainTextPlainly } from "./plainly/plain.ts";

const RULES = compileRules({ categories: {}, entropy_threshold: 4.5, custom_patterns: [], sensitive_keywords: [] });
const LABELLED = [...positives(), ...negatives(), ...FILES].map(({ text }) => text);

function compare(text: string, from = 0, to = text.length) {
  for (const location of ["arguments", "response"] satisfies SensitiveLocation[]) {
    const window = { from, to, location, most: 50, mostByEntropy: 10 };
    const plainly = findPlainly(text, RULES, window);
    assert.deepEqual(findSensitive(text, RULES, window), plainly, `${location} ${from}-${to}: ${JSON.stringify(text)}`);
  }
}

test("reading only where something may be finds what reading everything finds, in each labelled text and parts of it", () => {
  const random = seeded(21);
  for (const text of LABELLED) {
    const json = JSON.stringify({ content: [{ type: "text", text }] });
    for (const form of [text, json, plainText(json), JSON.stringify(json), text.toUpperCase(), text.toLowerCase()]) {
      compare(form);
      const from = random.below(form.length + 1);
      compare(form, from, from + random.below(form.length - from + 1));
    }
  }
});

/** What matches begin with, end in and are kept from by. */
const PIECES = [
  ...[
    "key",
    "secret",
    "aws_",
    "AWS-SECRET",
    "access",
    "azure_client_",
    "arm",
    "password",
    "db_",
    "pg",
    "Mongodb",
    "pass",
  ],
  ...[
    "mistral",
    "cohere_",
    "TOGETHER",
    "-ai",
    "api_",
    "token",
    "deepseek",
    "=",
    ":",
    "=>",
    ":=",
    " ",
    "\t",
    "\n",
    "\\n",
  ],
  ...[
    "'",
    '"',
    "\\",
    "]",
    "/",
    ".",
    "-",
    "_",
    "@",
    "(",
    ";",
    ",",
    "+",
    "é",
    "\u00a0",
    "日",
    "Bearer",
    "bearer ",
    "\r\n",
  ],
  ...["-----BEGIN ", "RSA ", "PRIVATE KEY-----", "-----END ", "Server=", "Data Source=", "Password=", '"type"'],
  ...['"service_account"', "@tcp(", "@unix(", "app:pw", "4111 1111 1111 1111", "4539578763621486", "123", "45", "0"],
  ...["DE89 3704 0044 0532 0130 00", "GB33BUKB20201555555555", "DE89", "AB12", "US12 ABCD ", "BUKB2020"],
  ...[
    "sk-",
    "ghp_",
    "gho_",
    "AKIA",
    "ASIA",
    "xoxb-",
    "eyJ",
    "AIza",
    "bot",
    "12345678:AA",
    "M",
    "N",
    "SG.",
    "hf_",
    "r8_",
  ],
  ...[
    "postgres://",
    "redis://:x@h",
    "amqps://",
    "mysql+a://",
    "u:p@h",
    "https://hooks.slack.com/services/T",
    "key-",
    "SK",
  ],
  ...["a7Bq9ZxK2mV4", "a7Bq9ZxK2mV4c8Tn1LpW", "deadbeef0123456789abcdef01234567", "nrt", "Word", "abcdefgh", "XYZ"],
  ...[".ssh/id_rsa", ".env", ".aws", "/credentials", "/etc/shadow", "x.pem", ".kube/config", "kubeconfig", "pgpass"],
  ...["login.keychain", "System32\\config\\SAM", "my-service-account-1.json", "_netrc", "prod.env", "id.key"],
];

test("and in texts drawn by lot from what matches are made of", () => {
  const random = seeded(22);
  for (let i = 0; i < 12_000; i++) {
    const text = random.text(PIECES, 3 + random.below(18));
    compare(text);
    const from = random.below(text.length + 1);
    compare(text, from, from + random.below(text.length - from + 1));
  }
  for (let i = 0; i < 3000; i++) {
    const text = Array.from({ length: 4 }, () => random.pick(random.below(2) ? LABELLED : PIECES)).join(
      random.pick(["", " ", "\n", "\\n", '","', "-", "_"]),
    );
    compare(text);
  }
});

test("escapes resolved one by one read as those resolved by slices", () => {
  const random = seeded(23);
  for (let i = 0; i < 3000; i++) {
    const json = random.text(
      ["a", "bc", "\\n", '\\"', "\\\\", "\\u0041", "\\u20ac", "é", "日", "\\", "\\u00", "\\ud83d"],
      12,
    );
    assert.equal(plainText(json), plainTextPlainly(json), json);
  }
  const long = JSON.stringify(JSON.stringify({ a: 'x"y\n'.repeat(20_000) }));
  assert.equal(plainText(long), plainTextPlainly(long));
});

test("a text that is cut off within an escape comes to its end", () => {
  for (let most = 1; most < 14; most++) assert.deepEqual(scanNow("aaaa\\u0041\\nbbb", RULES, "response", most), []);
  assert.equal(partingPlace("aaaa\\u0041", 6), 4);
});
