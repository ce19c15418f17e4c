import assert from "node:assert/strict";
import { hash as sha256 } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { commands } from "#cli/commands.gen.ts";
import { type Link, linkOf } from "#lib/modules/audit/chain.ts";
import { createAudit } from "#lib/modules/audit/create.ts";
import type { Retention } from "#lib/modules/audit/file.ts";
import { headPath, keyPath, openHead } from "#lib/modules/audit/head.ts";
import { verifyTrail } from "#lib/modules/audit/verify.ts";
import { cli } from "#test/kit/cli.ts";
import { handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";
import { verifies } from "#test/kit/verifies.ts";

const KEEP: Retention = { max_size_mb: 50, max_backups: 10, max_age_days: 90, compress: true };

function place(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), "proxy-audit-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return { dir, path: join(dir, "audit.log") };
}

const clock = handClock(Date.parse("2026-04-01T00:00:00Z"));
const open = (dir: string, path: string, keep: Partial<Retention> = {}, log = heardLog()) =>
  createAudit({
    sink: { to: "file", path },
    dataDir: dir,
    retention: () => ({ ...KEEP, ...keep }),
    clock,
    log,
  });

async function written(dir: string, path: string, n: number, keep: Partial<Retention> = {}) {
  const trail = open(dir, path, keep);
  for (let i = 0; i < n; i++) trail.write({ event: "authz", decision: i % 2 ? "allow" : "deny", i });
  await trail.close();
}

const check = async (dir: string, path: string) => verifyTrail(path, await (await openHead(dir, false)).read());
const kinds = async (dir: string, path: string) => (await check(dir, path)).problems.map((p) => p.kind);

test("a copied data directory is verified by its own file, not by that of the original", async (t) => {
  const original = place(t).dir;
  await written(original, join(original, "audit", "audit.log"), 3);
  const copy = place(t).dir;
  cpSync(original, copy, { recursive: true });
  const file = join(copy, "audit", "audit.log");
  writeFileSync(file, readFileSync(file, "utf8").split("\n").slice(0, -2).join("\n").concat("\n"));

  const verify = (dir: string) => cli(["audit", "verify", "-d", dir], commands);
  const [whole, cut] = [await verify(original), await verify(copy)];

  assert.deepEqual([whole.code, cut.code], [0, 1]);
  assert.ok(cut.out.includes(`${file}: the log ends at line 3, but 4 lines were written`), cut.out);
});

test("a trail whose key is missing is reported so, never as one that was not begun", async (t) => {
  const { dir } = place(t);
  await written(dir, join(dir, "audit", "audit.log"), 3);
  rmSync(keyPath(dir));

  const { code, out, err } = await cli(["audit", "verify", "-d", dir], commands);

  assert.deepEqual([code, err], [1, ""]);
  assert.match(out, /audit\.key is missing/);
  assert.match(out, /4 line\(s\) in 1 file\(s\), 1 problem\(s\)/);
});

test("lines are numbered and chained over restarts, and a whole trail is found whole", async (t) => {
  const { dir, path } = place(t);
  await written(dir, path, 3);
  await written(dir, path, 2);

  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ seq, event, i }) => [seq, event, i]),
    [
      [1, "audit_start", undefined],
      [2, "authz", 0],
      [3, "authz", 1],
      [4, "authz", 2],
      [5, "audit_start", undefined],
      [6, "authz", 0],
      [7, "authz", 1],
    ],
  );
  assert.ok(lines.every(({ prev }, i) => prev === (i ? lines[i - 1].hash : "0".repeat(64))));
  assert.match(lines[0].ts, /^2026-04-01T00:00:00\.000000000Z$/);
  assert.deepEqual(await check(dir, path), { ok: true, lines: 7, files: 1, first: 1, last: 7, problems: [] });
});

const edit = (path: string, fn: (lines: string[]) => string[]) =>
  writeFileSync(path, `${fn(readFileSync(path, "utf8").trim().split("\n")).join("\n")}\n`);

