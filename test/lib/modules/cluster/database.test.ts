import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Database, openDatabase, sqlState } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import type { Scope } from "#test/kit/program.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

function open(t: Scope, options: { maxConnections?: number; timeoutMs?: number } = {}): Database {
  const database = openDatabase(databaseTarget(server!.url()), { name: "database.test", ...options });
  t.after(() => database.close());
  return database;
}
const connections = () =>
  Number(server!.psql("select count(*) from pg_stat_activity where application_name = 'database.test'"));
const isAway = (error: { code?: unknown }) => error.code === "cluster_database_away";

test("numbers and booleans come back as such, lists go as arrays, other types as text", { skip }, async (t) => {
  const database = open(t);

  const rows = await database.run((sql) =>
    sql(
      "select 9007199254740991::bigint as big, 1::smallint as small, 0.5::float8 as half, true as yes, null as nothing, '2026-01-02'::date as day, $1::text[] as list, n from unnest($2::bigint[]) as x(n)",
      [
        ["a,b", 'c"\\', null],
        [1, null],
      ],
    ),
  );

  const fixed = {
    big: 9007199254740991,
    small: 1,
    half: 0.5,
    yes: true,
    nothing: null,
    day: "2026-01-02",
    list: '{"a,b","c\\"\\\\",NULL}',
  };
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { ...fixed, n: 1 },
      { ...fixed, n: null },
    ],
  );
});

test("an error of a statement is thrown as it is, and its connection is used again", { skip }, async (t) => {
  const database = open(t, { maxConnections: 1 });
  const backend = () => database.run((sql) => sql<{ pid: number }>("select pg_backend_pid() as pid"));
  const [before] = await backend();

  await assert.rejects(
    database.run((sql) => sql("select 1/0")),
    { code: "22012" },
  );

  assert.deepEqual(await backend(), [before]);
});

test("what the server cannot do at the moment is an outage: the reason names it, and the statement's code stays", {
  skip,
}, async (t) => {
  const name = new URL(server!.database()).pathname.slice(1);
  const database = openDatabase(databaseTarget(server!.url(name)), { name: "database.test", lockTimeoutMs: 100 });
  t.after(() => database.close());
  await database.run((sql) => sql("create table kept (n int)"));
  const raise = (code: string) =>
    database.run((sql) => sql(`do $$ begin raise 'no' using errcode = '${code}'; end $$`));
  const add = () => database.run((sql) => sql("insert into kept values (1)"));
  const rows: [what: string, code: string, reason: RegExp, fail: () => Promise<unknown>][] = [
    ["read-only", "25006", /read-only, as a standby is; let cluster\.database_url lead/, () => raise("25006")],
    ["disk full", "53100", /no; free space on the disk of the PostgreSQL server/, () => raise("53100")],
    ["input or output", "58030", /\(no\)/, () => raise("58030")],
    ["lock", "55P03", /lock timeout/, () => locked(add)],
    ["slow", "57014", /statement timeout/, () => database.transact(slow)],
  ];
  const locked = (work: () => Promise<unknown>) =>
    database.transact(async (sql) => {
      await sql("lock table kept");
      await work();
    });
  const slow: Parameters<typeof database.transact>[0] = async (sql) => {
    await sql("set local statement_timeout = 50");
    await sql("select pg_sleep(5)");
  };

  for (const [what, code, reason, fail] of rows)
    await assert.rejects(fail, (error: Error & { code: string }) => {
      assert.deepEqual([what, error.code, sqlState(error)], [what, "cluster_database_away", code]);
      assert.match(error.message, reason);
      return true;
    });
  await add();
});

test("a connection to a server that has become read-only is not used again", { skip }, async (t) => {
  const database = open(t, { maxConnections: 1 });
  const pid = async () => (await database.run((sql) => sql<{ pid: number }>("select pg_backend_pid() as pid")))[0]!.pid;
  const before = await pid();

  await assert.rejects(
    database.run(async (sql) => {
      await sql("set default_transaction_read_only = on");
      await sql("create table never (n int)");
    }),
    isAway,
  );

  assert.notEqual(await pid(), before);
});

