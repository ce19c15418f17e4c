import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FAULTS } from "#lib/core/base/fault.ts";
import { modules } from "#lib/modules/modules.gen.ts";

const TABLES = /^lib\/core\/base\/core-faults\.ts$|^lib\/modules\/[^/]+\/faults\.ts$/;
const sources = ["lib", "cli", "handlers"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file).replaceAll("\\", "/"))
    .filter((file) => /\.tsx?$/.test(file) && !TABLES.test(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8") })),
);

test("the faults of each module are sorted by code, and no code has two owners", () => {
  const owners = new Map<string, string>();
  for (const { name, faults = {} } of modules) {
    assert.deepEqual(Object.keys(faults), Object.keys(faults).sort(), name);
    for (const code of Object.keys(faults)) {
      assert.equal(owners.get(code), undefined, `${code} is a fault of ${owners.get(code)} and of ${name}`);
      owners.set(code, name);
    }
  }
  assert.ok(owners.size > 40);
});

test("every fault is used by the program", () => {
  const text = sources.map((source) => source.text).join("\n");

  assert.deepEqual(
    Object.keys(FAULTS).filter((code) => !text.includes(`"${code}"`)),
    [],
  );
});

test("a file that throws a fault of a module imports `Fault` from the module's faults.ts, and the core throws none", () => {
  for (const { name, faults = {} } of modules)
    for (const code of Object.keys(faults))
      for (const { file, text } of sources) {
        if (!new RegExp(`new Fault\\([^;]*?"${code}"`).test(text)) continue;
        assert.ok(!file.startsWith("lib/core/"), `${file} throws ${code} of the module ${name}`);
        // It imports every module.
        if (file === "lib/create-app.ts") continue;
        const from = file.startsWith(`lib/modules/${name}/`) ? "(?:\\.\\./)*(?:\\./)?" : `#lib/modules/${name}/`;
        assert.match(
          text,
          new RegExp(`import \\{[^}]*\\bFault\\b[^}]*\\} from "${from}faults\\.ts"`),
          `${file}: ${code}`,
        );
      }
});
