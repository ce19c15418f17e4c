import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { applySteps } from "#lib/modules/cluster/apply-steps.ts";
import type { Sql } from "#lib/modules/cluster/connection.ts";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { refreshOnce, type Versioned } from "#lib/modules/cluster/refresh-once.ts";
import { SCHEMA_STEPS } from "#lib/modules/cluster/schema-step.ts";
import { bundleCluster, CLUSTER_MEMBER } from "#test/kit/cluster-bundle.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { folder, type Scope, startCommand } from "#test/kit/program.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const bundle = skip ? "" : await bundleCluster(folder({ after }));

async function openToken(t: Scope) {
  const url = server!.database();
  const database = openDatabase(databaseTarget(url), { name: "refresh.test" });
  t.after(() => database.close());
  await applySteps(database, SCHEMA_STEPS, { id: "test" });
  await database.run((sql) => sql("create table token (rev int, value text); insert into token values (0, 't0')"));
  return { url, database };
}
const read = async (sql: Sql) =>
  (await sql<Versioned<string> & Record<string, unknown>>("select rev, value from token"))[0]!;
const save = async (sql: Sql, value: string, seen: number) =>
  (await sql("update token set value = $1, rev = rev + 1 where rev = $2 returning rev", [value, seen])).length > 0;

test("eight processes that renew a token use each one once", { skip }, async (t) => {
  const { url, database } = await openToken(t);
  const used: string[] = [];
  const issuer = createServer((request, response) => {
    const token = request.url!.slice(1);
    used.push(token);
    setTimeout(() => response.end(`t${Number(token.slice(1)) + 1}`), 5);
  }).listen(0, "127.0.0.1");
  t.after(() => issuer.close());
  await once(issuer, "listening");
  const { port } = issuer.address() as { port: number };
  const rounds = 40;

  const ended = await Promise.all(
    Array.from({ length: 8 }, (_, n) => {
      const options = JSON.stringify({ url, id: `p${n}`, rounds, issuer: `http://127.0.0.1:${port}` });
      return startCommand(t, [process.execPath, CLUSTER_MEMBER, bundle, "refresher", options]).ended;
    }),
  );

  assert.deepEqual(
    ended.filter(({ code }) => code !== 0),
    [],
  );
  assert.deepEqual(
    used,
    Array.from({ length: rounds }, (_, n) => `t${n}`),
  );
  assert.deepEqual(await database.run(read), { rev: rounds, value: `t${rounds}` });
});

test("a renewal that fails gives the claim back, so that the next attempt renews", { skip }, async (t) => {
  const { database } = await openToken(t);
  const refresh = (renew: (value: string) => Promise<string>) =>
    refreshOnce(database, { name: "token", seen: 0, read, save, renew });

  await assert.rejects(
    refresh(() => Promise.reject(new Error("the issuer refuses"))),
    /the issuer refuses/,
  );

  assert.deepEqual(await refresh(async (value) => `${value}+`), { rev: 1, value: "t0+" });
  assert.deepEqual(await database.run((sql) => sql("select name from claim")), []);
});

test("the claim of a dead replica ends by itself", { skip }, async (t) => {
  const { database } = await openToken(t);
  await database.run((sql) => sql("insert into claim values ('token', 'dead', clock_timestamp() + interval '400 ms')"));
  const started = performance.now();

  const renewed = await refreshOnce(database, { name: "token", seen: 0, read, save, renew: async () => "t1" });

  assert.deepEqual(renewed, { rev: 1, value: "t1" });
  assert.ok(performance.now() - started > 300);
});

test("a renewed token is stored when the database answers again", { skip }, async (t) => {
  const { url } = await openToken(t);
  const database = openDatabase(databaseTarget(url), { name: "refresh.test", timeoutMs: 500 });
  t.after(() => database.close());

  const renewed = await refreshOnce(database, {
    name: "token",
    seen: 0,
    read,
    save,
    async renew() {
      server!.freeze();
      setTimeout(() => server!.thaw(), 1500);
      return "t1";
    },
  });

  assert.equal(renewed.value, "t1");
  assert.deepEqual(await database.run(read), { rev: 1, value: "t1" });
});
