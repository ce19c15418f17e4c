import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connectDatabase } from "#lib/core/store/database-connection.ts";
import { DATABASE_FILE } from "#lib/core/store/open-store.ts";
import { type Files, hostFiles } from "#lib/sqlite/files.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { recordedDisk } from "#test/kit/power-cut.ts";
import { activityRecord, temporaryFolder, testStore } from "#test/kit/store.ts";
import { until } from "#test/kit/upstream.ts";

const STEPS = ["create table t (n integer primary key, text text) strict"];
const FILE = "test.db";

async function connected(t: TestContext, dir: string, files: Files) {
  const connection = connectDatabase({ file: join(dir, FILE), sqlite: await loadSqlite(files), files, steps: STEPS });
  t.after(() => connection.close());
  const put = (...rows: number[]) =>
    connection.write(() => {
      for (const n of rows) connection.prepare("insert into t values (?, ?)").run(n, "x".repeat(3000));
    });
  const rows = () => connection.read(() => connection.prepare("select count(*) as n from t").get()!.n);
  return { connection, put, rows };
}

/** A disk that notes the syncs, and whose later syncs can be held. */
function notedDisk() {
  const paths = new Map<number, string>();
  const calls: string[] = [];
  let held: Promise<void> | undefined;
  let letGo = () => {};
  const files: Files = {
    ...hostFiles,
    open(path, flags, mode) {
      const fd = hostFiles.open(path, flags, mode);
      paths.set(fd, path.endsWith("-wal") ? "journal" : path.endsWith(FILE) ? "database" : "other");
      return fd;
    },
    write(fd, ...rest) {
      calls.push(`write ${paths.get(fd)}`);
      return hostFiles.write(fd, ...rest);
    },
    sync(fd) {
      calls.push(`sync ${paths.get(fd)}`);
      hostFiles.sync(fd);
    },
    async syncLater(fd) {
      calls.push(`later ${paths.get(fd)}`);
      await held;
      await hostFiles.syncLater(fd);
    },
  };
  return {
    files,
    calls,
    hold() {
      held = new Promise((done) => {
        letGo = done;
      });
    },
    letGo: () => letGo(),
  };
}

test("a checkpoint waits for no sync: that of the database is in the thread pool", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const disk = notedDisk();
  const { connection, put } = await connected(t, dir, disk.files);
  put(1, 2, 3);
  assert.ok(connection.journalPages() >= 3);
  await connection.sync();
  disk.calls.length = 0;

  await connection.checkpoint();

  assert.deepEqual([...new Set(disk.calls)], ["write database", "later database"]);
  assert.equal(connection.journalPages(), 0);
});

test("a journal that is not on the disk yet is not copied", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const disk = notedDisk();
  const { connection, put } = await connected(t, dir, disk.files);
  put(1);
  disk.calls.length = 0;

  await connection.checkpoint();
  disk.hold();
  const syncing = connection.sync();
  put(2);
  disk.letGo();
  await syncing;
  await connection.checkpoint();

  assert.deepEqual([...new Set(disk.calls)], ["later journal", "write journal"]);
});

test("a write during a checkpoint's sync begins the journal anew only when the database is on the disk", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const disk = notedDisk();
  const { connection, put, rows } = await connected(t, dir, disk.files);
  put(1, 2, 3);
  await connection.sync();
  disk.hold();
  const copied = connection.checkpoint();
  disk.calls.length = 0;

  put(4);

  assert.equal(disk.calls[0], "sync database");
  assert.ok(disk.calls.includes("write journal"));
  disk.letGo();
  await copied;
  assert.equal(rows(), 4);
});

test("after a failed sync of the database, the journal still holds what was acknowledged", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const disk = recordedDisk(dir);
  const { connection, put } = await connected(t, dir, disk);
  put(1, 2, 3);
  await connection.sync();
  disk.broken = true;
  await assert.rejects(connection.checkpoint(), { code: "disk_failed" });
  const cuts: string[] = [];
  const cut = () => {
    const into = join(dir, `cut-${cuts.length}`);
    mkdirSync(into);
    // Nothing that was not synced survives.
    disk.cut(disk.ops.length, into, () => 0);
    cuts.push(into);
  };
  cut();
  disk.broken = false;
  put(4);
  await connection.sync();
  cut();

  const left = [];
  for (const into of cuts) left.push((await connected(t, into, hostFiles)).rows());

  assert.deepEqual(left, [3, 4]);
});

test("a database that is closed during such a failure is whole at the next start", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const disk = recordedDisk(dir);
  const { connection, put } = await connected(t, dir, disk);
  put(1, 2, 3);
  await connection.sync();
  disk.broken = true;
  const copied = assert.rejects(connection.checkpoint(), { code: "disk_failed" });
  connection.close();
  await copied;
  const into = join(dir, "cut");
  mkdirSync(into);

  disk.cut(disk.ops.length, into, () => 0);

  assert.equal((await connected(t, into, hostFiles)).rows(), 3);
});

test("the queue copies the journal once nothing is written for a while", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const disk = recordedDisk(dir);
  const store = await testStore(t, { dir, files: disk });
  const add = () => store.activity.add(activityRecord({ response: "x".repeat(8000) }));
  await Promise.all(Array.from({ length: 20 }, add));
  const file = join(dir, DATABASE_FILE);
  const created = disk.ops.flatMap((op) => (op.do === "create" && op.path === file ? [op.inode] : []));
  const copies = () => disk.ops.filter((op) => op.do === "sync" && op.inode === created[0]).length;
  const before = copies();

  await Promise.all(Array.from({ length: 150 }, add));

  await until("the database is synced", () => copies() > before);
});
