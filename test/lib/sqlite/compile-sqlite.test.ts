import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { cachedDataVersionTag } from "node:v8";
import { compileSqlite } from "#lib/sqlite/compile-sqlite.ts";

/** The smallest module: the magic number and the version. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

test("after SQLite is compiled V8 has its own flags again, so it accepts code caches", () => {
  const before = cachedDataVersionTag();

  compileSqlite(EMPTY);

  assert.equal(cachedDataVersionTag(), before);
});

test("flags of V8 are in the tag that the test above compares", () => {
  const program = `const v8 = require("node:v8");
    const before = v8.cachedDataVersionTag();
    v8.setFlagsFromString("--wasm-tiering-budget=7");
    console.log(before === v8.cachedDataVersionTag());`;

  const { stdout } = spawnSync(process.execPath, ["--eval", program], { encoding: "utf8" });

  assert.equal(stdout.trim(), "false");
});
