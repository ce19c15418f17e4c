import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/**
 * Top-level variables of the core and of modules, and why each belongs to the process. Everything else that changes is
 * a part of the App (`part` in lib/core/app.ts), so that two Apps in one process share nothing.
 */
const PROCESS_WIDE: Readonly<Record<string, readonly string[]>> = {
  // Of this process and its machine.
  "core/base/asset.ts": ["sea"], // whether this is the single-file executable
  "core/base/id.ts": ["lastMs", "lastSeq", "lastTime", "pool", "taken"], // ids are unique in a process
  "core/base/loop-share.ts": ["served", "isScheduled"], // there is one event loop
  "core/log/request.ts": ["requests", "running"], // AsyncLocalStorage slows down every promise of the process
  "core/api/answer.ts": ["packing"], // there is one pool of threads
  "core/upstream/stdio/process-tag.ts": ["probed"], // what the platform can do
  "modules/code/sandbox/vm.ts": ["compiled", "lastId"], // compiled WebAssembly; ids
  "modules/code/sandbox/execute.ts": ["lastCall"], // ids
  // Made once from constants.
  "core/api/panel/pack.ts": ["opened"],
  "core/catalog/synonyms.ts": ["table"],
  "modules/detect/survey.ts": ["shapeHeads", "nameEnds"],
  "modules/detect/plain.ts": ["bytes"], // scratch memory within one synchronous call
};

test("no top-level `let` in the core or in modules, but for what belongs to the process", () => {
  const found: Record<string, string[]> = {};
  for (const folder of ["core", "modules"])
    for (const name of readdirSync(`lib/${folder}`, { recursive: true }).map((file) => String(file))) {
      if (!/\.tsx?$/.test(name)) continue;
      const file = `${folder}/${name.replaceAll("\\", "/")}`;
      const names = [...readFileSync(`lib/${file}`, "utf8").matchAll(/^(?:export )?(?:let|var) (\w+)/gm)];
      if (names.length > 0) found[file] = names.map(([, variable]) => variable!);
    }

  assert.deepEqual(found, PROCESS_WIDE);
});
