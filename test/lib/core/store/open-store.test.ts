import assert from "node:assert/strict";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { DATABASE_MARKER_FILE } from "#lib/core/store/database-identity.ts";
import { DATABASE_FILE, openStore, type StoreOptions } from "#lib/core/store/open-store.ts";
import type { Store } from "#lib/core/store/store.ts";
import { handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";
import { ENGINES } from "#test/kit/sqlite.ts";
import { activityRecord, approvalRow, faultyFiles, putApprovals, temporaryFolder, testStore } from "#test/kit/store.ts";

const open = (t: TestContext, dir: string, options: Partial<StoreOptions> = {}) => testStore(t, { dir, ...options });
const folder = (t: TestContext) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  return dir;
};

for (const { name, load } of ENGINES)
  describe(`a store on ${name}`, () => {
    test("what was acknowledged is there after it is opened again", async (t) => {
      const dir = folder(t);
      const sqlite = await load();
      const record = activityRecord({
        arguments: { a: [1, null] },
        response: "é",
        response_truncated: false,
        metadata: { m: 1 },
      });
      const session = {
        id: "s",
        status: "active" as const,
        client_name: "c",
        client_version: "1",
        mode: "all",
        actor: "a",
        started_at: 1,
        last_active_at: 2,
        tool_calls: 3,
      };
      const approval = approvalRow("git", "log", {
        status: "approved",
        approvedHash: "h",
        approvedAt: 5,
        approvedBy: "admin",
      });
      const fill = async (store: Store) => {
        await putApprovals(store.approvals, [approval]);
        await store.activity.add(record);
        await store.sessions.put(session);
        await store.usage.count("git:log", 1_700_000_000_000);
        await store.meta.set("k", { v: [1] });
      };
      const first = await openStore({ dir, clock: handClock(), log: heardLog(), sqlite });
      await fill(first);
      await first.close();

      const store = await open(t, dir, { sqlite });

      assert.deepEqual(store.approvals.all(), [approval]);
      assert.deepEqual(await store.activity.get(record.id), record);
      assert.deepEqual(await store.sessions.get("s"), session);
      assert.deepEqual(store.usage.last30Days("git:log", 1_700_000_000_001), { count: 1, lastUsed: 1_700_000_000_000 });
      assert.deepEqual(store.meta.get("k"), { v: [1] });
      assert.equal(store.meta.get("other"), undefined);
    });
  });

test("what one engine wrote the other reads", async (t) => {
  if (ENGINES.length < 2) return t.skip("this Node has no node:sqlite to compare with");
  const dir = folder(t);
  for (let round = 0; round < 4; round++) {
    const store = await openStore({
      dir,
      clock: handClock(),
      log: heardLog(),
      sqlite: await ENGINES[round % 2]!.load(),
    });
    await store.activity.add(activityRecord({ id: `round${round}` }));
    assert.equal((await store.activity.select({}, { limit: 10 })).total, round + 1);
    await store.close();
  }
});

test("the data directory and the database are for their owner only", async (t) => {
  if (process.platform === "win32") return t.skip("no modes on Windows");
  const dir = join(folder(t), "deep/er");
  await open(t, dir);

  assert.equal(statSync(dir).mode & 0o777, 0o700);
  assert.equal(statSync(join(dir, DATABASE_FILE)).mode & 0o777, 0o600);
  assert.equal(statSync(join(dir, `${DATABASE_FILE}-wal`)).mode & 0o777, 0o600);
});

test("after it is closed nothing but the database, its marker and the lock is left, and nothing is accepted", async (t) => {
  const dir = folder(t);
  const store = await open(t, dir);
  const late = store.meta.set("k", 1);
  await store.close();

  await late;
  assert.deepEqual(
    readdirSync(dir)
      .filter((f) => !/^lock\./.test(f))
      .sort(),
    [DATABASE_MARKER_FILE, DATABASE_FILE],
  );
  await assert.rejects(store.meta.set("k", 2), { code: "disk_failed" });
  await assert.rejects(async () => await store.activity.select({}, { limit: 1 }), { code: "disk_failed" });
});

test("closing twice is closing once", async (t) => {
  const store = await open(t, folder(t));

  await Promise.all([store.close(), store.close()]);
});

test("a read-only directory is refused by name", async (t) => {
  const dir = folder(t);
  const files = faultyFiles();
  files.fail = { on: ["open", "write"], code: "EROFS" };

  await assert.rejects(open(t, dir, { files }), (error: Error & { code?: string }) => {
    assert.equal(error.code, "disk_failed");
    assert.ok(error.message.includes(dir) && error.message.includes("EROFS"), error.message);
    return true;
  });
  files.fail = undefined;
  await open(t, dir, { files });
});

test("a data directory that is a file is refused by name", async (t) => {
  const file = join(folder(t), "file");
  writeFileSync(file, "");

  await assert.rejects(open(t, file), { code: "disk_failed", message: new RegExp(file) });
});

test("a second opener is refused while the first one lives, and not after (spec 001 §7)", async (t) => {
  const dir = folder(t);
  const first = await open(t, dir);

  await assert.rejects(open(t, dir), { code: "database_locked", message: new RegExp(dir) });
  await first.close();
  await open(t, dir);
});

test("a file that is no database is refused, and left as it is", async (t) => {
  const dir = folder(t);
  const junk = "no database ".repeat(1000);
  writeFileSync(join(dir, DATABASE_FILE), junk);

  await assert.rejects(open(t, dir), { code: "database_damaged", message: new RegExp(`${dir}.*move it away`) });
  assert.equal(statSync(join(dir, DATABASE_FILE)).size, junk.length);
});

test("a refused store gives the directory free again", async (t) => {
  const dir = folder(t);
  writeFileSync(join(dir, DATABASE_FILE), "no database ".repeat(1000));
  await assert.rejects(open(t, dir), { code: "database_damaged" });
  writeFileSync(join(dir, DATABASE_FILE), "");

  await open(t, dir);
});
