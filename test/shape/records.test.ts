import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

// Such a member belongs to a record that somebody reads, and a record has one schema, whose type is `InferOutput` of it.
test("no interface outside lib/core/schema has members in snake_case", () => {
  const found: Record<string, string[]> = {};
  for (const name of readdirSync("lib", { recursive: true, encoding: "utf8" })) {
    const file = name.replaceAll("\\", "/");
    if (!/\.tsx?$/.test(file) || file.endsWith(".gen.ts") || file.startsWith("core/schema/")) continue;
    const names = snakeCaseInterfaces(readFileSync(`lib/${file}`, "utf8"));
    if (names.length > 0) found[file] = names;
  }

  assert.deepEqual(found, {});
});

test("an interface with a member in snake_case is found, one without is not", () => {
  const source =
    "interface Kept {\n  readonly job_id: string;\n}\n\nexport type Row = {\n  total_count?: number;\n};\n";

  assert.deepEqual(snakeCaseInterfaces(source), ["Kept", "Row"]);
  assert.deepEqual(snakeCaseInterfaces("interface Kept {\n  jobId: string;\n}\n"), []);
});

function snakeCaseInterfaces(source: string): string[] {
  return [...source.matchAll(/^(?:export )?(?:interface (\w+)[^{\n]*|type (\w+) = )\{\n(.*?)^\}/gms)]
    .filter(([, , , body]) => /^ {2}(?:readonly )?[a-z0-9]+(?:_[a-z0-9]+)+\??:/m.test(body!))
    .map(([, name, alias]) => (name ?? alias)!);
}
