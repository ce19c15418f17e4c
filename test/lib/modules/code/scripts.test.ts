import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { type Disclosure, listScripts, MAX_SCRIPT_BYTES, readScript } from "#lib/modules/code/scripts.ts";
import { verifies } from "#test/kit/verifies.ts";

const dir = mkdtempSync(join(tmpdir(), "proxy-"));
after(() => rmSync(dir, { recursive: true, force: true }));
const put = (file: string, text: string | Buffer) => writeFileSync(join(dir, file), text);

const fault = async (name: string, tell: Disclosure = "paths"): Promise<Fault> => {
  try {
    await readScript(dir, name, tell);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error(`${name} was read`);
};

put("good.js", "1 + 1");
put("typed.ts", "const a: number = 1; a");
put("both.js", "1");
put("both.ts", "2");
put("empty.js", "");
put("edge.js", Buffer.alloc(MAX_SCRIPT_BYTES, 0x20));
put("big.js", Buffer.alloc(MAX_SCRIPT_BYTES + 1, 0x20));
put("binary.js", Buffer.from([0xff, 0xfe, 0xfd]));
put("Case.js", "'upper'");
put("shout.JS", "1");
put("bad.name.js", "1");
put("notes.txt", "1");
mkdirSync(join(dir, "folder.js"));
symlinkSync(join(dir, "good.js"), join(dir, "link.js"));
execFileSync("mkfifo", [join(dir, "pipe.js")]);

verifies("code.script.language", "the extension decides the language", async () => {
  assert.deepEqual(await readScript(dir, "good", "paths"), { name: "good", source: "1 + 1", language: "javascript" });
  assert.equal((await readScript(dir, "typed", "paths")).language, "typescript");
});

verifies("code.script.name", "a name is 1 to 64 of A-Za-z0-9_-, and the message names the bad character", async () => {
  const rows: [string, RegExp][] = [
    ["", /empty/],
    ["a".repeat(65), /65 characters/],
    ["../good", /"\."/],
    ["a/b", /"\/"/],
    ["a\\b", /"\\\\"/],
    ["good.js", /"\."/],
    ["/etc/passwd", /"\/"/],
    ["scripté", /"é"/],
    ["a b", /" "/],
    ["a\0b", /\\u0000/],
  ];
  for (const [name, message] of rows) {
    const { code, message: said } = await fault(name);
    assert.equal(code, "script_name", name);
    assert.match(said, message);
  }
});

test("64 characters are a name", async () => {
  assert.equal((await fault("a".repeat(64))).code, "script_not_found");
});

verifies(
  ["code.script.size", "code.script.regular"],
  "empty, oversized, unreadable and non-regular files are refused; the path is told to administrators only",
  async () => {
    const rows: [string, RegExp][] = [
      ["empty", /empty/],
      ["big", /larger than 262144/],
      ["binary", /cannot be read/],
      ["folder", /not a regular file/],
      ["link", /not a regular file/],
      ["pipe", /not a regular file/],
    ];
    for (const [name, message] of rows) {
      const told = await fault(name);
      assert.equal(told.code, "script_unusable", name);
      assert.match(told.message, message);
      assert.ok(told.message.includes(dir), name);
      for (const [tell, file] of [
        ["names", new RegExp(`\\(${name}\\.js\\)`)],
        ["nothing", /^[^()]*$/],
      ] as const) {
        const { message: said } = await fault(name, tell);
        assert.ok(!said.includes(dir), name);
        assert.match(said, file);
      }
    }
  },
);

verifies("limit.script", "a script of exactly 262144 bytes is read", async () => {
  assert.equal((await readScript(dir, "edge", "paths")).source.length, MAX_SCRIPT_BYTES);
});

verifies("code.script.ambiguous", "both extensions present: the failure names both, to an administrator", async () => {
  const { code, message } = await fault("both");
  assert.equal(code, "script_unusable");
  assert.ok(message.includes(join(dir, "both.js")) && message.includes(join(dir, "both.ts")));
  assert.equal(
    (await fault("both", "names")).message,
    'script "both" is ambiguous: both both.js and both.ts exist; remove one',
  );
  assert.equal((await fault("both", "nothing")).message, 'script "both" is ambiguous');
});

verifies("code.script.extension", "case counts, in the name and in the extension", async () => {
  assert.equal((await readScript(dir, "Case", "paths")).source, "'upper'");
  assert.equal((await fault("case")).code, "script_not_found");
  assert.equal((await fault("shout")).code, "script_not_found");
});

test("an unknown name lists what exists to administrators and nothing to others (spec 001 §5.3, §7)", async () => {
  assert.match((await fault("nope")).message, /5 stored script\(s\): Case, binary, edge, good, typed$/);
  assert.equal((await fault("nope", "nothing")).message, 'script "nope" not found');
  await assert.rejects(readScript(join(dir, "none"), "nope", "paths"), /there are no stored scripts/);
  await assert.rejects(readScript(join(dir, "none"), "nope", "nothing"), { message: 'script "nope" not found' });
});

test("at most 20 names are listed, alphabetically, with the total (spec 001 §7)", async () => {
  const many = mkdtempSync(join(tmpdir(), "proxy-"));
  for (let i = 0; i < 30; i++) writeFileSync(join(many, `s${String(i).padStart(2, "0")}.js`), "1");
  await assert.rejects(readScript(many, "x", "paths"), (e: Error) => {
    assert.match(e.message, /30 stored script\(s\): s00, s01/);
    assert.ok(e.message.includes("s19, …") && !e.message.includes("s20"));
    return true;
  });
  rmSync(many, { recursive: true });
});

verifies("code.script.fresh", "a replaced script is seen by the next invocation", async () => {
  put("swap.js", "1");
  assert.equal((await readScript(dir, "swap", "paths")).source, "1");
  put("swap.tmp", "2");
  renameSync(join(dir, "swap.tmp"), join(dir, "swap.js"));
  assert.equal((await readScript(dir, "swap", "paths")).source, "2");
  rmSync(join(dir, "swap.js"));
  assert.equal((await fault("swap")).code, "script_not_found");
});

test("a symbolic link put in place while scripts are read is never followed", async () => {
  const target = join(dir, "secret.txt");
  put("secret.txt", "'secret'");
  let stop = false;
  const racer = (async () => {
    while (!stop) {
      put("race.tmp", "'plain'");
      renameSync(join(dir, "race.tmp"), join(dir, "race.js"));
      symlinkSync(target, join(dir, "race.link"));
      renameSync(join(dir, "race.link"), join(dir, "race.js"));
      await new Promise((r) => setImmediate(r));
    }
  })();
  for (let i = 0; i < 300; i++) {
    const source = await readScript(dir, "race", "paths").then(
      (s) => s.source,
      (e: Fault) => e.code,
    );
    assert.ok(["'plain'", "script_unusable", "script_not_found"].includes(source), source);
  }
  stop = true;
  await racer;
  rmSync(join(dir, "race.js"));
});

test("the list tells status and reason of every script; other files are left out (spec 001 §2.4)", async () => {
  const found = Object.fromEntries((await listScripts(dir)).map((s) => [s.name, s.reason ?? s.status]));
  assert.deepEqual(found, {
    Case: "ok",
    big: "oversized",
    binary: "unreadable",
    both: "ambiguous",
    edge: "ok",
    empty: "empty",
    folder: "non-regular",
    good: "ok",
    link: "non-regular",
    pipe: "non-regular",
    typed: "ok",
  });
  assert.deepEqual(await listScripts(join(dir, "none")), []);
});
