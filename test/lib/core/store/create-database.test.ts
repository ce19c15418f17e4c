import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createDatabase } from "#lib/core/store/create-database.ts";
import { connectDatabase, type DatabaseConnection } from "#lib/core/store/database-connection.ts";
import { MIGRATIONS } from "#lib/core/store/migrations.ts";
import { DATABASE_FILE } from "#lib/core/store/open-store.ts";
import { hostFiles } from "#lib/sqlite/files.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { temporaryFolder, testStore } from "#test/kit/store.ts";

const connectTo = async (dir: string) =>
  connectDatabase({ file: join(dir, DATABASE_FILE), sqlite: await loadSqlite(), files: hostFiles, steps: MIGRATIONS });

const rows = (connection: DatabaseConnection, sql: string) =>
  connection.read(() => connection.prepare(sql).all()).map((row) => ({ ...row }));

/** Schema, settings and rows, apart from the id. */
function contentOf(connection: DatabaseConnection) {
  const schema = rows(connection, "select type, name, tbl_name, sql from sqlite_schema order by name");
  const settings = ["user_version", "auto_vacuum", "journal_mode", "page_size", "encoding"];
  return {
    schema,
    settings: settings.map((name) => rows(connection, `pragma ${name}`)),
    rows: schema
      .filter(({ type }) => type === "table")
      .map(({ name }) => [name, rows(connection, `select * from "${name}"`)] as const)
      .map(([name, all]) => [name, all.filter(({ key }) => key !== "database.id")]),
  };
}

test("a new database is the one that the migrations make", async (t) => {
  const [built, migrated] = [temporaryFolder(), temporaryFolder()];
  t.after(built.remove);
  t.after(migrated.remove);
  await createDatabase(join(built.dir, DATABASE_FILE));
  const [one, other] = [await connectTo(built.dir), await connectTo(migrated.dir)];
  t.after(() => one.close());
  t.after(() => other.close());

  const content = contentOf(one);

  assert.deepEqual(content, contentOf(other));
  assert.ok(content.schema.length > 20);
  assert.deepEqual(rows(one, "pragma integrity_check"), [{ integrity_check: "ok" }]);
});

test("a new database is readable by its owner only, and nothing else is left in its folder", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const file = join(dir, DATABASE_FILE);

  await createDatabase(file);

  assert.deepEqual(readdirSync(dir), [DATABASE_FILE]);
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("a database that exists stays as it is", async (t) => {
  const store = await testStore(t);
  await store.meta.set("own", 1);

  await createDatabase(join(store.dir, DATABASE_FILE));

  assert.equal(store.meta.get("own"), 1);
});

test("the journal of an earlier database is not applied to a new one", async (t) => {
  const earlier = await testStore(t);
  await earlier.meta.set("own", 1);
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const journal = join(dir, `${DATABASE_FILE}-wal`);
  copyFileSync(join(earlier.dir, `${DATABASE_FILE}-wal`), journal);

  const store = await testStore(t, { dir });

  assert.equal(store.meta.get("own"), undefined);
  assert.ok(existsSync(journal));
});
