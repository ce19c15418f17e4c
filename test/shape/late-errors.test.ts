import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

test("an error after the end of a test names the test, although the runner is not notified of destroyed resources", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "late.mjs");
  writeFileSync(
    file,
    `import { test } from "node:test";
    test("leaves a timer", async () => {
      await Promise.resolve();
      setTimeout(() => { throw new Error("late"); }, 10);
    });
    test("leaves a promise", async () => {
      await Promise.resolve();
      setTimeout(async () => { await 1; throw new Error("rejected"); }, 20);
    });
    test("runs meanwhile", () => new Promise((done) => setTimeout(done, 100)));`,
  );
  // The runner's own variable would change the format of the report.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;

  const { stdout } = spawnSync(process.execPath, ["--require=./build/test-hooks.cjs", "--test-reporter=tap", file], {
    encoding: "utf8",
    env,
  });

  assert.match(stdout, /Test "leaves a timer" at .* created the error "Error: late"/);
  assert.match(stdout, /Test "leaves a promise" at .* created the error "Error: rejected"/);
  assert.match(stdout, /^# pass 3$/m);
});
