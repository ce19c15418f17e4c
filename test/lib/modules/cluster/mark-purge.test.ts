import assert from "node:assert/strict";
import { after, test } from "node:test";
import { applySteps } from "#lib/modules/cluster/apply-steps.ts";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { createMarkPurge } from "#lib/modules/cluster/mark-purge.ts";
import { SCHEMA_STEPS } from "#lib/modules/cluster/schema-step.ts";
import { metaTable } from "#lib/modules/cluster/store/shared-meta.ts";
import { createTableWriter } from "#lib/modules/cluster/table-writer.ts";
import { createView } from "#lib/modules/cluster/view.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const HOUR_MS = 3_600_000;

test("marks of removed rows are deleted after a day, and rows and newer marks are not", { skip }, async (t) => {
  const database = openDatabase(databaseTarget(server!.database()), { name: "purge.test" });
  t.after(() => database.close());
  await applySteps(database, SCHEMA_STEPS, { id: "test" });
  const view = createView(database, metaTable);
  const writer = createTableWriter(database, metaTable, view);
  const purge = createMarkPurge(database, [{ table: metaTable, view }]);
  const stored = async () => {
    const rows = await database.run((sql) => sql<{ key: string }>("select key from meta order by key"));
    return rows.map(({ key }) => key).join("");
  };
  for (const key of ["a", "b", "c"]) await writer.change([[key]], () => ({ key, value: 1 }));
  await writer.remove([["a"]]);
  await view.update();

  await purge.tick(0);
  await writer.remove([["b"]]);
  await view.update();
  await purge.tick(23 * HOUR_MS);
  assert.equal(await stored(), "abc");
  await purge.tick(24 * HOUR_MS);
  assert.equal(await stored(), "bc");
  await purge.tick(48 * HOUR_MS);

  assert.equal(await stored(), "c");
  await view.update();
  assert.deepEqual(view.keys(), ["c"]);
});
