import assert from "node:assert/strict";
import { test } from "node:test";
import { partingPlace, plainText } from "#lib/modules/detect/plain.ts";
import { compileRules, type RuleSettings } from "#lib/modules/detect/rules.ts";
import { scan } from "#lib/modules/detect/scan.ts";
import { seeded } from "#test/kit/random.ts";
import { scanNow } from "#test/kit/scan-now.ts";

const DEFAULTS: RuleSettings = {
  categories: {},
  entropy_threshold: 4.5,
  custom_patterns: [],
  sensitive_keywords: [],
};
const RULES = compileRules(DEFAULTS);
const MB = 1 << 20;
const PAT = `ghp_${"aB3dE5gH7jK9".repeat(3)}`;
const types = (text: string, rules = RULES, most = MB) =>
  scanNow(JSON.stringify({ text }), rules, "arguments", most).map(({ type }) => type);

test("a finding tells its kind and place, and nothing of the value", () => {
  assert.deepEqual(scanNow(JSON.stringify({ token: PAT }), RULES, "response", MB), [
    {
      type: "github_pat",
      category: "api_token",
      severity: "critical",
      is_likely_example: false,
      location: "response",
    },
  ]);
});

test("a value is found wherever it stands in a long text, also over the edge of a piece, and once", () => {
  for (const before of [0, 65_480, 65_500, 65_520, 65_536, 131_060, 500_000])
    assert.deepEqual(types(`${"x ".repeat(before / 2)} ${PAT} tail`), ["github_pat"], String(before));
});

test("a value that is spelt with escapes is found", () => {
  const escaped = [...PAT].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  assert.equal(scanNow(`{"a":"${escaped}"}`, RULES, "response", MB)[0]?.type, "github_pat");
  assert.equal(
    scanNow(`{"pad":"${"y".repeat(65_526)}","a":"${escaped}"}`, RULES, "response", MB)[0]?.type,
    "github_pat",
  );
});

test("JSON text parted anywhere reads the same as in one piece", () => {
  const random = seeded(5);
  for (let i = 0; i < 300; i++) {
    const json = JSON.stringify(random.text(["a", "\\", '"', "\n", "\u0001", "ä", "\ud800"], 30));
    const at = partingPlace(json, random.below(json.length + 1));
    assert.equal(plainText(json.slice(0, at)) + plainText(json.slice(at)), plainText(json));
  }
});

test("only so much of a text is looked at", () => {
  assert.deepEqual(types(`${"x ".repeat(2000)}${PAT}`, RULES, 1024), []);
});

test("at most 50 findings are told, and 10 by entropy alone", () => {
  const random = seeded(8);
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"];
  const blob = () => `${Array.from({ length: 60 }, () => random.pick(letters)).join("")}aB3`;
  assert.equal(types(Array.from({ length: 30 }, blob).join(" ")).length, 10);
  assert.equal(types(`${PAT} `.repeat(80)).length, 50);
});

test("what is switched off is not looked for", () => {
  assert.deepEqual(
    types(PAT, compileRules({ ...DEFAULTS, categories: { api_token: false, high_entropy: false } })),
    [],
  );
});

test("an operator's own patterns and words are found, as what they are called", () => {
  const rules = compileRules({
    ...DEFAULTS,
    custom_patterns: [
      { name: "employee", regex: "\\bEMP-\\d{6}\\b", severity: "high", category: "people" },
      { name: "project", keywords: ["Blue Heron"] },
    ],
    sensitive_keywords: ["top secret"],
  });
  const found = scanNow(JSON.stringify("EMP-123456 on blue heron, Top Secret"), rules, "arguments", MB);
  assert.deepEqual(
    found.map(({ type, category, severity }) => [type, category, severity]),
    [
      ["employee", "people", "high"],
      ["project", "custom", "medium"],
      ["sensitive_keyword", "custom", "high"],
    ],
  );
});

test("a long text is looked at in pieces, so that others have a turn between", () => {
  const steps = scan(JSON.stringify("word ".repeat(60_000)), RULES, "response", MB);
  let turns = 0;
  while (!steps.next().done) turns++;
  assert.ok(turns >= 4);
});

/** Pieces that, repeated, make a careless expression try every end for every beginning. */
const HOSTILE = [
  ...["eyJaaaaaaaa-", "eyJaaaaaaaa.", "sk-", "AIza", "SG.aaaaaaaaaaaaaaaaaaaaa", "xox", "pypi-", "mcp_agt_"],
  ...["mysql://a:", "postgres://", "@tcp(", "a:b", "a:", "Server=a;", "db_password=", "mistral=", "aws_secret"],
  ...["-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN ", "Bearer ", "DE89 ", "1-", "1 ", "1.", "0", "a", "A", "Aa1+"],
  ...["~/.ssh/", "x.key", "a_key/", "/etc/", ".env", "service_account", "'", "\n", "\\", '"', "\t", "=", " ", "•", "ä"],
  ...["https://hooks.slack.com/services/T", "\\n", '"type":', "12345678:", "Mabcdefghijabcdefghijabcde.", "••••"],
];

test("any text is looked through in time that grows with its length only", () => {
  const time = (unit: string, length: number) => {
    const json = JSON.stringify({ x: unit.repeat(Math.ceil(length / unit.length)) });
    const before = process.cpuUsage();
    scanNow(json, RULES, "arguments", 8 * MB);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  for (const unit of HOSTILE) {
    time(unit, 50_000);
    const [small, large] = [time(unit, 60_000), time(unit, MB)];
    assert.ok(
      large < 17.5 * 8 * Math.max(small, 2),
      `${JSON.stringify(unit)}: ${small} ms of the processor, then ${large} ms for a megabyte`,
    );
  }
});
