import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { openSharedStore } from "#lib/modules/cluster/store/open-shared-store.ts";
import { sharedActivityFilter } from "#lib/modules/cluster/store/shared-activity-filter.ts";
import { heardLog } from "#test/kit/log.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { activityRecord, temporaryFolder } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

async function openActivity(t: TestContext) {
  const target = databaseTarget(server!.database());
  const database = openDatabase(target, { name: "activity.test" });
  t.after(() => database.close());
  const { dir, remove } = temporaryFolder();
  const store = await openSharedStore({ target, dir, log: heardLog() });
  t.after(() => store.close().finally(remove));
  return { activity: store.activity, database };
}

test("what is rare among the records is read from an index of its own", { skip }, async (t) => {
  const { database } = await openActivity(t);
  const rows = [
    [{ tool: "echo" }, /\(tool_name, at, seq\)/],
    [{ status: "error" }, /\(status, at, seq\)/],
    [{ sensitive: true }, /\(at, seq\) WHERE \(max_severity IS NOT NULL\)/],
    [{ max_severity: "high" }, /\(at, seq\) WHERE \(max_severity IS NOT NULL\)/],
    [{ server: "one" }, /\(server_name, at, seq\)/],
  ] as const;
  for (const [filter, definition] of rows) {
    const { sql: condition, values } = sharedActivityFilter(filter);
    const found = await database.transact(async (sql) => {
      // A small table would be read as a whole.
      await sql("set local enable_seqscan = off; set local enable_bitmapscan = off");
      const query = `select id from activity_rest where ${condition} order by at desc, seq desc limit 50`;
      const lines = await sql<{ "QUERY PLAN": string }>(`explain ${query}`, values);
      const plan = lines.map((line) => line["QUERY PLAN"]).join(" ");
      const name = /Index (?:Only )?Scan(?: Backward)? using (\S+)/.exec(plan)?.[1] ?? "";
      return await sql<{ indexdef: string }>("select indexdef from pg_indexes where indexname = $1", [name]);
    });
    assert.match(found[0]?.indexdef ?? "no index", definition, JSON.stringify(filter));
  }
});

test("a page far behind has the records that follow those of the page before", { skip }, async (t) => {
  const { activity } = await openActivity(t);
  const ids = Array.from({ length: 30 }, (_, i) => `record-${String(i).padStart(2, "0")}`);
  // Every three have the same time, so that their numbers decide.
  for (const [i, id] of ids.entries()) await activity.add(activityRecord({ id, at: 1000 + Math.floor(i / 3) }));
  const newestFirst = ids.reverse();
  for (const offset of [0, 1, 10, 27, 30]) {
    const { records, total } = await activity.select({}, { limit: 7, offset });
    assert.deepEqual(
      records.map(({ id }) => id),
      newestFirst.slice(offset, offset + 7),
    );
    assert.equal(total, 30);
  }
});

test("a list that the database stops says how to ask for less", { skip }, async (t) => {
  const { activity, database } = await openActivity(t);
  await database.transact(async (sql) => {
    await sql("lock table activity in access exclusive mode");
    const refused = assert.rejects(
      activity.select({ tool: "echo" }, { limit: 10 }),
      (error: Error & { code?: string; status?: number }) =>
        error.code === "cluster_list_slow" && error.status === 503 && /shorter time.*next_cursor/.test(error.message),
    );
    // It is stopped in the way in which `statement_timeout` stops it.
    await until("the list waits", async () => {
      const stopped = await database.run((other) =>
        other("select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'"),
      );
      return stopped.length > 0;
    });
    await refused;
  });
});
