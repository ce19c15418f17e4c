import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { listAside } from "#lib/modules/audit/file.ts";
import { auditLog } from "#lib/modules/audit/state.ts";
import { auditSource } from "#lib/modules/sinks/audit-source.ts";
import { recordSinks } from "#lib/modules/sinks/state.ts";
import { type TestApp, testApp } from "#test/kit/app.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

async function opened(t: TestContext, config: object, dir?: string): Promise<TestApp> {
  const app = await testApp({ config: { ...config }, ...(dir !== undefined && { dir }) });
  t.after(() => app.close());
  return app;
}

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "sinks-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const signal = new AbortController().signal;

test("lines with the same number in the logs of two replicas have different ids, which stay the same", async (t) => {
  const ids: string[][] = [];
  for (const _ of [1, 2]) {
    const app = await opened(t, { audit_log: { path: "audit/audit.log" } });
    await write(app, 3);
    const start = { seq: 0, from: 0, offset: 0 };
    const idsIn = async () =>
      (await auditSource(app, app.part(auditLog).path!).read(start, 100, signal)).map(({ record }) => record.id);
    ids.push(await idsIn());
    assert.deepEqual(await idsIn(), ids.at(-1));
  }

  const [first, second] = ids as [string[], string[]];
  assert.ok(first.length >= 3);
  assert.deepEqual(
    first.filter((id) => second.includes(id)),
    [],
  );
});

const linesIn = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0);

/** Writes lines and waits until they are in the file. */
async function write(app: TestApp, count: number, text = "") {
  const trail = app.part(auditLog);
  const before = trail.status().lines;
  for (let i = 0; i < count; i++) trail.write({ event: "authz", decision: "allow", text });
  await until("the lines", () => trail.status().lines >= before + count);
}

for (const compress of [false, true])
  test(`lines of the audit log are read once each and in order, over rotated files (compressed: ${compress})`, async (t) => {
    const app = await opened(t, { audit_log: { path: "audit/audit.log", max_size_mb: 1, max_backups: 100, compress } });
    await write(app, 3);
    const source = auditSource(app, app.part(auditLog).path!);
    let mark = await source.newest();
    const first = (mark as { seq: number }).seq + 1;
    const seen: number[] = [];
    const take = async (limit: number) => {
      for (;;) {
        const records = await source.read(mark, limit, signal);
        if (records.length === 0) return;
        assert.ok(records.length <= limit);
        // Only a part of the batch is acknowledged, as when a delivery fails in the middle.
        const acknowledged = records.slice(0, Math.ceil(records.length / 2));
        seen.push(...acknowledged.map(({ record }) => JSON.parse(record.line).seq));
        mark = JSON.parse(JSON.stringify(acknowledged.at(-1)!.mark));
      }
    };

    for (let round = 0; round < 4; round++) {
      await write(app, 20, "x".repeat(60_000));
      if (round !== 1) await take(7);
    }

    assert.ok((await listAside(app.part(auditLog).path!)).length >= 3, "the file was rotated");
    const last = first + 79;
    assert.deepEqual(
      seen,
      Array.from({ length: last - first + 1 }, (_, i) => first + i),
    );
    assert.equal(await source.waiting(mark), 0);
  });

test("lines of files that were deleted before they were read are counted as missing", async (t) => {
  const app = await opened(t, { audit_log: { path: "audit/audit.log", max_size_mb: 1, max_backups: 1 } });
  await write(app, 3);
  const source = auditSource(app, app.part(auditLog).path!);
  const mark = await source.newest();
  for (let batch = 0; batch < 5; batch++) await write(app, 20, "x".repeat(60_000));

  let [after, missing, read]: [unknown, number, number] = [mark, 0, 0];
  for (;;) {
    const records = await source.read(after, 10, signal);
    if (records.length === 0) break;
    read += records.length;
    for (const one of records) missing += one.missing;
    after = records.at(-1)!.mark;
  }

  assert.ok(missing > 0);
  assert.equal(missing + read, 100);
});

