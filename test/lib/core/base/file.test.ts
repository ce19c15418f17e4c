import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createFileDurably, readBoundedFile, removeLeftoverFiles, writeFileDurably } from "#lib/core/base/file.ts";

const folder = (t: TestContext) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};
const posix = process.platform !== "win32";

test("a new file is the owner's alone, and nothing is left beside it", async (t) => {
  const path = join(folder(t), "a.json");

  await writeFileDurably(path, "one");

  assert.equal(readFileSync(path, "utf8"), "one");
  if (posix) assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(path, "..")), ["a.json"]);
});

test("a replaced file keeps its mode", { skip: !posix && "modes are a POSIX thing" }, async (t) => {
  const path = join(folder(t), "a.json");
  writeFileSync(path, "one");
  chmodSync(path, 0o640);

  await writeFileDurably(path, "two");

  assert.equal(readFileSync(path, "utf8"), "two");
  assert.equal(statSync(path).mode & 0o777, 0o640);
});

test("through a symbolic link the file it leads to is replaced", { skip: !posix && "needs links" }, async (t) => {
  const dir = folder(t);
  writeFileSync(join(dir, "real.json"), "one");
  symlinkSync("real.json", join(dir, "link.json"));

  await writeFileDurably(join(dir, "link.json"), "two");

  assert.ok(lstatSync(join(dir, "link.json")).isSymbolicLink());
  assert.equal(readFileSync(join(dir, "real.json"), "utf8"), "two");
});

test("a write that fails leaves the old file and no temporary one", async (t) => {
  const dir = folder(t);
  // A folder cannot be replaced by a file, so the rename fails.
  const path = join(dir, "sub");
  execFileSync("mkdir", [path]);
  writeFileSync(join(path, "x"), "");

  await assert.rejects(writeFileDurably(path, "two"));

  assert.deepEqual(readdirSync(dir), ["sub"]);
});

test("only one of many makes a file that must not exist yet, and the others see its content", async (t) => {
  const dir = folder(t);
  const path = join(dir, "a.json");

  const made = await Promise.all([1, 2, 3, 4, 5].map((n) => createFileDurably(path, `maker ${n}`)));

  const winner = made.indexOf(true) + 1;
  assert.equal(made.filter(Boolean).length, 1);
  assert.equal(readFileSync(path, "utf8"), `maker ${winner}`);
  assert.deepEqual(readdirSync(dir), ["a.json"]);
});

test("leftovers of killed writers go when they are old, other files stay", async (t) => {
  const dir = folder(t);
  const now = Date.now();
  const put = (name: string, ageMs: number) => {
    writeFileSync(join(dir, name), "");
    utimesSync(join(dir, name), new Date(now - ageMs), new Date(now - ageMs));
  };
  put(".a.json.0123456789ab.tmp", 120_000);
  put(".a.json.ba9876543210.tmp", 1000);
  put(".b.json.0123456789ab.tmp", 120_000);
  put("a.json.0123456789ab.tmp", 120_000);
  put(".a.json.tmp", 120_000);

  await removeLeftoverFiles(join(dir, "a.json"), now);

  assert.deepEqual(readdirSync(dir).sort(), [
    ".a.json.ba9876543210.tmp",
    ".a.json.tmp",
    ".b.json.0123456789ab.tmp",
    "a.json.0123456789ab.tmp",
  ]);
});

test("a read is bounded, and refuses what is no regular file", async (t) => {
  const dir = folder(t);
  const path = join(dir, "a");
  writeFileSync(path, "x".repeat(100));

  assert.equal((await readBoundedFile(path, 100)).bytes.length, 100);
  await assert.rejects(readBoundedFile(path, 99), { code: "EFBIG" });
  await assert.rejects(readBoundedFile(dir, 100), { code: posix ? "EINVAL" : "EISDIR" });
  await assert.rejects(readBoundedFile(join(dir, "none"), 100), { code: "ENOENT" });
});

test("a named pipe in the file's place is refused, not waited for", { skip: !posix && "needs mkfifo" }, async (t) => {
  const path = join(folder(t), "pipe");
  execFileSync("mkfifo", [path]);

  await assert.rejects(readBoundedFile(path, 100), { code: "EINVAL" });
});

test("a file whose size says nothing is read to its end, within the bound", {
  skip: !existsSync("/proc/self/status") && "needs /proc",
}, async () => {
  assert.match((await readBoundedFile("/proc/self/status", 1_000_000)).bytes.toString(), /^Name:/);
  await assert.rejects(readBoundedFile("/proc/self/status", 100), { code: "EFBIG" });
});
