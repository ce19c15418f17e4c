import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DATABASE_FILE } from "#lib/core/store/open-store.ts";
import {
  activityRecord,
  approvalRow,
  type FaultyFiles,
  faultyFiles,
  putApprovals,
  testStore,
} from "#test/kit/store.ts";

const big = "x".repeat(50_000);

/** What the disk refuses, and what it says. */
const FAILURES: NonNullable<FaultyFiles["fail"]>[] = [
  { on: ["write"], code: "ENOSPC" },
  { on: ["write"], code: "EIO" },
  { on: ["write"], code: "EFBIG" },
  { on: ["write", "open"], code: "EROFS" },
  { on: ["syncLater"], code: "EIO" },
  { on: ["write", "sync", "syncLater", "truncate"], code: "EDQUOT" },
];

for (const fail of FAILURES)
  test(`${fail.code} from ${fail.on.join(", ")}: writers are told, readers go on, and writing does when the disk does`, async (t) => {
    const files = faultyFiles();
    const store = await testStore(t, { files });
    await putApprovals(store.approvals, [approvalRow("git", "log")]);
    await store.activity.add(activityRecord({ id: "before" }));
    files.fail = fail;

    const refused = await Promise.allSettled([
      store.activity.add(activityRecord({ id: "lost", response: big })),
      putApprovals(store.approvals, [approvalRow("git", "log", { status: "approved" })]),
    ]);

    for (const outcome of refused) {
      assert.equal(outcome.status, "rejected");
      assert.equal(outcome.reason.code, "disk_failed");
      assert.ok(outcome.reason.message.includes(fail.code), outcome.reason.message);
      assert.ok(outcome.reason.message.includes(join(store.dir, DATABASE_FILE)), outcome.reason.message);
    }
    assert.match(store.problem() ?? "", new RegExp(fail.code));
    files.fail = fail.on.includes("open") ? undefined : fail;
    assert.equal((await store.activity.get("before"))?.id, "before");

    files.fail = undefined;
    await putApprovals(store.approvals, [approvalRow("git", "diff", { status: "approved" })]);
    assert.equal(store.problem(), undefined);
    await store.activity.add(activityRecord({ id: "after" }));
    await store.close();
    const again = await testStore(t, { dir: store.dir });
    assert.equal(again.approvals.get("git", "diff")?.status, "approved");
    assert.ok((await again.activity.get("before")) && (await again.activity.get("after")));
  });

test("a start on a full disk says so, what to do, and what works meanwhile", async (t) => {
  for (const code of ["ENOSPC", "EDQUOT"]) {
    const files = faultyFiles();
    files.fail = { on: ["write"], code };
    await assert.rejects(testStore(t, { files }), {
      code: "disk_failed",
      message:
        /the disk of data directory \S+ is full .*free disk space and start again.*`proxy doctor`.*`proxy db check`/,
    });
  }
});

test("a refused approval is not remembered", async (t) => {
  const files = faultyFiles();
  const store = await testStore(t, { files });
  await putApprovals(store.approvals, [approvalRow("git", "log")]);
  assert.equal(store.approvals.get("git", "log")?.status, "pending");
  files.fail = { on: ["write"], code: "ENOSPC" };

  await assert.rejects(putApprovals(store.approvals, [approvalRow("git", "log", { status: "approved" })]));

  assert.equal(store.approvals.get("git", "log")?.status, "pending");
});

test("refused counts and sessions are not remembered, and later ones are", async (t) => {
  const files = faultyFiles();
  const store = await testStore(t, { files });
  const now = store.clock.now();
  const session = {
    id: "s",
    status: "active" as const,
    client_name: "",
    client_version: "",
    mode: "",
    actor: "",
    started_at: 1,
    last_active_at: 1,
    tool_calls: 1,
  };
  await store.usage.count("a:b", now);
  assert.equal(store.usage.last30Days("a:b", now)?.count, 1);
  files.fail = { on: ["write"], code: "ENOSPC" };
  // The first time by the disk, the second time without asking it.
  for (let i = 0; i < 2; i++) {
    await assert.rejects(store.usage.count("a:b", now), { code: "disk_failed" });
    await assert.rejects(store.sessions.put(session), { code: "disk_failed" });
  }
  assert.equal(store.usage.last30Days("a:b", now)?.count, 1);
  assert.equal(await store.sessions.get("s"), undefined);
  files.fail = undefined;
  await store.clock.advance(1000);

  await Promise.all([store.usage.count("a:b", now), store.sessions.put(session)]);

  assert.equal(store.usage.last30Days("a:b", now)?.count, 2);
  assert.equal((await store.sessions.get("s"))?.tool_calls, 1);
});

test("while the disk is full, records are refused without trying it each time, in one line of log", async (t) => {
  const files = faultyFiles();
  const store = await testStore(t, { files });
  files.fail = { on: ["write"], code: "ENOSPC" };
  await assert.rejects(store.activity.add(activityRecord()));
  let tries = 0;
  const { open } = files;
  files.open = (...input) => {
    tries++;
    return open(...input);
  };

  for (let i = 0; i < 50; i++) await assert.rejects(store.activity.add(activityRecord()), { code: "disk_failed" });

  assert.equal(tries, 0);
  assert.equal(store.log.lines.filter((line) => line.includes("ENOSPC")).length, 1);
  files.fail = undefined;
  await store.clock.advance(1000);
  await store.meta.set("k", 1);
  const healed = store.log.lines.filter((line) => line.includes("can be written again"));
  assert.equal(healed.length, 1);
  assert.match(healed[0]!, /\b51\b/);
});

test("a disk that works again is noticed without a writer", async (t) => {
  const files = faultyFiles();
  const store = await testStore(t, { files });
  files.fail = { on: ["write"], code: "ENOSPC" };
  await assert.rejects(store.meta.set("k", 1));
  await store.clock.advance(1000);
  assert.match(store.problem() ?? "", /ENOSPC/);
  files.fail = undefined;

  await store.clock.advance(1000);
  await store.meta.set("k", 2);

  assert.equal(store.problem(), undefined);
});

test("a deleted directory is not written into, nor made anew", async (t) => {
  const store = await testStore(t);
  await store.meta.set("k", 1);
  rmSync(store.dir, { recursive: true });

  await assert.rejects(store.meta.set("k", 2), { code: "disk_failed", message: /restart/ });
  mkdirSync(store.dir);
  await assert.rejects(store.meta.set("k", 3), { code: "disk_failed", message: /restart/ });
  assert.throws(() => store.meta.get("k"), { code: "disk_failed" });
});

test("a journal that is deleted while in use is noticed at the next write, and none is begun in its place", async (t) => {
  const store = await testStore(t);
  await store.meta.set("before", 1);
  rmSync(join(store.dir, `${DATABASE_FILE}-wal`));

  for (const key of ["after", "later"])
    await assert.rejects(store.meta.set(key, 2), { code: "disk_failed", message: /-wal was deleted.*restart/ });

  assert.match(store.problem() ?? "", /-wal was deleted/);
  assert.throws(() => store.meta.get("before"), { code: "disk_failed" });
});

test("a disk that fails while closing does not keep the store open", async (t) => {
  const files = faultyFiles();
  const store = await testStore(t, { files });
  const last = store.meta.set("k", 1);
  files.fail = { on: ["write", "sync", "syncLater"], code: "EIO" };

  await store.close();

  await assert.rejects(last, { code: "disk_failed" });
  files.fail = undefined;
  await testStore(t, { dir: store.dir });
});
