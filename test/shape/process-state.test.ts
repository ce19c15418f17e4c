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
  "core/log/request-id.ts": ["requests", "running"], // AsyncLocalStorage slows down every promise of the process
  "core/api/answer.ts": ["packing"], // there is one pool of threads
  "core/upstream/stdio/process-tag.ts": ["probed"], // what the platform can do
  "modules/code/sandbox/vm.ts": ["compiled", "lastId"], // compiled WebAssembly; ids
  "modules/code/sandbox/execute.ts": ["lastCall"], // ids
  // Made once from constants.
  "core/api/panel/panel-files.ts": ["opened"],
  "core/catalog/synonyms.ts": ["table"],
  "modules/detect/candidates.ts": ["nameEnds"],
  "modules/detect/plain.ts": ["bytes"], // scratch memory within one synchronous call
  "modules/detect/runs.ts": ["shapeHeads"],
};

/**
 * Top-level tables that are written to. They hold what a pure function said of a text or of a record that does not
 * change, so that it need not be found again: two Apps in one process cannot tell whether they share them.
 */
const REMEMBERED: Readonly<Record<string, readonly string[]>> = {
  // Of texts, bounded.
  "core/catalog/terms.ts": ["termsByRun", "stems"],
  "modules/detect/heads.ts": ["ids", "idsByText"], // of sets of characters
  "modules/scan/rules/alike.ts": ["known", "instances", "looks"],
  "modules/scan/rules/phrase.ts": ["kept", "numbers"],
  // Of records, as long as these live.
  "core/api/authenticate/peer.ts": ["sets"],
  "core/api/openapi/openapi.ts": ["texts", "cache"],
  "core/api/openapi/yaml.ts": ["cache"],
  "core/catalog/direct-names.ts": ["changed"],
  "core/gateway/similar-ids.ts": ["indexes"],
  "core/log/create-log.ts": ["watched"], // promises that a failure is already logged for
  "core/mcp/check-param-headers.ts": ["declarations"],
  "core/mcp/shown-items.ts": ["madeItems"],
  "core/verbs/servers/review-counts.ts": ["counted", "listed"],
  "core/verbs/tokens/verify.ts": ["callers"],
  "core/verbs/tools/savings.ts": ["sizes"],
  "modules/detect/inspect.ts": ["compiled"],
  // Of the tables of the modules, gathered while files are loaded, before any App is opened.
  "core/config/config-keys.ts": ["blocks", "used"],
  // Of the environment.
  "core/base/egress/authorities.ts": ["contexts"],
};

test("no top-level `let` in the core or in modules, but for what belongs to the process", () => {
  const found = namesByFile((source) =>
    [...source.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)].map(([, variable]) => variable!),
  );

  assert.deepEqual(found, PROCESS_WIDE);
});

test("no top-level Map, Set, list or table in the core or in modules is written to, but for what pure functions remember", () => {
  const found = namesByFile((source) =>
    [...source.matchAll(/^(?:export )?const (\w+)\b[^=\n]*=\s+(?:new (?:Weak)?(?:Map|Set)\b|\[|\{)/gm)]
      .map(([, name]) => name!)
      .filter((name) => isWritten(source, name)),
  );

  assert.deepEqual(found, REMEMBERED);
});

function isWritten(source: string, name: string): boolean {
  const call = `\\.(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)\\(`;
  const assignment = `(?:\\.\\w+|\\[[^\\]]+\\]) (?:\\?\\?|\\|\\||&&|[-+])?= `;
  return new RegExp(`(?<![\\w.])${name}(?:${call}|${assignment})`).test(source);
}

function namesByFile(namesIn: (source: string) => string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const folder of ["core", "modules"])
    for (const path of readdirSync(`lib/${folder}`, { recursive: true }).map((file) => String(file))) {
      if (!/\.tsx?$/.test(path)) continue;
      const file = `${folder}/${path.replaceAll("\\", "/")}`;
      const names = namesIn(readFileSync(`lib/${file}`, "utf8"));
      if (names.length > 0) found[file] = names;
    }
  return found;
}
