import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/**
 * What belongs to the process rather than to an App, and why. Each is a closure in one constant, made by a factory with
 * variables of its own. Everything else that changes is a part of the App (`part` in lib/core/app.ts), so that two Apps
 * in one process share nothing.
 */
const PROCESS_WIDE: Readonly<Record<string, readonly string[]>> = {
  "lib/core/api/answer.ts": ["pack"], // there is one pool of threads
  "lib/core/base/id.ts": ["tick", "random"], // ids are unique in a process
  "lib/core/base/loop-share.ts": ["enqueue"], // there is one event loop
  "lib/core/log/request-id.ts": ["requests"], // AsyncLocalStorage slows down every promise of the process
  "lib/modules/code/sandbox/execute.ts": ["nextCall"], // numbers within a thread of its own
};

/** Values that are made on first use, from constants or from facts of the process or the machine (`lazy`). */
const MADE_ONCE: Readonly<Record<string, readonly string[]>> = {
  "cli/width.ts": ["segmenter"],
  "handlers/router.ts": ["endpoints"], // modules of the program
  "lib/core/api/load-rest.ts": ["loadFetch"], // modules of Node
  "lib/core/api/panel/panel-files.ts": ["files"], // the built-in panel
  "lib/core/api/reference/guide-files.ts": ["files"], // the built-in documentation
  "lib/core/base/asset.ts": ["besideBundle"], // where the program is
  "lib/core/base/egress/address.ts": ["inward", "translated"],
  "lib/core/catalog/synonyms.ts": ["lines"], // a table of the build
  "lib/core/upstream/stdio/process-tag.ts": ["findTagger"], // what the platform can do
  "lib/modules/code/sandbox/vm.ts": ["compiled"], // compiled WebAssembly
  "lib/modules/detect/candidates.ts": ["nameEnds"], // a table of the build
  "lib/modules/detect/plain.ts": ["scratch"], // scratch memory within one synchronous call
  "lib/modules/detect/runs.ts": ["shapeHeads"], // a table of the build
  "lib/modules/scan/rules/disguise.ts": ["disguisesByWord"],
  "lib/modules/scan/rules/lexicon.ts": ["allWords", "attackWords"], // tables of the build
  "lib/sqlite/wasm.ts": ["loadEngine"], // compiled WebAssembly
};

/**
 * Top-level tables that are written to. They hold what a pure function said of a text or of a record that does not
 * change, so that it need not be found again: two Apps in one process cannot tell whether they share them.
 */
const REMEMBERED: Readonly<Record<string, readonly string[]>> = {
  // Of texts, bounded.
  "lib/core/catalog/terms.ts": ["termsByRun", "stems"],
  "lib/modules/detect/make-prefix-table.ts": ["ids", "idsByText"], // of sets of characters
  "lib/modules/scan/rules/alike.ts": ["known", "instances", "looks"],
  "lib/modules/scan/rules/phrase.ts": ["phrases", "numbers"],
  // Of records, as long as these live.
  "lib/core/api/authenticate/peer.ts": ["sets"],
  "lib/core/api/openapi/openapi.ts": ["texts", "cache"],
  "lib/core/api/openapi/yaml.ts": ["cache"],
  "lib/core/catalog/direct-names.ts": ["changed"],
  "lib/core/gateway/similar-ids.ts": ["indexes"],
  "lib/core/log/create-log.ts": ["watched"], // promises that a failure is already logged for
  "lib/core/mcp/check-param-headers.ts": ["declarations"],
  "lib/core/mcp/shown-items.ts": ["madeItems"],
  "lib/core/verbs/servers/item-counts.ts": ["counted"],
  "lib/core/verbs/servers/record.ts": ["definitions"],
  "lib/core/verbs/servers/review-counts.ts": ["counted", "counts", "listed"],
  "lib/core/verbs/tokens/verify.ts": ["callers"],
  "lib/core/verbs/tools/savings.ts": ["sizes"],
  "lib/modules/detect/inspect.ts": ["compiled"],
  // Of the tables of the modules, gathered while files are loaded, before any App is opened.
  "lib/core/config/config-keys.ts": ["blocks", "used"],
  // Of the environment.
  "lib/core/base/egress/authorities.ts": ["contexts"],
};

test("no file of the program has a top-level `let`", () => {
  const found = namesByFile(["lib", "cli", "handlers"], (source) =>
    [...source.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)].map(([, variable]) => variable!),
  );

  assert.deepEqual(found, {});
});

test("no top-level constant hides a variable, but for what belongs to the process", () => {
  const found = namesByFile(["lib", "cli", "handlers"], (source) =>
    [...source.matchAll(/^(?:export )?const (\w+)\b[^=\n]*= (\w+)\(/gm)]
      .filter(([, , factory]) => hasVariable(source, factory!))
      .map(([, name]) => name!),
  );

  assert.deepEqual(found, PROCESS_WIDE);
});

test("what is made on first use follows from constants or from the process", () => {
  const found = namesByFile(["lib", "cli", "handlers"], (source) =>
    [...source.matchAll(/^(?:export )?const (\w+)\b[^=\n]*= lazy\(/gm)].map(([, name]) => name!),
  );

  assert.deepEqual(found, MADE_ONCE);
});

test("no top-level Map, Set, list or table in the core or in modules is written to, but for what pure functions remember", () => {
  const found = namesByFile(["lib/core", "lib/modules"], (source) =>
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

/** Whether a function of the file returns a closure over a variable of its own. */
function hasVariable(source: string, factory: string): boolean {
  const [body = ""] = new RegExp(`^function ${factory}\\b[^]*?^}`, "m").exec(source) ?? [];
  return (
    /^ {2}(?:let |const \w+\b[^=\n]*= (?:new (?:Weak)?(?:Map|Set)\b|lazy\())/m.test(body) &&
    /^ {2}return (?:\{|\(|async )/m.test(body)
  );
}

function namesByFile(folders: readonly string[], namesIn: (source: string) => string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const file of folders.flatMap(programFiles)) {
    const names = namesIn(readFileSync(file, "utf8"));
    if (names.length > 0) found[file] = names;
  }
  return found;
}

/** The panel is left out: each of its pages is a process of its own, in the browser. */
function programFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((path) => `${folder}/${String(path).replaceAll("\\", "/")}`)
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("handlers/ui/panel/"));
}
