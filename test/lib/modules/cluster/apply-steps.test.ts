import assert from "node:assert/strict";
import { after, test } from "node:test";
import { applySteps } from "#lib/modules/cluster/apply-steps.ts";
import { type Database, openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { PROGRAM_LIFE_S, recordHeartbeat, removeProgram } from "#lib/modules/cluster/programs.ts";
import { SCHEMA_STEPS, type SchemaStep } from "#lib/modules/cluster/schema-step.ts";
import { bundleCluster, CLUSTER_MEMBER } from "#test/kit/cluster-bundle.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { folder, type Scope, startCommand } from "#test/kit/program.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const bundle = skip ? "" : await bundleCluster(folder({ after }));

const table = (name: string, rest = ""): SchemaStep => ({ kind: "expand", sql: `create table ${name} (n int)${rest}` });
const drop = (name: string, needs: number): SchemaStep => ({ kind: "contract", needs, sql: `drop table ${name}` });

function openEmpty(t: Scope): { url: string; database: Database } {
  const url = server!.database();
  const database = openDatabase(databaseTarget(url), { name: "apply-steps.test" });
  t.after(() => database.close());
  return { url, database };
}
const numbers = (database: Database) =>
  database
    .run((sql) => sql<{ number: number }>("select number from schema_step order by number"))
    .then((rows) => rows.map(({ number }) => number));
const tables = (database: Database) =>
  database
    .run((sql) =>
      sql<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public' order by 1"),
    )
    .then((rows) => rows.map(({ name }) => name).filter((name) => name.length === 1));

function starter(t: Scope, url: string, id: string, steps: readonly SchemaStep[]) {
  return startCommand(t, [process.execPath, CLUSTER_MEMBER, bundle, "steps", JSON.stringify({ url, id, steps })]);
}

test("an empty database gets every step, a second start none", { skip }, async (t) => {
  const { database } = openEmpty(t);

  const numbers = SCHEMA_STEPS.map((_, index) => index + 1);
  assert.deepEqual(await applySteps(database, SCHEMA_STEPS, { id: "a" }), { applied: numbers });
  assert.deepEqual(await applySteps(database, SCHEMA_STEPS, { id: "a" }), { applied: [] });
});

test("eight programs that start at once apply each step once, killed ones included", { skip }, async (t) => {
  const { url, database } = openEmpty(t);
  const slow = (name: string) =>
    table(name, `; insert into ${name} select 1 from pg_sleep(0.7) on conflict do nothing`);
  const steps = [slow("a"), { kind: "index", name: "a_n", on: "a (n)" } as const, slow("b"), slow("c")];
  const programs = Array.from({ length: 8 }, (_, n) => starter(t, url, `p${n}`, steps));

  // The holder of the lock is ended in the middle of a step, four times. Its statement goes on at the server for a while.
  const victims = ["none"];
  while (victims.length < 5) {
    const holder = server!.psql(
      `select application_name from pg_stat_activity where query like 'create table%pg_sleep%' and state = 'active'
        and application_name not in (${victims.map((name) => `'${name}'`).join(", ")}) limit 1`,
    );
    if (holder) {
      programs[Number(holder.slice(1))]?.child.kill("SIGKILL");
      victims.push(holder);
    } else await new Promise((done) => setTimeout(done, 10));
    if (programs.every(({ child }) => child.exitCode !== null || child.signalCode !== null)) break;
  }
  const ended = await Promise.all(programs.map((one) => one.ended));

  assert.deepEqual(
    ended.filter(({ code, err }) => code !== null && (code !== 0 || err !== "")),
    [],
  );
  const killed = programs.filter(({ child }) => child.signalCode === "SIGKILL").length;
  assert.ok(killed >= 3, `${killed} were killed`);
  assert.deepEqual(await numbers(database), [1, 2, 3, 4]);
  assert.deepEqual(await tables(database), ["a", "b", "c"]);
  const [index] = await database.run((sql) =>
    sql("select indisvalid from pg_index where indexrelid = 'a_n'::regclass"),
  );
  assert.equal(index?.indisvalid, true);
});

test("a contracting step waits for a living program that knows too few steps, then refuses it", { skip }, async (t) => {
  const { database } = openEmpty(t);
  const old = [table("a"), table("b")];
  await applySteps(database, old, { id: "old" });

  const first = await applySteps(database, [...old, drop("a", 3)], { id: "new" });
  assert.deepEqual(first, { applied: [], waits: { step: 3, program: "old" } });
  await database.run((sql) => removeProgram(sql, "old"));
  const second = await applySteps(database, [...old, drop("a", 3)], { id: "new" });

  assert.deepEqual(second, { applied: [3] });
  assert.deepEqual(await tables(database), ["b"]);
  const newer = (error: { code: string; message: string }) =>
    error.code === "cluster_schema_newer" && /need a program with 3 steps, this one has 2/.test(error.message);
  await assert.rejects(applySteps(database, old, { id: "old" }), newer);
  await assert.rejects(
    database.run((sql) => recordHeartbeat(sql, { id: "old", steps: 2 })),
    newer,
  );
});

test("a program that has sent no heartbeat for its life is not waited for", { skip }, async (t) => {
  const { database } = openEmpty(t);
  const old = [table("a")];
  await applySteps(database, old, { id: "old" });
  await database.run((sql) =>
    sql("update program set seen_at = seen_at - make_interval(secs => $1)", [PROGRAM_LIFE_S]),
  );

  const { applied } = await applySteps(database, [...old, drop("a", 2)], { id: "new" });

  assert.deepEqual(applied, [2]);
});

test("a newer database that only added is accepted, a changed step is not", { skip }, async (t) => {
  const { database } = openEmpty(t);
  await applySteps(database, [table("a"), table("b")], { id: "new" });

  assert.deepEqual(await applySteps(database, [table("a")], { id: "old" }), { applied: [] });
  await assert.rejects(applySteps(database, [table("a"), table("c")], { id: "new" }), {
    code: "cluster_schema_changed",
    facts: { step: 2 },
  });
});

test("a step waits for a table in use without making others wait for long", { skip }, async (t) => {
  const { database } = openEmpty(t);
  const steps: SchemaStep[] = [table("a")];
  await applySteps(database, steps, { id: "new" });
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const reader = database.transact(
    async (sql) => {
      await sql("select n from a");
      await held;
    },
    { timeoutMs: 60_000 },
  );
  let longest = 0;
  const step: SchemaStep = { kind: "expand", sql: "alter table a add column b text" };

  const applying = applySteps(database, [...steps, step], { id: "new" });
  for (let n = 0; n < 8; n++) {
    const asked = performance.now();
    await database.run((sql) => sql("select n from a"));
    longest = Math.max(longest, performance.now() - asked);
    await new Promise((done) => setTimeout(done, 200));
  }
  release();
  await reader;

  assert.deepEqual(await applying, { applied: [2] });
  assert.ok(longest < 2500, `${longest} ms`);
});

test("an index that a killed program left invalid is made anew", { skip }, async (t) => {
  const { database } = openEmpty(t);
  const steps: SchemaStep[] = [table("a")];
  await applySteps(database, steps, { id: "new" });
  // A unique index of rows that are equal fails and stays behind as invalid.
  await database.run((sql) => sql("insert into a values (1), (1)"));
  await assert.rejects(database.run((sql) => sql("create unique index concurrently a_n on a (n)")));

  const { applied } = await applySteps(database, [...steps, { kind: "index", name: "a_n", on: "a (n)" }], {
    id: "new",
  });

  assert.deepEqual(applied, [2]);
  const [index] = await database.run((sql) =>
    sql("select indisvalid, indisunique from pg_index where indexrelid = 'a_n'::regclass"),
  );
  assert.deepEqual({ ...index }, { indisvalid: true, indisunique: false });
});

test("an unsafe step is refused before anything is done", { skip }, async (t) => {
  const { database } = openEmpty(t);

  await assert.rejects(applySteps(database, [{ kind: "expand", sql: "drop table a" }], { id: "a" }), /step 1: .*add/);

  assert.deepEqual(await database.run((sql) => sql("select to_regclass('schema_step') as found")), [{ found: null }]);
});
