import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { openSharedStore } from "#lib/modules/cluster/store/open-shared-store.ts";
import { insertActivity, toActivityCells } from "#lib/modules/cluster/store/shared-activity-row.ts";
import { heardLog } from "#test/kit/log.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { seeded } from "#test/kit/random.ts";
import { activityRecord, temporaryFolder } from "#test/kit/store.ts";
import { until } from "#test/kit/upstream.ts";
import { assertCountsAgree, DAY_MS, HOUR_MS, NOW, randomRecord } from "../../../core/store/contract/counts-agree.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

/** Replicas of a new database, and a connection of its own to it. */
async function openReplicas(t: TestContext, count: number) {
  const target = databaseTarget(server!.database());
  const database = openDatabase(target, { name: "sums.test" });
  t.after(() => database.close());
  const replicas = [];
  for (let i = 0; i < count; i++) {
    const { dir, remove } = temporaryFolder();
    const store = await openSharedStore({ target, dir, log: heardLog() });
    t.after(() => store.close().finally(remove));
    replicas.push(store);
  }
  return { database, replicas };
}

for (const seed of [1, 2])
  test(`counts of two replicas are those of the records, whatever is added, removed and added up (${seed})`, {
    skip,
  }, async (t) => {
    const r = seeded(seed);
    const { replicas } = await openReplicas(t, 2);
    for (let round = 0; round < 6; round++) {
      const records = Array.from({ length: r.below(400) }, () => randomRecord(r));
      await Promise.all(records.map((record) => r.pick(replicas).activity.add(record)));
      const step = r.pick(["add up", "add up", "sweep", "sweep all", "both at once"]);
      if (step === "add up") await r.pick(replicas).activity.addUp();
      if (step === "sweep") await r.pick(replicas).activity.sweep(NOW - r.below(30 * DAY_MS), 0);
      if (step === "sweep all") await r.pick(replicas).activity.sweep(0, 100 + r.below(300));
      if (step === "both at once")
        await Promise.all([
          replicas[0]!.activity.addUp(),
          replicas[1]!.activity.addUp(),
          replicas[1]!.activity.sweep(0, 50 + r.below(300)),
        ]);
      await assertCountsAgree(r, r.pick(replicas), `round ${round}, ${step}`, 8);
    }
    await Promise.all(replicas.map(({ activity }) => activity.addUp()));
    await assertCountsAgree(r, replicas[0]!, "at the end");
  });

test("hours and days that have ended are counted without their records", { skip }, async (t) => {
  const { database, replicas } = await openReplicas(t, 1);
  const { activity } = replicas[0]!;
  const at = (day: number, hour: number) => NOW - day * DAY_MS + hour * HOUR_MS;
  const times = [at(3, 0), at(3, 0), at(3, 2), at(2, 0), at(1, 0)];
  for (const [i, time] of times.entries())
    await activity.add(activityRecord({ at: time, server_name: "git", tool_name: "t", duration_ms: i + 1 }));
  await activity.addUp();

  await database.run((sql) => sql("delete from activity where at < $1", [at(1, 0)]));

  let counted = 0;
  const durations: number[] = [];
  for await (const group of activity.tally({}, { durations: true })) {
    counted += group.count;
    durations.push(...(group.durations?.keys() ?? []));
  }
  assert.deepEqual([counted, durations.sort()], [5, [1, 2, 3, 4, 5]]);
  const sums = await database.run((sql) =>
    sql<{ n: number }>("select count(*) as n from activity_sum group by span_ms order by span_ms"),
  );
  assert.deepEqual(
    sums.map(({ n }) => n),
    [4, 3],
  );
});

test("a record whose number is smaller than that of a committed one is neither skipped by readers nor by sums", {
  skip,
}, async (t) => {
  const { database, replicas } = await openReplicas(t, 1);
  const { activity } = replicas[0]!;
  const cells = (id: string) => [toActivityCells(activityRecord({ id, at: NOW, server_name: "git", tool_name: "t" }))];
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  let take = () => {};
  const taken = new Promise<void>((done) => {
    take = done;
  });
  let slow: Promise<void> = Promise.resolve();
  // The first transaction to begin takes the larger number and ends first.
  await database.transact(async (sql) => {
    await sql("select pg_current_xact_id()");
    slow = database.transact(async (other) => {
      await insertActivity(other, cells("first"));
      take();
      await released;
    });
    await taken;
    await insertActivity(sql, cells("second"));
  });

  const before = await activity.follow({ seq: 0, id: "" }, 10);
  await activity.addUp();
  release();
  await slow;
  let afterwards = before;
  await until("every transaction of this time has ended", async () => {
    afterwards = await activity.follow({ seq: 0, id: "" }, 10);
    return afterwards.length > 0;
  });
  await activity.addUp();

  assert.deepEqual(
    [before, afterwards].map((rows) => rows.map(({ record }) => record.id)),
    [[], ["first", "second"]],
  );
  let counted = 0;
  for await (const { count } of activity.tally({}, {})) counted += count;
  assert.equal(counted, 2);
});

test("a transaction has its own number before its first record gets one", { skip }, async (t) => {
  const { database, replicas } = await openReplicas(t, 1);
  await database.run(async (sql) => {
    await sql(`create function numbered() returns trigger language plpgsql as $$ begin
      if pg_current_xact_id_if_assigned() is null then raise exception 'no number'; end if; return new; end $$`);
    await sql("create trigger numbered before insert on activity for each row execute function numbered()");
  });

  // The counter assigns a number itself when it is written to the log, with each 32nd record.
  for (let i = 0; i < 3; i++) await replicas[0]!.activity.add(activityRecord({ id: `r${i}`, at: NOW }));

  const [row] = await database.run((sql) => sql<{ count: number }>("select count(*) as count from activity"));
  assert.equal(row!.count, 3);
});
