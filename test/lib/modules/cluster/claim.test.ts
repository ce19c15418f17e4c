import assert from "node:assert/strict";
import { after, test } from "node:test";
import { applySteps } from "#lib/modules/cluster/apply-steps.ts";
import { withClaim } from "#lib/modules/cluster/claim.ts";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { SCHEMA_STEPS } from "#lib/modules/cluster/schema-step.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import type { Scope } from "#test/kit/program.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const request = { name: "work", claimMs: 20_000 };

/** Connections of several replicas to one new database. */
async function openReplicas(scope: Scope, count: number) {
  const url = server!.database();
  const replicas = Array.from({ length: count }, () => openDatabase(databaseTarget(url), { name: "claim.test" }));
  scope.after(() => replicas.map((replica) => replica.close()));
  await applySteps(replicas[0]!, SCHEMA_STEPS, { id: "test" });
  return replicas;
}

test("work under one name never runs at two replicas at once", { skip }, async (t) => {
  const replicas = await openReplicas(t, 4);
  let running = 0;
  const seen: number[] = [];

  await Promise.all(
    [...replicas, ...replicas].map((replica) =>
      withClaim(replica, request, async () => {
        seen.push(++running);
        await replica.run((sql) => sql("select pg_sleep(0.02)"));
        running--;
      }),
    ),
  );

  assert.deepEqual(
    seen,
    Array.from({ length: 8 }, () => 1),
  );
});

test("work that fails gives the claim back, and its error is thrown", { skip }, async (t) => {
  const [one, other] = await openReplicas(t, 2);

  await assert.rejects(
    withClaim(one!, request, () => Promise.reject(new Error("the issuer refuses"))),
    /the issuer refuses/,
  );

  assert.equal(await withClaim(other!, request, async () => "done"), "done");
  assert.deepEqual(await one!.run((sql) => sql("select name from claim")), []);
});

test("the claim of a dead replica ends by itself, and those who wait can be ended before", { skip }, async (t) => {
  const [replica] = await openReplicas(t, 1);
  await replica!.run((sql) => sql("insert into claim values ('work', 'dead', clock_timestamp() + interval '400 ms')"));
  const gone = new AbortController();
  const waiting = withClaim(replica!, { ...request, signal: gone.signal }, async () => "too late");
  gone.abort();
  await assert.rejects(waiting, { name: "AbortError" });

  const ended = await withClaim(replica!, request, () =>
    replica!.run((sql) => sql<{ holder: string }>("select holder from claim")),
  );

  assert.equal(ended.length, 1);
  assert.notEqual(ended[0]!.holder, "dead");
});
