import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FAULTS } from "#lib/core/base/fault.ts";

const TABLE = join("lib", "core", "base", "fault.ts");
const codes = Object.keys(FAULTS);

test("the table of faults is sorted by code", () => {
  assert.deepEqual(codes, [...codes].sort());
});

test("every fault of the table is used by the program", () => {
  const program = ["lib", "cli", "handlers"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((file) => join(folder, file))
      .filter((file) => /\.tsx?$/.test(file) && file !== TABLE)
      .map((file) => readFileSync(file, "utf8")),
  );
  const text = program.join("\n");

  assert.deepEqual(
    codes.filter((code) => !text.includes(`"${code}"`)),
    [],
  );
});