test("a transaction whose work fails is rolled back and its connection used again", { skip }, async (t) => {
  const database = open(t, { maxConnections: 1 });
  await database.run((sql) => sql("create table rolled (n int)"));

  await assert.rejects(
    database.transact(async (sql) => {
      await sql("insert into rolled values (1)");
      throw new Error("changed my mind");
    }),
    /changed my mind/,
  );

  assert.deepEqual(await database.run((sql) => sql("select n from rolled")), []);
  assert.equal(connections(), 1);
});

for (const [when, work] of [
  ["during a statement of a transaction", "select pg_sleep(20)"],
  ["between two statements of a transaction", undefined],
] as const)
  test(`a connection that the server ends ${when} fails that work only`, { skip }, async (t) => {
    const database = open(t, { maxConnections: 1, timeoutMs: 25_000 });
    const [{ pid } = { pid: 0 }] = await database.run((sql) => sql<{ pid: number }>("select pg_backend_pid() as pid"));
    const end = () => server!.psql(`select pg_terminate_backend(${pid})`);

    const failed = database.transact(async (sql) => {
      await sql("select 1");
      if (work) setTimeout(end, 100);
      else end();
      await new Promise((done) => setTimeout(done, 50));
      await sql(work ?? "select 2");
    });

    await assert.rejects(failed, isAway);
    assert.deepEqual(await database.run((sql) => sql("select 3 as n")), [{ n: 3 }]);
  });

test("a server that no longer answers costs each caller its time limit, and none afterwards", { skip }, async (t) => {
  const database = open(t, { maxConnections: 2, timeoutMs: 300 });
  await Promise.all([1, 2].map(() => database.run((sql) => sql("select 1"))));
  server!.freeze();
  const started = performance.now();

  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => database.run((sql) => sql("select 1"))));

  const took = performance.now() - started;
  server!.thaw();
  for (const outcome of outcomes) assert.ok(outcome.status === "rejected" && isAway(outcome.reason), String(outcome));
  assert.ok(took < 10_000, `${took} ms`);
  assert.deepEqual(await database.run((sql) => sql("select 3 as n"), { timeoutMs: 5000 }), [{ n: 3 }]);
});

test("an aborted caller gets the signal's reason at once, waiting or working", { skip }, async (t) => {
  const database = open(t, { maxConnections: 1 });
  const [first, second] = [new AbortController(), new AbortController()];
  const working = database.run((sql) => sql("select pg_sleep(20)"), { signal: first.signal });
  const waiting = database.run((sql) => sql("select 1"), { signal: second.signal });

  second.abort(new Error("second left"));
  await assert.rejects(waiting, /second left/);
  first.abort(new Error("first left"));
  await assert.rejects(working, /first left/);

  assert.deepEqual(await database.run((sql) => sql("select 1 as n")), [{ n: 1 }]);
});

test("after a restart of the server the next work succeeds", { skip }, async (t) => {
  const database = open(t);
  await database.run((sql) => sql("select 1"));

  await server!.stop();
  await assert.rejects(
    database.run((sql) => sql("select 1")),
    (error: { code: string }) => /cluster_database_(away|unreachable)/.test(error.code),
  );
  await server!.start();

  assert.deepEqual(await database.run((sql) => sql("select 1 as n")), [{ n: 1 }]);
});

test("a closed database fails work under way and opens no connection any more", { skip }, async (t) => {
  const database = open(t);
  const working = database.run((sql) => sql("select pg_sleep(20)"));
  await new Promise((done) => setTimeout(done, 100));

  database.close();

  await assert.rejects(working, isAway);
  await assert.rejects(
    database.run((sql) => sql("select 1")),
    isAway,
  );
});
