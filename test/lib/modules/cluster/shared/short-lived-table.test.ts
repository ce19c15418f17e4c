import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, type TestContext, test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import type { ValueKind } from "#lib/core/extension/replica-sharing.ts";
import { createSealedStates } from "#lib/core/mcp/sealed-states.ts";
import { applySteps } from "#lib/modules/cluster/apply-steps.ts";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { SCHEMA_STEPS } from "#lib/modules/cluster/schema-step.ts";
import { shortLivedTable } from "#lib/modules/cluster/shared/short-lived-table.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { until } from "#test/kit/until.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

async function openTable(t: TestContext) {
  const url = server!.database();
  const database = openDatabase(databaseTarget(url), { name: "short-lived" });
  t.after(() => database.close());
  await applySteps(database, SCHEMA_STEPS, { id: "test" });
  const key = { id: "01234567", bytes: randomBytes(32), madeAt: 0 };
  const keys = { current: async () => key, byId: async (id: string) => (id === key.id ? key : undefined) };
  const sealed = createSealedStates(keys, systemClock);
  return {
    database,
    of: (kind: Partial<ValueKind> = {}) => shortLivedTable({ database, sealed }, { name: "test", max: 10, ...kind }),
  };
}

const life = { lifetimeMs: 60_000 };

test("of several replicas that take a value at once, one gets it", { skip }, async (t) => {
  const table = await openTable(t);
  await table.of().put("code", { n: 1 }, life);
  assert.deepEqual(await table.of().get("code"), { n: 1 });

  const taken = await Promise.all([1, 2, 3, 4].map(() => table.of().take("code")));

  assert.deepEqual(
    taken.filter((value) => value !== undefined),
    [{ n: 1 }],
  );
  assert.equal(await table.of().get("code"), undefined);
});

test("of several replicas that mark a value as used at once, one succeeds", { skip }, async (t) => {
  const table = await openTable(t);
  await table.of().put("code", { isUsed: false }, life);
  const use = (value: unknown) => ((value as { isUsed: boolean }).isUsed ? undefined : { isUsed: true });

  const done = await Promise.all([1, 2, 3, 4].map(() => table.of().change("code", use)));

  assert.deepEqual(done.sort(), [false, false, false, true]);
  assert.deepEqual(await table.of().get("code"), { isUsed: true });
  assert.equal(await table.of().change("unknown", () => true), false);
});

test("a value ends after its time, and its row is removed by the next one", { skip }, async (t) => {
  const table = await openTable(t);
  await table.of().put("short", 1, { lifetimeMs: 30 });

  await until("the value has ended", async () => (await table.of().get("short")) === undefined);
  assert.equal(await table.of().take("short"), undefined);
  await table.of().put("next", 2, life);

  const [row] = await table.database.run((sql) => sql<{ n: number }>("select count(*) as n from short_lived"));
  assert.equal(row!.n, 1);
});

test("of too many values in total or of one group, the oldest are dropped; kinds are separate", { skip }, async (t) => {
  const table = await openTable(t);
  const values = table.of({ max: 3, maxOfGroup: 2 });
  for (const key of ["a", "b", "c", "d"]) await values.put(key, key, life);
  for (const key of ["x", "y", "z"])
    await table.of({ name: "other", maxOfGroup: 2 }).put(key, key, { ...life, group: "g" });
  const there = async (of: typeof values, keys: string[]) =>
    (await Promise.all(keys.map((key) => of.get(key)))).filter((value) => value !== undefined);

  assert.deepEqual(await there(values, ["a", "b", "c", "d"]), ["b", "c", "d"]);
  assert.deepEqual(await there(table.of({ name: "other" }), ["x", "y", "z"]), ["y", "z"]);
  await table.of({ name: "other" }).removeGroup("g");
  assert.deepEqual(await there(table.of({ name: "other" }), ["x", "y", "z"]), []);
});

test("the database has neither keys nor values in clear text", { skip }, async (t) => {
  const table = await openTable(t);
  await table.of().put("authorization-code", { secret: "verifier" }, { ...life, group: "grant-id" });

  const rows = await table.database.run((sql) => sql("select * from short_lived"));

  assert.doesNotMatch(JSON.stringify(rows), /authorization-code|verifier|grant-id/);
});
