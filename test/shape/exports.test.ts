import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { test } from "node:test";

const sources = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((file) => `${folder}/${String(file).replaceAll("\\", "/")}`)
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.endsWith(".d.ts"));

const texts = new Map(
  ["lib", "handlers", "cli", "build", "test"].flatMap((folder) =>
    sources(folder).map((file) => [file, readFileSync(file, "utf8")] as const),
  ),
);

/** Exports that somebody else than an import uses. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "lib/core/secrets/embedded-keyring.ts": "the bundler puts it in the place of the keyring package",
  "lib/core/base/fault.ts": "modules.gen.ts extends its interface",
  "lib/core/config/config-keys.ts": "the modules extend its interface",
};

/** `path name` of whatever is imported; `path *` where all of a file is, or where it is imported when it is needed. */
const imported = new Set(
  [...texts].flatMap(([file, text]) => {
    const named = [...text.matchAll(/(?:import|export)\s+(?:type\s+)?([^;"'()=]*?)\s*from\s*"([^"]+)"/g)];
    const late = [...text.matchAll(/import\("([^"]+)"\)/g)];
    return [
      ...named.flatMap(([, names = "", from = ""]) => namesIn(names).map((name) => `${pathOf(file, from)} ${name}`)),
      ...late.map(([, from = ""]) => `${pathOf(file, from)} *`),
    ];
  }),
);

function namesIn(clause: string): string[] {
  const list = /\{([^}]*)\}/.exec(clause)?.[1]?.split(",") ?? ["*"];
  return list.map(
    (item) =>
      item
        .trim()
        .replace(/^type\s+/, "")
        .split(/\s+as\s+/)[0]!,
  );
}

function pathOf(file: string, from: string): string {
  if (from.startsWith("#")) return from.slice(1);
  return resolve("/", dirname(file), from).slice(1);
}

const words = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/s$/, ""));

/** The export that a file is named after stays, so that the file can be found by it. */
function isMain(file: string, name: string): boolean {
  const has = new Set(words(name));
  return words(basename(file).replace(/\.tsx?$/, "")).every((word) => has.has(word));
}

test("what the program exports is imported by another file, or is what the file is named after", () => {
  const unused = [...texts].flatMap(([file, text]) => {
    if (!/^(?:lib|cli|handlers)\//.test(file) || file.endsWith(".gen.ts") || file in EXCEPTIONS) return [];
    if (imported.has(`${file} *`)) return [];
    return [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => !imported.has(`${file} ${name}`) && !isMain(file, name))
      .map((name) => `${file}: ${name}`);
  });

  assert.deepEqual(unused, []);
});
