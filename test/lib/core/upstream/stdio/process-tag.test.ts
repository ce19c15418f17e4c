import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { markedProcesses, PROCESS_MARK_VARIABLE, readProcessTable } from "#lib/core/upstream/stdio/process-table.ts";
import { findTagger, isProgram, isTagged, processTagRange } from "#lib/core/upstream/stdio/process-tag.ts";

const limits = (soft: string) =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax core file size        0                    unlimited            bytes     \nMax resident set          ${soft.padEnd(20)} unlimited            bytes     \n`;

test("a tag lies in the range of its run and of its directory, and in no other", () => {
  const one = processTagRange("a1.b2.7.");
  const rows: [string, boolean][] = [
    ["a1.", true],
    ["a1.b2.", true],
    ["a1.b2.7.", true],
    ["a1.b2.8.", false],
    ["a1.b3.", false],
    ["a2.", false],
    ["a2.b2.7.", false],
  ];

  for (const [prefix, inside] of rows)
    assert.equal(isTagged(limits(String(one.first)), processTagRange(prefix)), inside, prefix);
  assert.equal(one.first, one.last);
});

test("a tag is a limit that no machine reaches and every program can read as a signed number", () => {
  for (const mark of ["a.b.1.", "x.y.1048575.", "q.r.1048576."]) {
    const { first } = processTagRange(mark);
    assert.ok(first >= 1n << 62n && first < 1n << 63n, mark);
  }
});

test("a limit set by somebody else, or none, is no tag", () => {
  for (const soft of ["unlimited", "0", "1073741824", String(1n << 61n)])
    assert.ok(!isTagged(limits(soft), processTagRange("a1.")));
  assert.ok(!isTagged("", processTagRange("a1.")));
});

test("the mark of another directory in the environment outweighs a tag, so that an equal tag ends nobody else's process", async (t) => {
  const tagger = await findTagger();
  if (!tagger) return t.skip("needs prlimit on Linux");
  const start = (env: Record<string, string>) => {
    const [command, ...args] = tagger("a1.b2.7.", process.execPath, ["-e", "console.log(1);setInterval(()=>{},1000)"]);
    return spawn(command, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  };
  const children = [{}, { [PROCESS_MARK_VARIABLE]: "a1.b2.7." }, { [PROCESS_MARK_VARIABLE]: "a9.b2.7." }].map(start);
  await Promise.all(children.map((child) => once(child.stdout, "data")));
  const rows = (await readProcessTable()).filter((row) => children.some(({ pid }) => pid === row.pid));

  const found = await markedProcesses(rows, "a1.b2.");

  assert.deepEqual(
    children.map(({ pid }) => found.some((row) => row.pid === pid)),
    [true, true, false],
  );
  for (const child of children) child.kill("SIGKILL");
});

test("a tagged command keeps its environment and its arguments to the letter", async (t) => {
  const tagger = await findTagger();
  if (!tagger) return t.skip("needs prlimit on Linux");
  const [command, ...args] = tagger("a1.b2.7.", process.execPath, [
    "-p",
    "JSON.stringify([process.env, process.argv.slice(1)])",
    "--",
    "--rss=1",
    "a b",
  ]);
  const env = { "WITH.DOT": "1", EMPTY: "", "WITH-DASH": "x y" };

  assert.deepEqual(JSON.parse(execFileSync(command, args, { env, encoding: "utf8" })), [env, ["--rss=1", "a b"]]);
});

test("a program is found as the system finds it: by its path, else on the PATH it is given", () => {
  const rows: [string, string | undefined, string | undefined, boolean][] = [
    ["sh", "/nowhere:/bin", undefined, true],
    ["sh", "/nowhere", undefined, false],
    ["sh", undefined, undefined, false],
    ["/bin/sh", undefined, undefined, true],
    ["./sh", undefined, "/bin", true],
    ["./sh", undefined, "/nowhere", false],
    ["/bin", "/", undefined, false],
    ["/etc/passwd", undefined, undefined, false],
  ];

  for (const [command, path, folder, found] of rows) assert.equal(isProgram(command, path, folder), found, command);
});
