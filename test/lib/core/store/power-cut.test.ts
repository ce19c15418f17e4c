import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DATABASE_FILE, openStore } from "#lib/core/store/open-store.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";
import { recordedDisk } from "#test/kit/power-cut.ts";
import { activityRecord, temporaryFolder, testStore } from "#test/kit/store.ts";
import { until } from "#test/kit/upstream.ts";

const CUTS = Number(process.env.STORE_POWER_CUTS ?? 40);
const RECORDS = 1500;

test(`a power cut at any moment loses nothing that was acknowledged (${CUTS} cuts)`, async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const disk = recordedDisk(dir);
  await fill(dir, disk);
  const { DatabaseSync } = await loadSqlite();

  for (let i = 0; i < CUTS; i++) {
    const into = mkdtempSync(join(dir, "cut-"));
    const acknowledged = disk.cut(Math.ceil(Math.random() * disk.ops.length), into, Math.random);

    const store = await openStore({ dir: into, clock: handClock(), log: heardLog() });
    const { total } = await store.activity.select({}, { limit: 1 });
    const marked = Number(store.meta.get("last") ?? 0);
    await store.close();
    const db = new DatabaseSync(join(into, DATABASE_FILE));
    const integrity = db.prepare("PRAGMA integrity_check").get()?.integrity_check;
    db.close();

    assert.equal(integrity, "ok");
    assert.ok(total >= acknowledged, `${acknowledged} were acknowledged, ${total} are left`);
    assert.ok(marked <= total, "a later write is there without an earlier one");
    rmSync(into, { recursive: true });
  }
  const syncs = disk.ops.filter((op) => op.do === "sync").length;
  t.diagnostic(`${disk.ops.length} calls of the disk, ${syncs} of them syncs`);
});

test("what is acknowledged after a failed sync does not stand on what that sync lost", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const disk = recordedDisk(dir);
  const store = await testStore(t, { dir, files: disk });
  await store.meta.set("first", 1);
  disk.broken = true;
  await assert.rejects(store.activity.add(activityRecord({ response: "x".repeat(50_000) })), { code: "disk_failed" });
  disk.broken = false;
  await store.meta.set("second", 2);
  const into = join(dir, "cut");
  mkdirSync(into);

  // Nothing that was not synced survives.
  disk.cut(disk.ops.length, into, () => 0);

  const left = await testStore(t, { dir: into });
  assert.deepEqual([left.meta.get("first"), left.meta.get("second")], [1, 2]);
});

/** Records of up to 8 KiB in groups of up to 30, with pauses for checkpoints; each acknowledgement is noted. */
async function fill(dir: string, disk: ReturnType<typeof recordedDisk>) {
  const store = await openStore({
    dir,
    clock: handClock(),
    log: heardLog(),
    files: disk,
    sqlite: await loadSqlite(disk),
  });
  const created = disk.ops.find((op) => op.do === "create" && op.path === join(dir, DATABASE_FILE));
  const inode = created?.do === "create" ? created.inode : 0;
  const checkpoints = () => disk.ops.filter((op) => op.do === "sync" && op.inode === inode).length;
  let [n, pauseAt, seen] = [0, 300, 0];
  while (n < RECORDS) {
    if (n >= pauseAt) {
      await until("the queue has copied the journal", () => checkpoints() > seen);
      [pauseAt, seen] = [n + 300, checkpoints()];
    }

    const group = Array.from({ length: 1 + Math.floor(Math.random() * 30) }, () => {
      const number = ++n;
      const response = "x".repeat(Math.floor(Math.random() * 8192));
      return store.activity.add(activityRecord({ at: number, response })).then(() => disk.note(number));
    });
    await Promise.all([...group, store.meta.set("last", n)]);
  }
  await store.close();
}
