import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { openSharedStore } from "#lib/modules/cluster/store/open-shared-store.ts";
import { heardLog } from "#test/kit/log.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { activityRecord, approvalRow, putApprovals, temporaryFolder } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

async function openStore(t: TestContext) {
  const { dir, remove } = temporaryFolder();
  const store = await openSharedStore({ target: databaseTarget(server!.database()), dir, log: heardLog() });
  t.after(() => store.close().finally(remove));
  return store;
}

test("while the database is away, what calls need is read, and changes fail soon and are not shown", {
  skip,
}, async (t) => {
  const store = await openStore(t);
  await putApprovals(store.approvals, [approvalRow("git", "log", { status: "approved" })]);

  await server!.stop();
  try {
    const began = performance.now();
    const change = store.approvals.changeAll("git", ["log"], (row) => row && { ...row, disabled: true });
    await assert.rejects(change, { code: "cluster_database_away" });

    assert.ok(performance.now() - began < 5000, "soon");
    assert.deepEqual(
      [store.approvals.get("git", "log")?.status, store.approvals.get("git", "log")?.disabled],
      ["approved", false],
    );
    await until("the problem is reported", () => /has not answered/.test(store.problem() ?? ""));
  } finally {
    await server!.start();
  }

  await until("the problem is over", () => store.problem() === undefined);
  await store.approvals.changeAll("git", ["log"], (row) => row && { ...row, disabled: true });
  assert.equal(store.approvals.get("git", "log")?.disabled, true);
});

test("records of calls while the database is away are found when it answers again", { skip }, async (t) => {
  const store = await openStore(t);

  await server!.stop();
  try {
    await Promise.all(["a", "b"].map((id) => store.activity.add(activityRecord({ id }))));
  } finally {
    await server!.start();
  }

  const ids = async () => {
    const { records } = await store.activity.select({}, { limit: 10 });
    return records.map(({ id }) => id);
  };
  await until("the records are delivered", async () => (await ids().catch(() => [])).length === 2);
  assert.deepEqual((await ids()).sort(), ["a", "b"]);
});

test("requests that wait for others while the database is frozen end together, not one after the other", {
  skip,
}, async (t) => {
  const store = await openStore(t);

  server!.freeze();
  try {
    const began = performance.now();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => store.documents.set(`k${i}`, i)));

    assert.ok(outcomes.every(({ status }) => status === "rejected"));
    assert.ok(performance.now() - began < 20_000, "two time limits at most");
  } finally {
    server!.thaw();
  }
});
