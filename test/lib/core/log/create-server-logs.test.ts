import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createServerLogs, type ServerLogsOptions, serverLogName } from "#lib/core/log/create-server-logs.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";
import { verifies } from "#test/kit/verifies.ts";

const START = Date.UTC(2026, 10, 21, 1, 2, 3, 456);

function made(t: TestContext, options: Partial<ServerLogsOptions> = {}) {
  const parent = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  const dir = join(parent, "logs");
  const clock: HandClock = handClock(START);
  const log = heardLog();
  const logs = createServerLogs({ dir, clock, scrub: (text) => text, maxSizeMb: 1, maxBackups: 2, log, ...options });
  t.after(() => logs.close());
  const read = (server: string) => readFileSync(join(dir, serverLogName(server)), "utf8");
  return { dir, clock, log, logs, read };
}

test("lines are written behind, one each, with time and level", async (t) => {
  const { logs, read, dir, clock } = made(t);

  logs.write("git", "info", "started");
  logs.write("git", "error", "broke\r\nbadly\n");
  assert.ok(!existsSync(dir));
  await clock.advance(100);
  await logs.close();

  assert.equal(
    read("git"),
    "2026-11-21T01:02:03.456Z INFO started\n2026-11-21T01:02:03.456Z ERROR broke\n2026-11-21T01:02:03.456Z ERROR badly\n",
  );
  if (process.platform !== "win32")
    assert.deepEqual(
      [statSync(dir).mode & 0o777, statSync(join(dir, serverLogName("git"))).mode & 0o777],
      [0o700, 0o600],
    );
});

verifies("rest.redact.logs", "lines are scrubbed and made plain before they reach the disk", async (t) => {
  const { logs, read } = made(t, { scrub: (text) => text.replaceAll("s3cret", "****") });

  logs.write("git", "info", "token s3cret \u001b[31mred\u001b[0m\u0007");
  await logs.close();

  assert.match(read("git"), / INFO token \*\*\*\* red\\x07\n$/);
});

test("the last lines come oldest first, with what was written a moment ago", async (t) => {
  const { logs } = made(t);
  for (let i = 0; i < 1000; i++) logs.write("git", "warn", `line ${i}`);

  const lines = await logs.tail("git", 3);

  const timestamp = "2026-11-21T01:02:03.456Z";
  assert.deepEqual(
    lines,
    [997, 998, 999].map((i) => ({ timestamp, level: "warn", message: `line ${i}` })),
  );
  assert.equal((await logs.tail("git", 5000)).length, 1000);
  assert.deepEqual(await logs.tail("git", 0), []);
  assert.deepEqual(await logs.tail("git", -1), []);
  assert.deepEqual(await logs.tail("nobody", 10), []);
});

test("the tail of a huge file is read from its end, and whole lines and characters only", async (t) => {
  const { logs, dir } = made(t, { maxSizeMb: 1000 });
  mkdirSync(dir);
  const message = "é✓".repeat(250);
  writeFileSync(join(dir, serverLogName("git")), `2026-11-21T01:02:03.456Z INFO ${message}\n`.repeat(20_000));

  const begun = performance.now();
  const lines = await logs.tail("git", 2);
  assert.ok(performance.now() - begun < 10_000);
  assert.deepEqual(
    lines.map((l) => l.message),
    [message, message],
  );

  const many = await logs.tail("git", 10_000);
  assert.ok(many.length > 5000 && many.length < 10_000, `${many.length} lines of at most 8 MiB`);
  assert.ok(many.every((l) => l.message === message && l.timestamp !== ""));
});

test("a full file is put aside, as many as are kept, and the tail goes on into them", async (t) => {
  const { logs, dir, clock } = made(t);
  const text = "x".repeat(1000);

  for (let i = 0; i < 40; i++) {
    for (let j = 0; j < 100; j++) logs.write("git", "info", `${i * 100 + j} ${text}`);
    await clock.advance(100);
    await logs.tail("git", 0);
  }

  const files = readdirSync(dir).sort();
  assert.deepEqual(files, ["server-git.log", "server-git.log.1", "server-git.log.2"]);
  for (const file of files) assert.ok(statSync(join(dir, file)).size <= 1024 * 1024 + 200, file);
  const lines = await logs.tail("git", 2000);
  const numbers = lines.map((l) => Number(l.message.split(" ")[0]));
  assert.deepEqual(
    numbers,
    Array.from({ length: 2000 }, (_, i) => 2000 + i),
  );
});

