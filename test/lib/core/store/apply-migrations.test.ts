import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connectDatabase } from "#lib/core/store/database-connection.ts";
import { MIGRATIONS } from "#lib/core/store/migrations.ts";
import { DATABASE_FILE } from "#lib/core/store/open-store.ts";
import { hostFiles } from "#lib/sqlite/files.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { temporaryFolder, testStore } from "#test/kit/store.ts";

const ONE = "create table a (x integer); insert into a values (1)";
const TWO = "alter table a add column y integer; update a set y = x + 1";

async function connectTo(dir: string, steps: readonly string[]) {
  return connectDatabase({ file: join(dir, DATABASE_FILE), sqlite: await loadSqlite(), files: hostFiles, steps });
}

const rows = (connection: Awaited<ReturnType<typeof connectTo>>) =>
  connection.read(() => connection.prepare("select * from a").all()).map((row) => ({ ...row }));

test("each step is run once, in order, on a new database and on an old one", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const old = await connectTo(dir, [ONE]);
  assert.deepEqual(rows(old), [{ x: 1 }]);
  old.close();

  for (let i = 0; i < 2; i++) {
    const now = await connectTo(dir, [ONE, TWO]);
    assert.deepEqual(rows(now), [{ x: 1, y: 2 }]);
    now.close();
  }
});

test("a step that fails half way leaves nothing behind", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  (await connectTo(dir, [ONE])).close();

  await assert.rejects(connectTo(dir, [ONE, `${TWO}; insert into nowhere values (1)`]), /no such table: nowhere/);

  const now = await connectTo(dir, [ONE, TWO]);
  assert.deepEqual(rows(now), [{ x: 1, y: 2 }]);
  now.close();
});

test("a step that a crash cut off is run again from its beginning", async (t) => {
  const [here, crashed] = [temporaryFolder(), temporaryFolder()];
  t.after(here.remove);
  t.after(crashed.remove);
  const file = join(here.dir, DATABASE_FILE);
  (await connectTo(here.dir, [ONE])).close();
  const { DatabaseSync } = await loadSqlite();
  const db = new DatabaseSync(file);
  db.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA cache_size=5; BEGIN IMMEDIATE");
  db.exec(
    "alter table a add column y integer; insert into a select 1, randomblob(9000) from json_each('[1,2,3,4,5,6,7,8,9]')",
  );
  db.exec("PRAGMA user_version=2");
  for (const end of ["", "-wal"]) copyFileSync(`${file}${end}`, join(crashed.dir, `${DATABASE_FILE}${end}`));
  assert.ok(
    readFileSync(join(crashed.dir, `${DATABASE_FILE}-wal`)).length > 40_000,
    "the transaction has reached the disk",
  );
  db.close();

  const now = await connectTo(crashed.dir, [ONE, TWO]);

  assert.deepEqual(rows(now), [{ x: 1, y: 2 }]);
  now.close();
});

test("administrators of an earlier release sign in anew and have no such role until then; others keep their sessions", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const before = await connectTo(dir, MIGRATIONS.slice(0, 8));
  for (const [id, admin] of [
    ["kate", 1],
    ["jo", 0],
  ]) {
    before
      .prepare(
        `insert into users (id, issuer, subject, email, "groups", admin, "off", created_at, signed_in_at, bearers_after)
         values (?, 'https://id.example', ?, ?, '[]', ?, '[]', 1, 1, 0)`,
      )
      .run(id!, id!, `${id}@example.com`, admin!);
    before
      .prepare("insert into user_sessions (id, hash, user_id, created_at, expires_at) values (?, ?, ?, 1, 2)")
      .run(`session of ${id}`, `hash of ${id}`, id!);
  }
  before.close();

  for (let i = 0; i < 2; i++) {
    const now = await connectTo(dir, MIGRATIONS);
    const read = (sql: string) => now.read(() => now.prepare(sql).all()).map((row) => Object.values(row));
    assert.deepEqual(read("select id, admin from users order by id"), [
      ["jo", 0],
      ["kate", 0],
    ]);
    assert.deepEqual(read("select user_id from user_sessions"), [["jo"]]);
    now.close();
  }
});

test("a database of a newer version is refused and left as it is", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  (await connectTo(dir, [...MIGRATIONS, ONE])).close();
  const before = readFileSync(join(dir, DATABASE_FILE));

  await assert.rejects(testStore(t, { dir }), {
    code: "database_newer",
    message: new RegExp(`${dir}.*is ${MIGRATIONS.length + 1}.*supports ${MIGRATIONS.length}.*update`),
  });

  assert.ok(before.equals(readFileSync(join(dir, DATABASE_FILE))));
  const now = await connectTo(dir, [...MIGRATIONS, ONE]);
  assert.deepEqual(rows(now), [{ x: 1 }]);
  now.close();
});

test("the database is made as the program counts on it", async (t) => {
  const store = await testStore(t);
  await store.close();
  const connection = await connectTo(store.dir, MIGRATIONS);
  t.after(() => connection.close());

  const pragma = (name: string) => Object.values(connection.prepare(`PRAGMA ${name}`).get()!)[0];

  assert.equal(pragma("journal_mode"), "wal");
  assert.equal(pragma("locking_mode"), "exclusive");
  assert.equal(pragma("auto_vacuum"), 2);
  assert.equal(pragma("user_version"), MIGRATIONS.length);
});
