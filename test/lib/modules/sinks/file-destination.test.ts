import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { SinkConfig } from "#lib/modules/sinks/config.ts";
import { openFileDestination } from "#lib/modules/sinks/file-destination.ts";
import type { SinkRecord } from "#lib/modules/sinks/sink-record.ts";
import { recordSinks } from "#lib/modules/sinks/state.ts";
import { withApp } from "#test/kit/app.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "sinks-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const record = (id: string, length = 0): SinkRecord => ({
  kind: "activity",
  id,
  at: 1,
  type: "tool_call",
  status: "success",
  line: JSON.stringify({ id, text: "x".repeat(length) }),
});
const signal = new AbortController().signal;
const open = (dataDir: string, settings: Partial<SinkConfig> = {}) =>
  openFileDestination({ config: { dataDir } as never }, {
    name: "archive",
    max_size_mb: 1,
    max_backups: 2,
    ...settings,
  } as SinkConfig);
const ids = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).id as string);

test("a full file is rotated, and only the configured number of files is kept", async (t) => {
  const dir = folder(t);
  const destination = await open(dir);
  for (const id of ["a", "b", "c", "d"]) await destination.deliver([record(id, 700_000)], signal);
  await destination.close();

  const path = join(dir, "sinks", "archive.jsonl");
  assert.deepEqual([path, `${path}.1`, `${path}.2`].map(ids), [["d"], ["c"], ["b"]]);
  assert.ok(!existsSync(`${path}.3`));
});

for (const [title, away] of [
  ["moved away by another program", (path: string) => renameSync(path, `${path}.old`)],
  ["deleted", (path: string) => rmSync(path)],
] as const)
  test(`records go to a new file when theirs was ${title}`, { skip: process.platform === "win32" }, async (t) => {
    const dir = folder(t);
    const path = join(dir, "x.jsonl");
    const destination = await open(dir, { path: "x.jsonl" });
    await destination.deliver([record("a")], signal);
    away(path);
    await destination.deliver([record("b")], signal);
    await destination.deliver([record("c")], signal);
    await destination.close();

    assert.deepEqual(ids(path), ["b", "c"]);
  });

test("an incomplete last line, which a power cut leaves, is removed before further ones are appended", async (t) => {
  const dir = folder(t);
  const path = join(dir, "x.jsonl");
  const rows: [before: string, after: string[]][] = [
    ['{"id":"a"}\n{"id":"b', ["a", "z"]],
    ['{"id":"a"}\n', ["a", "z"]],
    ['{"i', ["z"]],
    ["", ["z"]],
  ];
  for (const [before, after] of rows) {
    writeFileSync(path, before);
    const destination = await open(dir, { path: "x.jsonl" });
    await destination.deliver([record("z")], signal);
    await destination.close();

    assert.deepEqual(ids(path), after, JSON.stringify(before));
  }
  appendFileSync(path, "");
});

test("a full disk delays the records, not the calls, and is told", { skip: process.platform !== "linux" }, () =>
  withApp({ config: { sinks: [{ name: "archive", type: "file", path: "/dev/full" }] } }, async (app) => {
    await until("the sink begins", () => app.store.meta.get("sinks/archive") !== undefined);
    await app.store.activity.add(activityRecord());
    const state = async () => (await app.part(recordSinks).list())[0]!;
    await until("the failure", async () => (await state()).state === "failing");

    assert.match((await state()).problem!, /ENOSPC/);
    assert.ok((await state()).waiting >= 1);
  }),
);
