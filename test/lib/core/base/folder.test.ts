import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "#lib/core/base/folder.ts";

const posix = process.platform !== "win32";

test("a folder is made with its missing parents, each for the owner only, and one that exists is left alone", (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true }));

  makeFolder(join(dir, "a", "b"));
  makeFolder(join(dir, "a", "b"));

  for (const path of [join(dir, "a"), join(dir, "a", "b")])
    assert.equal(statSync(path).mode & 0o777, posix ? 0o700 : 0o777);
});

test("a file or a broken link in the place of a folder is refused", { skip: !posix }, (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "file"), "");
  symlinkSync(join(dir, "nowhere"), join(dir, "link"));

  assert.throws(() => makeFolder(join(dir, "file")), { code: "EEXIST" });
  assert.throws(() => makeFolder(join(dir, "file", "below")), { code: "ENOTDIR" });
  assert.throws(() => makeFolder(join(dir, "link", "below")), { code: "EEXIST" });
});

test("a folder in /proc is refused, where the parent exists and mkdir answers ENOENT", {
  skip: process.platform !== "linux" && "needs /proc",
}, () => {
  for (const path of ["/proc/nope", "/proc/1/a/b"]) assert.throws(() => makeFolder(path), { code: "ENOENT" });
});

test("nothing else makes folders recursively, since Node's own way never ends in /proc", () => {
  const recursive = ["lib", "cli", "handlers"].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter(
        (name) => name.endsWith(".ts") && /mkdir(Sync)?\([^;]*recursive/.test(readFileSync(join(root, name), "utf8")),
      )
      .map((name) => join(root, name)),
  );

  assert.deepEqual(recursive, []);
});