test("with no backups a full file is begun anew", async (t) => {
  const { logs, dir } = made(t, { maxBackups: 0 });

  for (let i = 0; i < 12; i++) {
    for (let j = 0; j < 100; j++) logs.write("git", "info", "x".repeat(1000));
    await logs.tail("git", 0);
  }

  assert.deepEqual(readdirSync(dir), ["server-git.log"]);
  assert.ok(statSync(join(dir, "server-git.log")).size < 1024 * 1024);
});

test("a flood loses lines, not memory, and says how many; other servers lose none", async (t) => {
  const { logs, read } = made(t, { maxSizeMb: 100 });
  const before = process.memoryUsage().heapUsed;

  for (let i = 0; i < 200_000; i++) logs.write("loud", "info", `${i} ${"x".repeat(500)}`);
  for (let i = 0; i < 100; i++) logs.write("quiet", "info", `line ${i}`);
  assert.ok(process.memoryUsage().heapUsed - before < 80_000_000);
  const lost = (await logs.tail("loud", 1))[0]!;

  const kept = read("loud").split("\n").length - 2;
  assert.equal(lost.message, `… ${200_000 - kept} lines dropped`);
  assert.ok(kept > 100 && read("loud").length < 400_000);
  assert.equal((await logs.tail("quiet", 1000)).length, 100);
  logs.write("loud", "info", "calm again");
  assert.equal((await logs.tail("loud", 1))[0]!.message, "calm again");
});

test("among a thousand servers that come and go, no line of any is lost", async (t) => {
  const { logs, dir, read, clock } = made(t);
  const names = Array.from({ length: 1000 }, (_, i) => `server-${i}`);

  for (const round of ["first", "second"]) {
    for (const name of names) logs.write(name, "info", round);
    for (const name of names.slice(0, 300)) await logs.tail(name, 1);
    await clock.advance(100);
  }
  await Promise.all(names.map((name) => logs.tail(name, 1)));

  assert.equal(readdirSync(dir).length, names.length);
  for (const name of names) assert.deepEqual(read(name).match(/first|second/g), ["first", "second"], name);
});

test("a disk that refuses is told of once, and again after it had worked", async (t) => {
  const { logs, dir, log, read } = made(t);
  writeFileSync(dir, "a file where the folder should be");

  for (let i = 0; i < 5; i++) {
    logs.write("git", "info", "lost");
    await logs.tail("git", 0);
  }
  assert.equal(log.lines.filter((line) => line.includes('the log of server "git" cannot be written')).length, 1);

  rmSync(dir);
  logs.write("git", "info", "kept");
  await logs.tail("git", 0);
  assert.match(read("git"), /INFO kept\n$/);
});

test("every server has a file of its own inside the folder, whatever its name", async (t) => {
  const names = [
    "git",
    "Git",
    "GIT",
    "a/b",
    "a_b",
    "..",
    "../../etc/passwd",
    "a b",
    "a:b",
    ".hidden",
    "con",
    "x".repeat(128),
    "X".repeat(128),
    "é",
    "e\u0301",
    "a.log.1",
    "git~1",
    "__proto__",
    "",
    "a\u0000b",
  ];
  const files = names.map((name) => serverLogName(name).toLowerCase());

  assert.equal(new Set(files).size, names.length);
  for (const file of files) assert.match(file, /^server-[a-z0-9_.~-]{1,120}\.log$/);
  const { logs, dir } = made(t);
  for (const name of names) logs.write(name, "info", `of ${name}`.replace("\u0000", ""));
  await logs.close();
  assert.equal(readdirSync(dir).length, names.length);
  assert.equal((await logs.tail("../../etc/passwd", 5))[0]?.message, "of ../../etc/passwd");
});

test("a line another program wrote is all message", async (t) => {
  const { logs, dir } = made(t);
  mkdirSync(dir);
  writeFileSync(join(dir, serverLogName("git")), "what is this\n2026-11-21T01:02:03.456Z WARN known\ncut off");

  assert.deepEqual(await logs.tail("git", 5), [
    { timestamp: "", level: "info", message: "what is this" },
    { timestamp: "2026-11-21T01:02:03.456Z", level: "warn", message: "known" },
    { timestamp: "", level: "info", message: "cut off" },
  ]);
});

test("that a log has grown is told once for what comes together, for each server", async (t) => {
  const told: string[] = [];
  const { logs, clock } = made(t, { onLines: (server) => told.push(server) });

  logs.write("git", "info", "one");
  logs.write("git", "info", "two");
  logs.write("web", "info", "one");
  assert.deepEqual(told, []);
  await clock.advance(500);
  assert.deepEqual(told, ["git", "web"]);
  logs.write("git", "info", "three");
  await clock.advance(500);
  assert.deepEqual(told, ["git", "web", "git"]);
  logs.write("git", "info", "four");
  await logs.close();
  await clock.advance(500);
  assert.deepEqual(told, ["git", "web", "git"]);
});
