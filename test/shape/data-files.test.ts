import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const MAX_LINES = 60;

/** Long tables that are code, and why. */
const CODE: Readonly<Record<string, string>> = {
  "lib/core/schema/event-payload.ts EVENT_PAYLOADS": "the schema of each event",
  "lib/core/schema/server-config-fields.ts SERVER_CONFIG_FIELDS":
    "types of the configuration and of the record are made of it",
  "lib/core/store/migrations.ts MIGRATIONS": "the statements that make the tables of the database",
  "lib/modules/scan/rules/words/concepts.ts CONCEPTS": "a type is made of it",
};

/** Top-level constants without a function or a call in them, by name, with their lines. */
function literalsOf(source: string): { name: string; lines: number }[] {
  const lines = source.split("\n");
  return lines.flatMap((line, from) => {
    const name = /^(?:export )?const (\w+)\b.*[[{`(]$/.exec(line)?.[1];
    if (!name) return [];
    const length = lines.slice(from + 1).findIndex((end) => /^[\]})`]/.test(end)) + 2;
    const body = lines.slice(from + 1, from + length - 1).join("\n");
    return /=>|^ +(?:\.\.\.|\w+: )?[\w.]+\($/m.test(body) ? [] : [{ name, lines: length }];
  });
}

test("word lists and tables of more than sixty lines are data files, not code", () => {
  const found: string[] = [];
  for (const folder of ["lib", "cli", "handlers"])
    for (const name of readdirSync(folder, { recursive: true }).map((file) => String(file).replaceAll("\\", "/"))) {
      if (!/\.tsx?$/.test(name) || name.endsWith(".gen.ts")) continue;
      for (const literal of literalsOf(readFileSync(`${folder}/${name}`, "utf8")))
        if (literal.lines > MAX_LINES) found.push(`${folder}/${name} ${literal.name}`);
    }

  assert.deepEqual(found.sort(), Object.keys(CODE).sort());
});
