import assert from "node:assert/strict";
import { after, test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import { createSandbox, type Ended, type Language } from "#lib/modules/code/sandbox/sandbox.ts";
import { verifies } from "#test/kit/verifies.ts";

const sandbox = createSandbox({ size: () => 2, clock: systemClock });
after(() => sandbox.close());

const run = (source: string, language: Language = "javascript"): Promise<Ended> =>
  sandbox.run({
    source,
    holder: { key: "me", admin: true },
    language,
    filename: language === "typescript" ? "script.ts" : "script.js",
    input: "{}",
    timeoutMs: 5000,
    queueTimeoutMs: 5000,
    signal: new AbortController().signal,
    onCall: async () => '{"ok":true,"result":{}}',
    onLog: () => {},
  });

test("TypeScript runs: types, enums, generics, namespaces and top-level return (spec 001 §2.3)", async () => {
  const rows: [string, string][] = [
    ["const a: number = 1; a", "1"],
    ["enum E { A, B }\nE.B", "1"],
    ["interface X { a: number }\nconst x = { a: 2 } as X;\nx.a satisfies number", "2"],
    ["function id<T>(x: T): T { return x }\nid<string>('s')", '"s"'],
    ["const n: number = 4;\nreturn n * 2", "8"],
    ["type F = (a: number) => number; const f: F = (a) => a! + 1; f(1)", "2"],
  ];
  for (const [source, json] of rows) assert.deepEqual(await run(source, "typescript"), { ok: true, json }, source);
});

verifies("code.error.syntax", "a syntax error names line and column and shows the line", async () => {
  const rows: [Language, string, RegExp][] = [
    ["javascript", "let a = 1;\nlet b = ;\n", /\(line 2, column \d+\)\n {2}let b = ;\n {2} +\^/],
    ["typescript", "let a: number = 1;\nlet b: = 2;\n", /\(line 2, column 8\)\n {2}let b: = 2;\n {2} {7}\^/],
    ["javascript", "if (true) { return 1 }\nlet c = ;", /\(line 2, column \d+\)\n {2}let c = ;/],
    ["javascript", "import fs from 'fs'", /modules are not available/],
    ["javascript", "const r = await call_tool('a','b',{})", /synchronous; omit await/],
    ["javascript", "1;\n'a\0b'", /NUL character \(line 2, column 3\)/],
  ];
  for (const [language, source, message] of rows) {
    const ended = await run(source, language);
    assert.equal(!ended.ok && ended.code, "SYNTAX_ERROR", source);
    assert.match(ended.ok ? "" : ended.message, message, source);
  }
});

test("a stack speaks of the author's own lines, for TypeScript and wrapped programs too (spec 001 §7 RUNTIME_ERROR)", async () => {
  const rows: [Language, string, RegExp][] = [
    [
      "javascript",
      "function f() {\n  throw new TypeError('x');\n}\nf();",
      /^TypeError: x\n.*at f \(script\.js:2:\d+\)\n.*script\.js:4:\d+/,
    ],
    ["javascript", "null.a; return 1", /script\.js:1:5/],
    [
      "typescript",
      "interface A {\n  a: number;\n}\n\nfunction f(a: A): never {\n  throw new Error('x' + a.a);\n}\nf({ a: 1 });",
      /at f \(script\.ts:6:\d+\)\n.*script\.ts:8:\d+/,
    ],
    ["typescript", "enum E { A }\ntype T = 1;\nif (E.A === 0) throw new Error('late');\nreturn 1", /script\.ts:3:\d+/],
  ];
  for (const [language, source, stack] of rows) {
    const ended = await run(source, language);
    assert.equal(!ended.ok && ended.code, "RUNTIME_ERROR", source);
    assert.match(ended.ok ? "" : (ended.stack ?? ""), stack, source);
  }
});

test("a runtime SyntaxError is a runtime error", async () => {
  const ended = await run("JSON.parse('{')");
  assert.equal(!ended.ok && ended.code, "RUNTIME_ERROR");
});

test("a program that breaks the compiler does not break the next one", async () => {
  await run(`${"(".repeat(60_000)}`, "typescript");
  assert.deepEqual(await run("const a: number = 2; a", "typescript"), { ok: true, json: "2" });
});
