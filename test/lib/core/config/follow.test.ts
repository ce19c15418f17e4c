import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "#test/kit/until.ts";
import { folder, type Opened, opened } from "./opened.ts";

const FILE = '{"api_key":"k","tools_limit":20}';

/** Lets the poll and the quiet time pass until something is so. */
const comes = (o: Opened, what: string, so: () => boolean) => until(what, so, () => o.clock.advance(2400));
const kinds = (o: Opened) => o.events.map((e) => e.kind);

test("an edit by hand is taken over, listeners and event stream are told", async (t) => {
  const o = await opened(t, FILE);
  const seen: number[] = [];
  o.config.onChange((next) => seen.push(next.tools_limit));

  writeFileSync(o.path, FILE.replace("20", "21"));
  await comes(o, "the edit", () => o.config.current().tools_limit === 21);

  assert.deepEqual(seen, [21]);
  assert.deepEqual(kinds(o), ["config.reloaded"]);
  assert.ok(
    o.log.lines.some((line) => line.includes('changed="[\\"tools_limit\\"]"')),
    o.log.lines.join("\n"),
  );
});

test("the folder is watched: an edit is seen without waiting for the poll", async (t) => {
  const o = await opened(t, FILE);

  writeFileSync(o.path, FILE.replace("20", "21"));
  // 300 ms of quiet pass on the clock, never the 2 s of the poll.
  let passed = 0;
  await until(
    "the edit",
    () => o.config.current().tools_limit === 21,
    async () => {
      passed += 20;
      await o.clock.advance(20);
    },
  );

  assert.ok(passed < 2000, `${passed} ms`);
});

test("a file replaced by an editor is seen, again and again", async (t) => {
  const o = await opened(t, FILE);

  for (const limit of [21, 22, 23]) {
    writeFileSync(join(o.dir, "new.json"), FILE.replace("20", String(limit)));
    renameSync(join(o.dir, "new.json"), o.path);
    await comes(o, `edit ${limit}`, () => o.config.current().tools_limit === limit);
  }

  assert.deepEqual(kinds(o), ["config.reloaded", "config.reloaded", "config.reloaded"]);
});

test("where the system tells of nothing, as behind a symbolic link, the poll sees the edit", {
  skip: process.platform === "win32" && "needs links",
}, async (t) => {
  const dir = folder();
  mkdirSync(join(dir, "v1"));
  mkdirSync(join(dir, "v2"));
  writeFileSync(join(dir, "v1", "c.json"), FILE, { mode: 0o600 });
  writeFileSync(join(dir, "v2", "c.json"), FILE.replace("20", "22"), { mode: 0o600 });
  mkdirSync(join(dir, "conf"));
  symlinkSync("v1", join(dir, "data"));
  symlinkSync("../data/c.json", join(dir, "conf", "mcp_config.json"));
  const o = await opened(t, undefined, { dir: join(dir, "conf") });
  await o.clock.advance(2000);

  writeFileSync(join(dir, "v1", "c.json"), FILE.replace("20", "21"));
  await comes(o, "the edit of what the link leads to", () => o.config.current().tools_limit === 21);

  // As a cluster mounts a new version of a file: the link in between changes, the old folder goes.
  symlinkSync("v2", join(dir, "data.new"));
  renameSync(join(dir, "data.new"), join(dir, "data"));
  rmSync(join(dir, "v1"), { recursive: true });
  await comes(o, "the new version", () => o.config.current().tools_limit === 22);
});

test("a broken edit keeps the last good settings, is told once, and clears when mended", async (t) => {
  const o = await opened(t, FILE);

  writeFileSync(o.path, '{"api_key":"k",\n"tools_limit":0}');
  await comes(o, "the refusal", () => o.config.problem() !== undefined);
  await o.clock.advance(10_000);

  assert.match(o.config.problem() ?? "", /mcp_config\.json:2: tools_limit: must be a whole number from 1 to 1000$/);
  assert.equal(o.config.current().tools_limit, 20);
  assert.deepEqual(kinds(o), ["config.problem"]);
  assert.equal(o.log.lines.filter((line) => line.includes("keeps its current settings")).length, 1);

  writeFileSync(o.path, FILE.replace("20", "22"));
  await comes(o, "the mending", () => o.config.current().tools_limit === 22);
  assert.equal(o.config.problem(), undefined);
  assert.deepEqual(kinds(o), ["config.problem", "config.reloaded"]);
});

test("a broken edit taken back clears too", async (t) => {
  const o = await opened(t, FILE);

  writeFileSync(o.path, "{");
  await comes(o, "the refusal", () => o.config.problem() !== undefined);
  writeFileSync(o.path, FILE);
  await comes(o, "the mending", () => o.config.problem() === undefined);

  assert.deepEqual(kinds(o), ["config.problem", "config.reloaded"]);
});

test("a file that is gone keeps the settings, and is told", async (t) => {
  const o = await opened(t, FILE);

  rmSync(o.path);
  await comes(o, "the refusal", () => o.config.problem() !== undefined);

  assert.match(o.config.problem() ?? "", /is missing/);
  assert.equal(o.config.current().tools_limit, 20);
});

test("a file emptied in the middle of saving is not taken for one without settings", async (t) => {
  const o = await opened(t, FILE);

  writeFileSync(o.path, "");
  await comes(o, "the refusal", () => o.config.problem() !== undefined);

  assert.match(o.config.problem() ?? "", /is empty/);
  assert.equal(o.config.current().tools_limit, 20);
});

test("what the program writes itself is no edit", async (t) => {
  const o = await opened(t, FILE);

  await o.config.update((d) => Object.assign(d, { tools_limit: 30 }), "test");
  for (let i = 0; i < 5; i++) await o.clock.advance(2400);

  assert.deepEqual(kinds(o), ["config.saved", "config.reloaded"]);
  assert.deepEqual(o.events[1]?.data, { path: o.path, cause: "saved" });
});

test("a file that is only touched is no edit", async (t) => {
  const o = await opened(t, FILE);
  const before = o.config.current();

  utimesSync(o.path, new Date(), new Date(statSync(o.path).mtimeMs + 5000));
  for (let i = 0; i < 5; i++) await o.clock.advance(2400);

  assert.equal(o.config.current(), before);
  assert.deepEqual(o.events, []);
});

test("a restart-gated edit by hand waits for the restart", async (t) => {
  const o = await opened(t, FILE);

  writeFileSync(o.path, '{"api_key":"k","tools_limit":21,"listen":":9"}');
  await comes(o, "the edit", () => o.config.current().tools_limit === 21);

  assert.deepEqual([o.config.current().listen, o.config.pendingRestart()], ["127.0.0.1:8080", ["listen"]]);
  assert.ok(o.log.lines.some((line) => line.includes("after_restart")));
});

test("nothing is followed any more after close", async (t) => {
  const o = await opened(t, FILE);

  await o.config.close();
  writeFileSync(o.path, FILE.replace("20", "21"));
  for (let i = 0; i < 3; i++) await o.clock.advance(2400);

  assert.equal(o.config.current().tools_limit, 20);
});
