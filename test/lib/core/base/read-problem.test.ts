import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readProblem } from "#lib/core/base/read-problem.ts";
import { writeProblem } from "#lib/core/base/write-problem.ts";
import { folder } from "#test/kit/program.ts";

const problemOf = (act: Promise<unknown>, text: (error: unknown) => string) => act.then(() => "none", text);

test("a file that cannot be read or written is named, with the cause and the remedy", async (t) => {
  const dir = folder(t);
  writeFileSync(join(dir, "bytes"), Buffer.from([0xff]));
  mkdirSync(join(dir, "sub"));
  const decoded = async (path: string) => new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  const reading = (name: string) => problemOf(decoded(join(dir, name)), (error) => readProblem(name, error));
  const writing = (name: string) => problemOf(writeFile(join(dir, name), ""), (error) => writeProblem(name, error));
  const denied = Object.assign(new Error(), { code: "EACCES" });

  assert.equal(await reading("none"), "none does not exist; correct the path");
  assert.equal(await reading("bytes/x"), "bytes/x does not exist; correct the path");
  assert.equal(await reading("sub"), "sub is a folder; name a file");
  assert.equal(await reading("bytes"), "bytes is not text in UTF-8; convert it");
  assert.match(readProblem("x", denied), /^x cannot be read, because you have no permission; /);
  assert.equal(readProblem("x", new Error("odd")), "x cannot be read: odd");
  assert.equal(
    await writing("new/file"),
    "new/file cannot be written, because the folder new does not exist; create it",
  );
  assert.equal(await writing("bytes/x"), "bytes/x cannot be written, because bytes is not a folder; correct the path");
  assert.equal(await writing("sub"), "sub cannot be written, because it is a folder; name a file");
  assert.match(writeProblem("x", denied), /^x cannot be written, because you have no permission; /);
});
