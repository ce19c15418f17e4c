import assert from "node:assert/strict";
import { test } from "node:test";
import { fromSarif, toSarif } from "#lib/modules/scan/rules/sarif.ts";

const document = (results: unknown[], rules: unknown[] = []) =>
  JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "x", rules } }, results }] });

test("results are read with their rule, place and severity", () => {
  const rules = [
    { id: "R1", helpUri: "https://x.invalid/r1", properties: { "security-severity": "9.8" } },
    { id: "R2" },
  ];
  const place = { physicalLocation: { artifactLocation: { uri: "src/a.py" }, region: { startLine: 7 } } };
  const { findings, complete } = fromSarif(
    document(
      [
        { ruleId: "R1", message: { text: "bad" }, locations: [place] },
        { ruleIndex: 1, level: "note", message: { text: "so so\u202e" } },
        { ruleId: "R3", level: "error", message: { text: "x" } },
        { ruleId: "R4", message: { text: "x" }, suppressions: [{ kind: "inSource" }] },
      ],
      rules,
    ),
  );
  assert.deepEqual(
    findings.map((f) => [f.rule, f.severity, f.location, f.explanation, f.helpUri]),
    [
      ["R1", "critical", "src/a.py:7", "bad", "https://x.invalid/r1"],
      ["R2", "low", "", "so so<U+202E>", undefined],
      ["R3", "high", "", "x", undefined],
    ],
  );
  assert.equal(complete, false, "what is suppressed is not all there was");
});

test("what is no report is refused, and a hostile one is bounded", () => {
  assert.throws(() => fromSarif("no"), /not JSON/);
  assert.throws(() => fromSarif("[]"), /not SARIF/);
  assert.throws(() => fromSarif(" ".repeat(9 * 1024 * 1024)), /larger/);
  const odd = [
    null,
    1,
    [],
    {},
    { ruleId: 5, message: 7, locations: 9, level: {} },
    { message: { text: "y".repeat(1e5) } },
  ];
  for (const { rule, explanation } of fromSarif(document(odd)).findings)
    assert.ok(rule === "unnamed" && explanation.length < 500);
  const many = fromSarif(document(Array.from({ length: 5000 }, () => ({ ruleId: "R" }))));
  assert.deepEqual([many.findings.length, many.complete], [2000, false]);
});

test("findings go out as SARIF and come back the same", () => {
  const findings = [
    { rule_id: "a.b", severity: "high" as const, title: "t", location: "src/a.js:3", scanner: "s" },
    { rule_id: "c.d", severity: "info" as const, title: "u", location: "log: description", scanner: "s" },
  ];
  const back = fromSarif(JSON.stringify(toSarif(findings, "1.0.0"))).findings;
  assert.deepEqual(
    back.map((f) => [f.rule, f.severity, f.explanation, decodeURI(f.location)]),
    findings.map((f) => [f.rule_id, f.severity, f.title, f.location]),
  );
});
