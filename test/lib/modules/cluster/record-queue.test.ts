import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, test } from "node:test";
import { type Database, openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { openRecordQueue } from "#lib/modules/cluster/record-queue.ts";
import { bundleCluster, CLUSTER_MEMBER } from "#test/kit/cluster-bundle.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { folder, type Scope, startCommand } from "#test/kit/program.ts";
import { until } from "#test/kit/until.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const bundle = skip ? "" : await bundleCluster(folder({ after }));

interface TestRecord {
  id: string;
}

async function openRecords(t: Scope): Promise<{ url: string; database: Database; dir: string }> {
  const url = server!.database();
  const database = openDatabase(databaseTarget(url), { name: "records.test" });
  t.after(() => database.close());
  await database.run((sql) => sql("create table record (id text primary key check (id <> 'bad'))"));
  return { url, database, dir: folder(t) };
}

function openQueue(database: Database, dir: string, more: { maxFileBytes?: number; maxMemoryBytes?: number } = {}) {
  const errors: string[] = [];
  let statements = 0;
  const queue = openRecordQueue<TestRecord>(database, {
    dir,
    sizeOf: () => 100,
    onError: (what) => errors.push(what),
    insert(sql, records) {
      statements++;
      const ids = records.map(({ id }) => id);
      return sql("insert into record select * from unnest($1::text[]) on conflict do nothing", [ids]);
    },
    ...more,
  });
  return queue.then((opened) => ({ queue: opened, errors, statements: () => statements }));
}
const stored = (database: Database) =>
  database
    .run((sql) => sql<{ id: string }>("select id from record"), { timeoutMs: 20_000 })
    .then((rows) => new Set(rows.map(({ id }) => id)));
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `r${from + n}`);

test("records that are added while a batch is written go together in the next", { skip }, async (t) => {
  const { database, dir } = await openRecords(t);
  const { queue, statements } = await openQueue(database, dir);

  const kept = await Promise.all(ids(0, 2000).map((id) => queue.add({ id })));
  await queue.close();

  assert.ok(kept.every(Boolean));
  assert.equal((await stored(database)).size, 2000);
  assert.ok(statements() <= 6, `${statements()} statements`);
  assert.equal(queue.counts.spooled, 0);
});

test("a frozen server sends records to files, and gets each when it goes on", { skip }, async (t) => {
  const { database, dir } = await openRecords(t);
  const { queue, errors } = await openQueue(database, dir);
  await queue.add({ id: "before" });
  server!.freeze();
  const started = performance.now();

  const kept = await Promise.all(ids(0, 1200).map((id) => queue.add({ id })));

  const took = performance.now() - started;
  assert.ok(kept.every(Boolean));
  assert.ok(took < 20_000, `${took} ms`);
  assert.ok(queue.counts.spooled > 0 && readdirSync(dir).length > 0);
  server!.thaw();
  await until("the files are delivered", () => readdirSync(dir).length === 0);
  assert.deepEqual(await stored(database), new Set(["before", ...ids(0, 1200)]));
  await queue.add({ id: "after" });
  assert.equal((await stored(database)).has("after"), true);
  assert.equal(queue.counts.dropped, 0);
  assert.match(errors.join("; "), /does not take records; they are written to files/);
  await queue.close();
});

test("what does not fit in the files or in memory is dropped and counted", { skip }, async (t) => {
  const { database, dir } = await openRecords(t);
  const { queue, errors } = await openQueue(database, dir, { maxFileBytes: 5000, maxMemoryBytes: 100 * 1100 });
  server!.freeze();

  const kept = await Promise.all(ids(0, 1200).map((id) => queue.add({ id })));
  const small = await queue.add({ id: "small" });

  server!.thaw();
  assert.equal(kept.slice(1100).some(Boolean), false);
  assert.equal(kept.filter(Boolean).length, queue.counts.spooled - (small ? 1 : 0));
  assert.equal(queue.counts.dropped + queue.counts.spooled, 1201);
  assert.ok(queue.waiting().fileBytes <= 5000);
  assert.equal(errors.filter((what) => /dropped/.test(what)).length, 1);
  await queue.close();
});

test("a record that the database refuses is left out alone", { skip }, async (t) => {
  const { database, dir } = await openRecords(t);
  const { queue, errors } = await openQueue(database, dir);

  await Promise.all([...ids(0, 40), "bad", ...ids(40, 90)].map((id) => queue.add({ id })));

  assert.deepEqual(await stored(database), new Set(ids(0, 90)));
  assert.equal(queue.counts.refused, 1);
  assert.equal(queue.counts.spooled, 0);
  assert.deepEqual(errors, ["the database refuses a record"]);
  await queue.close();
});

test("closing while the server is frozen leaves the records in files for the next start", { skip }, async (t) => {
  const { database, dir } = await openRecords(t);
  const first = await openQueue(database, dir);
  server!.freeze();
  const adding = Promise.all(ids(0, 10).map((id) => first.queue.add({ id })));
  await first.queue.close();
  assert.ok((await adding).every(Boolean));
  server!.thaw();

  const second = await openQueue(database, dir);
  await until("the files are delivered", () => readdirSync(dir).length === 0);

  assert.deepEqual(await stored(database), new Set(ids(0, 10)));
  assert.equal(second.queue.counts.delivered, 10);
  await second.queue.close();
});

test("a killed process loses no record that it was told is kept, whatever the server did", { skip }, async (t) => {
  const { url, database, dir } = await openRecords(t);
  // With the server at work; frozen, before the first batch has gone to a file; frozen, with files.
  for (const [round, waitMs] of [300, 250, 1200].entries()) {
    const writer = startCommand(t, [
      process.execPath,
      CLUSTER_MEMBER,
      bundle,
      "recorder",
      JSON.stringify({ url, id: `w${round}`, dir }),
    ]);
    await writer.says(/"kept":100\b/);
    if (round > 0) server!.freeze();
    await new Promise((done) => setTimeout(done, waitMs));
    writer.child.kill("SIGKILL");
    const { out } = await writer.ended;
    server!.thaw();
    const kept = [...out.matchAll(/"kept":(\d+)\}/g)].map(([, n]) => `w${round}-${n}`);

    const { queue } = await openQueue(database, dir);
    await until("the files are delivered", () => readdirSync(dir).length === 0);
    const found = await stored(database);
    await queue.close();

    assert.ok(kept.length > 100);
    assert.deepEqual(
      kept.filter((id) => !found.has(id)),
      [],
    );
    assert.equal(queue.counts.damaged <= 1, true);
  }
});

test("a restart of the server under load loses nothing", { skip }, async (t) => {
  const { database, dir } = await openRecords(t);
  const { queue } = await openQueue(database, dir);
  const adding: Promise<boolean>[] = [];
  let restarted = false;
  const restart = server!
    .stop()
    .then(() => server!.start())
    .then(() => {
      restarted = true;
    });

  for (let n = 0; !restarted || n < 3000; n++) {
    adding.push(queue.add({ id: `r${n}` }));
    if (n % 20 === 0) await new Promise((done) => setTimeout(done, 2));
  }
  await restart;
  assert.ok((await Promise.all(adding)).every(Boolean));
  await until("the files are delivered", () => queue.waiting().fileBytes === 0);

  assert.equal((await stored(database)).size, adding.length);
  await queue.close();
});
