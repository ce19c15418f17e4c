import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runFiles } from "#test/kit/file-group.ts";

// This file is its own helper: started again with a table of files, it runs them in one process.
const SELF = fileURLToPath(import.meta.url);
const group = process.env.TEST_FILE_GROUP;
if (group) await runFiles(JSON.parse(group));
else tests();

function tests() {
  const passes = `import { test } from "node:test"; test("passes", () => {});`;
  const fails = `import { test } from "node:test"; test("fails", () => { throw new Error("on purpose"); });`;
  const broken = `import { missing } from "node:test";`;

  for (const reporter of ["tap", "spec"])
    test(`files in one process are suites, each runs to its end, and those that fail or cannot be loaded are found (${reporter})`, (t) => {
      const { status, report } = runGroup(t, reporter, { a: passes, b: fails, c: broken, d: passes });

      assert.equal(status, 1);
      for (const name of ["a", "b", "c", "d"])
        assert.ok(report.includes(`test/${name}.test.ts`), `no suite of ${name}`);
      assert.equal(report.match(/(ok \d+ - |✔ )passes/g)?.length, 2);
      assert.match(report, /(not ok \d+ - |✖ )the file can be loaded/);
      assert.deepEqual(failedFiles(t, report), ["test/b.test.ts", "test/c.test.ts"]);
    });

  test("the hooks of a file in a shared process do not run for the tests of the next one", (t) => {
    const hooked = `import { afterEach, test } from "node:test"; let count = 0; test("is hooked", () => {});
      afterEach(() => { if (++count > 1) throw new Error("for a test of another file"); });`;

    const { status, report } = runGroup(t, "tap", { a: hooked, b: passes, c: passes });

    assert.equal(status, 0, report);
  });

  test("the file of a failure is found in its location, or in its stack if a function of test/kit declares the test", (t) => {
    const tap = [
      "ok 1 - fine",
      "  location: '/p/test/fine.test.ts:1:1'",
      "not ok 2 - broken",
      "  location: '/p/test/handlers/broken.test.ts:4:1'",
      "not ok 3 - declared by the kit",
      "  location: '/p/dist/test-1/chunk-A.mjs:4:1'",
      "  stack: |-",
      "    Object.check (/p/test/kit/check.ts:9:1)",
      "    TestContext.<anonymous> (file:///p/dist/test-1/test/e2e/kit.test.mjs:5:1)",
      "not ok 4 - /p/dist/test-1/test/ended.test.mjs",
      "  location: '/p/dist/test-1/test/ended.test.mjs:1:1'",
      "not ok 5 - test/suite.test.ts",
      "  location: '/p/test/kit/file-group.ts:12:1'",
    ];
    const spec = [
      "✖ broken (1ms)",
      "✖ failing tests:",
      "",
      "test at test/broken.test.ts:4:1",
      "✖ broken (1ms)",
      "test at dist/test-1/chunk-A.mjs:4:1",
      "✖ declared by the kit (1ms)",
      "      at TestContext.<anonymous> (/p/test/e2e/kit.test.ts:5:1)",
    ];

    assert.deepEqual(failedFiles(t, tap.join("\n")), [
      "test/e2e/kit.test.ts",
      "test/ended.test.ts",
      "test/handlers/broken.test.ts",
      "test/suite.test.ts",
    ]);
    assert.deepEqual(failedFiles(t, spec.join("\n")), ["test/broken.test.ts", "test/e2e/kit.test.ts"]);
  });

  test("of a process of several files that was ended, all its files are found", (t) => {
    const files =
      "# the files of tests-3.mjs: test/a.test.ts test/b.test.ts\n# the files of tests-4.mjs: test/c.test.ts";
    const tap = `not ok 2 - /p/dist/test-1/0003/tests-3.mjs\n  exitCode: 1\n${files}`;
    const spec = `✖ failing tests:\n\ntest at dist/test-1/0003/tests-3.mjs:1:1\n✖ /p/dist/test-1/0003/tests-3.mjs (9ms)\n${files}`;

    for (const report of [tap, spec]) assert.deepEqual(failedFiles(t, report), ["test/a.test.ts", "test/b.test.ts"]);
  });

  test("if one failure names no file, none is printed", (t) => {
    const known = "not ok 1 - x\n  location: '/p/test/x.test.ts:1:1'\n";

    assert.deepEqual(failedFiles(t, `${known}not ok 2 - /p/dist/test-1/tests-3.mjs\n  exitCode: 1`), []);
    assert.deepEqual(failedFiles(t, `${known}ok 2 - y\n  location: '/p/test/y.test.ts:1:1'`), ["test/x.test.ts"]);
  });
}

/** Runs sources, by the names of their files, in one process below Node's runner. */
function runGroup(t: TestContext, reporter: string, sources: Readonly<Record<string, string>>) {
  const dir = join(folder(t), "test");
  mkdirSync(dir);
  const urls = Object.entries(sources).map(([name, source]) => {
    const file = join(dir, `${name}.test.mjs`);
    writeFileSync(file, source);
    return [`test/${name}.test.ts`, pathToFileURL(file).href];
  });
  // The runner's own variable would make this runner one of its children.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const flags = ["--require=./build/test-hooks.cjs", "--test", `--test-reporter=${reporter}`];
  const { status, stdout } = spawnSync(process.execPath, [...flags, SELF], {
    encoding: "utf8",
    env: { ...env, TEST_FILE_GROUP: JSON.stringify(Object.fromEntries(urls)) },
  });
  return { status, report: stdout };
}

function failedFiles(t: TestContext, report: string): string[] {
  const log = join(folder(t), "log");
  writeFileSync(log, report);
  const printed = execFileSync(process.execPath, [".ci/failed-files.mjs", log], { encoding: "utf8" });
  return printed.split("\n").filter(Boolean);
}

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
