import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const rows = promises(readFileSync("docs/internals/guarantees.md", "utf8"));

test("the table of promises in docs/internals/guarantees.md has its rows", () => {
  assert.ok(rows.length >= 25, `${rows.length} rows were found`);
});

for (const { promise, enforcedBy, heldBy } of rows)
  test(`files that exist enforce and test the promise: ${promise}`, () => {
    assert.ok(enforcedBy.length > 0 && heldBy.length > 0, "a row names code and tests");
    for (const path of enforcedBy) assert.match(path, /^(?:lib|handlers|cli)\/\S+\.tsx?$/);
    for (const path of heldBy) assert.match(path, /^test\/\S+\.test\.ts$/);
    for (const path of [...enforcedBy, ...heldBy]) assert.ok(existsSync(path), `${path} does not exist`);
  });

function promises(page: string) {
  const section = page.split(/^## /m).find((part) => part.startsWith("Promises\n")) ?? "";
  const [, , ...lines] = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.map((line) => {
    const [, promise = "", enforcedBy = "", heldBy = ""] = line.split("|").map((cell) => cell.trim());
    return { promise, enforcedBy: paths(enforcedBy), heldBy: paths(heldBy) };
  });
}

function paths(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => path!);
}
