import assert from "node:assert/strict";
import { test } from "node:test";
import { supervise } from "#lib/daemon/workers/supervise.ts";

test("a first worker whose process cannot be started ends the supervisor, with the reason", async (t) => {
  const { execPath } = process;
  t.after(() => {
    process.execPath = execPath;
  });
  process.execPath = "/no/such/program";
  const notes: string[] = [];
  // Nothing else keeps this process alive until the supervisor ends.
  const hold = setTimeout(() => {}, 60_000);
  t.after(() => clearTimeout(hold));

  const code = await supervise({
    count: 2,
    words: ["worker"],
    execArgv: [],
    env: {},
    note: (line) => notes.push(line),
  });

  assert.equal(code, 1);
  assert.match(notes.join("\n"), /^worker 1: .*ENOENT/);
});
