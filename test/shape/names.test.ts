import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";

/** Files of the core without an export that carries their name, and why. */
const NAMELESS: Readonly<Record<string, string>> = {
  "api/request-options.ts": "each export reads one option of a request",
  "base/json-schema/keywords/applicators.ts": "one export per keyword",
  "base/json-schema/keywords/arrays.ts": "one export per keyword",
  "base/json-schema/keywords/numbers.ts": "one export per keyword",
  "base/json-schema/keywords/objects.ts": "one export per keyword",
  "base/json-schema/keywords/strings.ts": "one export per keyword",
  "base/json-schema/keywords/values.ts": "one export per keyword",
  "catalog/listed-members.ts": "one export per member that items of several kinds have",
  "config/block-schemas.ts": "one export per nested block of the configuration",
  "config/fields.ts": "one export per type of a field",
  "config/isolation-limits.ts": "the limits and their parsers",
  "secrets/embedded-keyring.ts": "has the exports of the package that it stands in for",
  "verbs/sessions/track.ts": "what is tracked: a session, its calls, its end",
};

const files = readdirSync("lib/core", { recursive: true })
  .map((file) => String(file).replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".gen.ts") && !file.endsWith(".d.ts"))
  .map((file) => ({ file, names: exportedNames(readFileSync(`lib/core/${file}`, "utf8")) }));

test("every file of the core has an export that carries the file's name", () => {
  const nameless = files
    .filter(({ names }) => names.length > 0)
    .filter(({ file, names }) => !names.some((name) => carries(name, basename(file, ".ts"))))
    .map(({ file }) => file);

  assert.deepEqual(nameless.sort(), Object.keys(NAMELESS).sort());
});

test("no two files of the core export the same name", () => {
  const holders = new Map<string, string[]>();
  for (const { file, names } of files)
    for (const name of new Set(names)) holders.set(name, [...(holders.get(name) ?? []), file]);

  assert.deepEqual(
    [...holders].filter(([, in_]) => in_.length > 1),
    [],
  );
});

/** Names declared and exported by a source; what it passes on from other files is not its own. */
function exportedNames(source: string): string[] {
  const declared =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm;
  const listed = /^export (?:type )?\{([^}]*)\};?$/gm;
  return [
    ...[...source.matchAll(declared)].map(([, name]) => name!),
    ...[...source.matchAll(listed)].flatMap(([, list]) =>
      list!.split(",").flatMap(
        (entry) =>
          entry
            .trim()
            .replace(/^type /, "")
            .split(" as ")
            .at(-1) || [],
      ),
    ),
  ];
}

/** Whether all words of a file's name are among those of an export's; the plural counts as the singular. */
function carries(name: string, file: string): boolean {
  const words = wordsOf(name);
  return wordsOf(file).every((word) => words.includes(word));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])(\d)/g, "$1 $2")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_.-]+/)
    .filter(Boolean)
    .map((word) =>
      word
        .toLowerCase()
        .replace(/ies$/, "y")
        .replace(/(?<!s)s$/, ""),
    );
}
