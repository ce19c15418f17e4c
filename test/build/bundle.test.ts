import assert from "node:assert/strict";
import { resolve } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";

let withOneModuleKey: (text: string) => string;
before(async () => {
  ({ withOneModuleKey } = await import(pathToFileURL(resolve("build/bundle.mjs")).href));
});

/** Modules as esbuild writes them without minification. */
const wrapped = (wrapper: string, path: string, parameters = "") =>
  `var init_${path.length} = ${wrapper}({\n  ${JSON.stringify(path)}(${parameters}) {\n    "use strict";\n    ran.push(${JSON.stringify(path)});\n  }\n});\n`;

test("the wrappers of all modules have one key, and run as before", () => {
  const paths = ["lib/a.ts", "node_modules/b/it's.js", 'c"quoted".ts'];
  const text = paths
    .map((path, i) => wrapped(i === 1 ? "__commonJS" : "__esm", path, i === 1 ? "exports, module" : ""))
    .join("");

  const result = withOneModuleKey(text);

  const keys: string[] = [];
  const ran: string[] = [];
  const wrapper = (members: Record<string, () => void>) => {
    for (const [key, run] of Object.entries(members)) {
      keys.push(key);
      run();
    }
  };
  new Function("__esm", "__commonJS", "ran", result)(wrapper, wrapper, ran);
  assert.deepEqual(keys, ["load", "load", "load"]);
  assert.deepEqual(ran, paths);
});

test("another form of the wrappers is an error, so that their keys do not come back", () => {
  for (const text of [
    "var init_a = __esm(() => {});\n",
    `${wrapped("__esm", "lib/a.ts")}var init_b = __esm({\n  b: () => {}\n});\n`,
  ])
    assert.throws(() => withOneModuleKey(text), /wrappers of modules have changed/);
});
