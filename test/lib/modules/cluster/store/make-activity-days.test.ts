import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { applySteps } from "#lib/modules/cluster/apply-steps.ts";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { SCHEMA_STEPS } from "#lib/modules/cluster/schema-step.ts";
import { makeActivityDays } from "#lib/modules/cluster/store/make-activity-days.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

async function openTables(t: TestContext) {
  const database = openDatabase(databaseTarget(server!.database()), { name: "days.test" });
  t.after(() => database.close());
  await applySteps(database, SCHEMA_STEPS, { id: "test" });
  const insert = (at: number) =>
    database.run((sql) =>
      sql("insert into activity (id, at, type, status, source) values ('x', $1, 't', 's', 's')", [at]),
    );
  const partitions = async () => {
    const rows = await database.run((sql) =>
      sql<{ name: string }>("select tableoid::regclass::text as name from activity"),
    );
    return rows.map(({ name }) => name);
  };
  return { database, insert, partitions };
}

test("four replicas that start at once make each day once, and records go to their day", { skip }, async (t) => {
  const { database, insert, partitions } = await openTables(t);

  const made = await Promise.all([1, 2, 3, 4].map(() => makeActivityDays(database)));

  assert.equal(made.flat().length, 4);
  assert.equal(new Set(made.flat()).size, 4);
  assert.deepEqual(await makeActivityDays(database), []);
  await insert(Date.now());
  const today = `activity_${new Date().toISOString().slice(0, 10).replaceAll("-", "")}`;
  assert.deepEqual(await partitions(), [today]);
});

test("a day whose records are in the rest stays there, and the other days are made", { skip }, async (t) => {
  const { database, insert, partitions } = await openTables(t);
  await insert(Date.now());

  assert.equal((await makeActivityDays(database)).length, 3);
  assert.deepEqual(await partitions(), ["activity_rest"]);
});