test("a file sink receives the lines of the audit log unchanged, also those written while it was closed", async (t) => {
  const dir = folder(t);
  const config = {
    audit_log: { enabled: true },
    sinks: [{ name: "copy", type: "file", path: "copy.jsonl", records: ["audit"] }],
  };
  const first = await opened(t, config, dir);
  await until("the sink begins", () => first.store.meta.get("sinks/copy") !== undefined);
  await write(first, 5);
  await first.close();
  const second = await opened(t, config, dir);
  await write(second, 5);

  const path = join(dir, "audit", "audit.log");
  await until("all lines", () => linesIn(join(dir, "copy.jsonl")) >= 10);
  await until("nothing waits", async () => (await second.part(recordSinks).list())[0]!.waiting === 0);
  const original = readFileSync(path, "utf8");
  assert.ok(original.endsWith(readFileSync(join(dir, "copy.jsonl"), "utf8")));
});

const copying = (path?: string) => ({
  ...(path !== undefined && { audit_log: { path, max_size_mb: 1 } }),
  sinks: [{ name: "copy", type: "file", path: "copy.jsonl", records: ["audit"] }],
});

/** Runs a sink until it has delivered a line; nothing is left at the path of its file. */
async function begun(t: TestContext, path: string, dir: string): Promise<void> {
  const app = await opened(t, copying(path), dir);
  await until("the sink begins", () => app.store.meta.get("sinks/copy") !== undefined);
  await write(app, 1);
  await until("a delivery", async () => (await app.part(recordSinks).list())[0]!.delivered > 0);
  await app.close();
  rmSync(join(dir, "copy.jsonl"));
}

for (const [title, paths] of [
  ["changed twice", ["a/audit.log", "b/audit.log", "c/audit.log"]],
  ["changed and back", ["a/audit.log", "b/audit.log", "a/audit.log"]],
] as const)
  test(`lines that waited when the path of the log was ${title} are delivered, from all its files`, async (t) => {
    const dir = folder(t);
    await begun(t, paths[0], dir);
    const seqs = () =>
      readFileSync(join(dir, "copy.jsonl"), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line).seq as number);
    for (const path of paths) {
      // A folder at the path of the copy: nothing is delivered.
      mkdirSync(join(dir, "copy.jsonl"));
      const app = await opened(t, copying(path), dir);
      // A full file is rotated, so lines wait in rotated files, too.
      for (let batch = 0; batch < 2; batch++) await write(app, 20, "x".repeat(60_000));
      await write(app, 3);
      await app.close();
      rmSync(join(dir, "copy.jsonl"), { recursive: true });
    }

    const last = await opened(t, copying(paths.at(-1)), dir);
    await write(last, 1);
    const state = async () => (await last.part(recordSinks).list())[0]!;
    await until("nothing waits", async () => (await state()).waiting === 0 && existsSync(join(dir, "copy.jsonl")));

    const all = seqs();
    assert.ok(all.length > 40 * paths.length);
    assert.deepEqual(
      all,
      all.map((_, i) => all[0]! + i),
    );
    assert.equal((await state()).lost, 0);
  });

test("lines of a former file that is gone are counted as lost", async (t) => {
  const dir = folder(t);
  await begun(t, "a/audit.log", dir);
  mkdirSync(join(dir, "copy.jsonl"));
  const second = await opened(t, copying("a/audit.log"), dir);
  await write(second, 5);
  await second.close();
  rmSync(join(dir, "copy.jsonl"), { recursive: true });
  rmSync(join(dir, "a"), { recursive: true });

  const third = await opened(t, copying("b/audit.log"), dir);
  await until("the loss", async () => (await third.part(recordSinks).list())[0]!.lost >= 5);
});

test("after the log is switched off, the sink still has a state, which says what to set", async (t) => {
  const dir = folder(t);
  await begun(t, "a/audit.log", dir);

  const second = await opened(t, copying(), dir);
  const state = async () => (await second.part(recordSinks).list())[0]!;
  await until("the failure", async () => (await state()).state === "failing");

  assert.match((await state()).problem!, /audit_log\.path/);
});

test("without an audit log in a file, the sink delivers the activity and says what to set", async (t) => {
  const sinks = [{ name: "copy", type: "file", path: "copy.jsonl", records: ["activity", "audit"] }];
  const app = await opened(t, { sinks });
  const state = async () => (await app.part(recordSinks).list())[0]!;
  await until("the sink begins", () => app.store.meta.get("sinks/copy") !== undefined);
  await app.store.activity.add(activityRecord({ id: "a" }));
  await until("the record", () => linesIn(join(app.dir, "copy.jsonl")) > 0);

  const { state: is, problem } = await state();
  assert.deepEqual([is, /audit_log\.path/.test(problem!)], ["failing", true]);
});