test("every edit, deletion, addition, reordering and cut is found and named", async (t) => {
  const CASES: [what: string, fn: (lines: string[]) => string[], kind: string][] = [
    ["a word", (l) => l.with(3, l[3]!.replace("deny", "allow").replace('"allow","i":1', '"deny","i":1')), "altered"],
    ["a number", (l) => l.with(2, l[2]!.replace('"i":1', '"i":7')), "altered"],
    ["a space", (l) => l.with(2, l[2]!.replace('"i":1', '"i": 1')), "altered"],
    ["a line away", (l) => l.toSpliced(3, 1), "missing"],
    ["two lines away", (l) => l.toSpliced(3, 2), "missing"],
    ["two lines swapped", (l) => l.with(3, l[4]!).with(4, l[3]!), "missing"],
    ["a line twice", (l) => l.toSpliced(3, 0, l[3]!), "order"],
    ["a line of prose", (l) => l.toSpliced(3, 0, "all is well"), "altered"],
    ["the first line away", (l) => l.slice(1), "cut_off"],
    ["the last line away", (l) => l.slice(0, -1), "cut_off"],
    ["everything away", () => [], "cut_off"],
  ];
  for (const [what, fn, kind] of CASES) {
    const { dir, path } = place(t);
    await written(dir, path, 6);
    edit(path, fn);
    assert.ok((await kinds(dir, path)).includes(kind as never), `${what}: ${JSON.stringify(await kinds(dir, path))}`);
  }
});

test("a trail made anew by somebody without the key is found by the note of its end, and so is a note made anew", async (t) => {
  const { dir, path } = place(t);
  const other = place(t);
  await written(dir, path, 5);
  await written(other.dir, other.path, 5);
  const forged = readFileSync(other.path, "utf8").replaceAll('"decision":"deny"', '"decision":"deny"');
  writeFileSync(path, forged.split("\n").slice(0, 4).join("\n").concat("\n"));
  assert.deepEqual(await kinds(dir, path), ["cut_off"]);

  const head = JSON.parse(readFileSync(headPath(dir), "utf8"));
  writeFileSync(headPath(dir), JSON.stringify({ ...head, seq: 4, hash: JSON.parse(forged.split("\n")[3]!).hash }));
  assert.deepEqual(await kinds(dir, path), ["altered"]);
  rmSync(headPath(dir));
  assert.deepEqual(await kinds(dir, path), ["no_head"]);

  // What the next start chains on says for ever that something was not as it was left.
  await written(dir, path, 1);
  assert.deepEqual(await kinds(dir, path), ["noted"]);
});

test("a cut that the next start finds stays in the trail", async (t) => {
  const { dir, path } = place(t);
  await written(dir, path, 5);
  edit(path, (lines) => lines.slice(0, 3));
  await written(dir, path, 2);
  assert.deepEqual(await kinds(dir, path), ["missing", "noted"]);
  await written(dir, path, 2);
  assert.deepEqual(await kinds(dir, path), ["missing", "noted"]);
});

test("a line that a kill tore is taken back, and lines beyond what was noted are kept", async (t) => {
  const { dir, path } = place(t);
  await written(dir, path, 2);
  const early = readFileSync(headPath(dir));
  await written(dir, path, 2);
  writeFileSync(headPath(dir), early);
  writeFileSync(path, `${readFileSync(path, "utf8")}{"seq":7,"prev":"00`);

  await written(dir, path, 1);
  assert.deepEqual(await kinds(dir, path), []);
  assert.match(readFileSync(path, "utf8"), /"event":"audit_start","torn_bytes":19/);
});

