import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { cli } from "#test/kit/cli.ts";
import { damagePagesWith } from "#test/kit/damage.ts";
import { activityRecord, temporaryFolder, testStore } from "#test/kit/store.ts";

const proxy = (dir: string, line: string, env: Record<string, string> = {}) =>
  cli(["-d", dir, ...line.split(" ")], commands, { env: { HOME: dir, ...env } });

test("db check says what is lost, db recover saves the rest, and then the database is whole", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const store = await testStore(t, { dir });
  const tool = (n: number) => `tool-${String(n).padStart(4, "0")}`;
  await Promise.all(
    Array.from({ length: 300 }, (_, n) => store.activity.add(activityRecord({ id: `r${n}`, tool_name: tool(n) }))),
  );
  await store.close();

  const whole = await proxy(dir, "db check");
  assert.equal(whole.code, 0, whole.err);
  assert.match(whole.out, /proxy\.db is intact: \d+ row\(s\) in \d+ tables/);

  damagePagesWith(dir, tool(150));
  const damaged = await proxy(dir, "db check");
  assert.equal(damaged.code, 1);
  assert.match(damaged.out, /^activity: \d+ readable row\(s\); [1-9]\d* lost/m);
  assert.match(damaged.out, /is damaged; stop the proxy .*proxy db recover/);

  const running = await testStore(t, { dir });
  const refused = await proxy(dir, "db recover");
  assert.equal(refused.code, 3);
  assert.match(refused.err, /in use by another proxy/);
  await running.close();

  const recovered = await proxy(dir, "db recover");
  assert.equal(recovered.code, 0, recovered.err);
  assert.match(recovered.out, /the damaged one is kept as \S+proxy\.db\.damaged-\d{8}T\d{6}Z/);
  assert.equal((await proxy(dir, "db check")).code, 0);
  assert.ok(readdirSync(dir).some((name) => name.startsWith("proxy.db.damaged-")));
});

test("with a proxy elsewhere named, db check looks at no files of this machine", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);

  const { code, err } = await proxy(dir, "db check", { SERVICE_URL: "https://proxy.example" });

  assert.equal(code, 2);
  assert.match(err, /run it on the proxy's machine/);
});

test("a database of a newer version is neither intact nor damaged: db check and recover say so and what to do", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  await (await testStore(t, { dir })).close();
  const { DatabaseSync } = await loadSqlite();
  const db = new DatabaseSync(join(dir, "proxy.db"));
  db.exec("PRAGMA user_version=9999");
  db.close();

  for (const command of ["db check", "db recover"]) {
    const { code, out, err } = await proxy(dir, command);

    assert.deepEqual([code, out], [1, ""], command);
    assert.match(err, /proxy\.db was written by a newer version .*9999.*; update this program/, command);
  }
});

test("without a database, db check names the file and how to select another one", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);

  const { code, err } = await proxy(dir, "db check");

  assert.equal(code, 2);
  assert.match(err, /proxy\.db does not exist; select another data directory with --data-dir/);
});
