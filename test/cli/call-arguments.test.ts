import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { argumentPairs } from "#cli/call-arguments.ts";
import { exampleArguments } from "#cli/tool-arguments.ts";
import { folder } from "#test/kit/program.ts";

const SCHEMA = {
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: "integer" },
    ratio: { type: "number" },
    deep: { type: "boolean" },
    tags: { type: "array" },
    either: { type: ["string", "number"] },
  },
  required: ["path", "limit", "tags"],
};
const read = (...words: string[]) => argumentPairs(words, SCHEMA, Readable.from([]));

const ROWS: [words: string[], values: object][] = [
  [["path=a=b"], { path: "a=b" }],
  [["path="], { path: "" }],
  [["path=7"], { path: "7" }],
  [["limit=7", "ratio=1.5", "deep=true"], { limit: 7, ratio: 1.5, deep: true }],
  [["limit:=7"], { limit: 7 }],
  [['tags:=["a"]'], { tags: ["a"] }],
  [['tags=["a"]'], { tags: ["a"] }],
  [["either=7", "unknown=7"], { either: "7", unknown: "7" }],
  [["a:b=c"], { "a:b": "c" }],
  [["path=first", "path=last"], { path: "last" }],
  [["url=http://x/?a:=b"], { url: "http://x/?a:=b" }],
];
for (const [words, values] of ROWS)
  test(`${words.join(" ")} is read as ${JSON.stringify(values)}`, async () => {
    assert.deepEqual(await read(...words), values);
  });

const WRONG: [word: string, message: RegExp][] = [
  ["path", /"path" is not an argument; write name=value/],
  ["=x", /is not an argument/],
  ["limit=1.5", /limit must be an integer, not "1\.5"/],
  ["limit=", /limit must be an integer/],
  ["deep=yes", /deep must be true or false/],
  ["tags=a", /tags is not valid JSON/],
  ["tags={}", /tags must be a JSON array; write tags:='\[…\]'/],
  ["path:={", /path is not valid JSON/],
  ["path=@/nonexistent/file", /^UsageError: path: \/nonexistent\/file does not exist; correct the path$/],
];
for (const [word, message] of WRONG)
  test(`${word} is refused`, async () => {
    await assert.rejects(read(word), message);
  });

test("a value can be the content of a file, as text or as JSON", async (t) => {
  const file = join(folder(t), "tags.json");
  writeFileSync(file, '["a"]');

  assert.deepEqual(await read(`path=@${file}`, `tags:=@${file}`), { path: '["a"]', tags: ["a"] });
});

test("a name such as __proto__ is an argument like any other", async () => {
  const values = await read("__proto__=x");

  assert.deepEqual(Object.keys(values), ["__proto__"]);
});

test("the example has a value for each required argument and can be typed as it is", () => {
  assert.equal(exampleArguments(SCHEMA), "'path=…' limit=0 'tags:=[]'");
});