for (const packed of [false, true])
  test(`a kill after a full file was ${packed ? "packed" : "put aside"}, before the next has a line, breaks nothing, and hides no cut`, async (t) => {
    const { dir, path } = place(t);
    await written(dir, path, 2);
    const early = readFileSync(headPath(dir));
    await written(dir, path, 3);
    writeFileSync(headPath(dir), early);
    const lines = readFileSync(path);
    rmSync(path);
    const aside = `${path}.000000000001${packed ? ".gz" : ""}`;
    const put = (bytes: Buffer) => writeFileSync(aside, packed ? gzipSync(bytes) : bytes);
    put(lines);

    await written(dir, path, 1);
    assert.deepEqual(await check(dir, path), { ok: true, lines: 9, files: 2, first: 1, last: 9, problems: [] });

    rmSync(path);
    put(lines.subarray(0, lines.lastIndexOf("\n", lines.length - 2) + 1));
    await written(dir, path, 1);
    assert.deepEqual(await kinds(dir, path), ["missing", "noted"]);
  });

test("a line that is chained but no JSON is found, not stumbled over", async (t) => {
  const { dir, path } = place(t);
  await written(dir, path, 1);
  const { seq, hash } = linkOf(readFileSync(path, "utf8").trim().split("\n").at(-1)!) as Link;
  const text = `{"seq":${seq + 1},"prev":"${hash}","event":"audit_start",`;
  writeFileSync(path, `${text},"hash":"${sha256("sha256", text)}"}\n`, { flag: "a" });
  assert.deepEqual(await kinds(dir, path), ["noted"]);
});

verifies(
  ["audit.rotation", "limit.audit"],
  "a full file is put aside and packed; as many as asked are kept; what went is not missed, what was taken is",
  async (t) => {
    const { dir, path } = place(t);
    const keep = { max_size_mb: 0.0005, max_backups: 3 };
    for (let i = 0; i < 8; i++) await written(dir, path, 3, keep);

    const names = readdirSync(dir).filter((name) => name.startsWith("audit.log."));
    assert.equal(names.length, 3);
    assert.ok(names.every((name) => /^audit\.log\.\d{12}\.gz$/.test(name)));
    const whole = await check(dir, path);
    assert.deepEqual([whole.ok, whole.files], [true, 4]);
    assert.ok(whole.first! > 1);

    const [oldest, middle] = names.sort();
    const bytes = readFileSync(join(dir, middle!));
    assert.equal(JSON.parse(gunzipSync(bytes).toString().split("\n")[0]!).seq, Number(middle!.split(".")[2]));
    rmSync(join(dir, middle!));
    assert.deepEqual(await kinds(dir, path), ["missing"]);
    writeFileSync(join(dir, middle!), bytes.subarray(0, bytes.length - 20));
    assert.ok((await kinds(dir, path)).includes("altered"));
    writeFileSync(join(dir, middle!), bytes);
    rmSync(join(dir, oldest!));
    assert.deepEqual(await kinds(dir, path), ["cut_off"]);
  },
);

test("a disk that refuses stops nobody: lines wait, what is given up is counted and said, and all is well afterwards", async (t) => {
  const { dir } = place(t);
  const path = join(dir, "away", "audit.log");
  writeFileSync(join(dir, "away"), "in the way");
  const log = heardLog();
  const trail = open(dir, path, {}, log);
  for (let i = 0; i < 50_010; i++) trail.write({ event: "authz", i });
  await trail.close();
  const { failing, waiting, lost } = trail.status();
  assert.match(failing ?? "", /EEXIST|ENOTDIR/);
  assert.deepEqual([waiting, lost], [50_000, 10]);

  rmSync(join(dir, "away"));
  await trail.close();
  assert.deepEqual(trail.status(), { lines: 50_002, waiting: 0, lost: 10 });
  assert.match(readFileSync(path, "utf8"), /"event":"audit_lost","lines":10/);
  assert.deepEqual(await kinds(dir, path), []);
});

test("a trail that goes to another file says from where it came, and is whole by itself", async (t) => {
  const { dir, path } = place(t);
  await written(dir, path, 2);
  const next = join(dir, "next.log");
  await written(dir, next, 2);
  assert.match(readFileSync(next, "utf8"), /^\{"seq":4,.*"moved_from":"/);
  assert.deepEqual(await kinds(dir, next), []);
});
