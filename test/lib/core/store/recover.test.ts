import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { DATABASE_MARKER_FILE } from "#lib/core/store/database-identity.ts";
import { DATABASE_FILE } from "#lib/core/store/open-store.ts";
import { checkDatabase, recoverDatabase } from "#lib/core/store/recover.ts";
import { withDatabaseSnapshot } from "#lib/core/store/snapshot.ts";
import { damagePagesWith, damageRootOf, query } from "#test/kit/damage.ts";
import { activityRecord, approvalRow, putApprovals, temporaryFolder, testStore } from "#test/kit/store.ts";

const COUNT = 400;
const NOW = Date.UTC(2026, 10, 22, 19, 30);
const numbered = (n: number) => String(n).padStart(5, "0");

/** A closed database with records, approvals and a block. */
async function filled(t: TestContext): Promise<string> {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const store = await testStore(t, { dir });
  await putApprovals(
    store.approvals,
    Array.from({ length: 60 }, (_, n) =>
      approvalRow("git", `approval-${numbered(n)}`, {
        status: "approved",
        approvedHash: "sha256/v2:00",
        disabled: n === 30,
        current: { name: "x", description: "d".repeat(500), inputSchema: { type: "object" } },
      }),
    ),
  );
  await store.meta.set("fact", 1);
  await Promise.all(
    Array.from({ length: COUNT }, (_, n) =>
      store.activity.add(
        activityRecord({
          id: `id-${numbered(n)}`,
          at: 1_700_000_000_000 + n,
          tool_name: `tool-${numbered(n)}`,
          response: `response-${numbered(n)} ${"x".repeat(300)}`,
        }),
      ),
    ),
  );
  await store.close();
  return dir;
}

const lossesOf = (tables: { table: string; lost: number; more_lost: boolean }[]) =>
  tables.filter(({ lost, more_lost }) => lost > 0 || more_lost).map(({ table }) => table);

test("a whole database is found whole, while it is in use and when it is not, and recovering it changes nothing", async (t) => {
  const dir = await filled(t);
  const before = readFileSync(join(dir, DATABASE_FILE));

  const stopped = await checkDatabase(dir);
  const recovered = await recoverDatabase(dir, NOW);

  assert.deepEqual([stopped.whole, lossesOf([...stopped.tables])], [true, []]);
  assert.equal(stopped.tables.find(({ table }) => table === "activity")?.rows, COUNT);
  assert.deepEqual([recovered.whole, recovered.kept_as, recovered.approvals_needed], [true, undefined, false]);
  assert.deepEqual(readFileSync(join(dir, DATABASE_FILE)), before);

  const store = await testStore(t, { dir });
  await store.activity.add(activityRecord({ id: "in the journal" }));
  const running = await checkDatabase(dir);
  assert.equal(running.whole, true);
  assert.equal(running.tables.find(({ table }) => table === "activity")?.rows, COUNT + 1);
  await assert.rejects(recoverDatabase(dir, NOW), { code: "database_locked" });
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.startsWith("db-copy-") || name.endsWith(".recovered")),
    [],
  );
});

test("damaged records are counted; recovering keeps all others and every approval, and the damaged file beside", async (t) => {
  const dir = await filled(t);
  damagePagesWith(dir, "tool-00200");
  const damaged = readFileSync(join(dir, DATABASE_FILE));

  const found = await checkDatabase(dir);
  const recovered = await recoverDatabase(dir, NOW);

  const { lost, rows } = found.tables.find(({ table }) => table === "activity")!;
  assert.ok(!found.whole && lost > 0 && lost < 100, JSON.stringify(found));
  assert.equal(rows + lost, COUNT);
  assert.deepEqual(recovered.tables, found.tables);
  assert.equal(recovered.kept_as, join(dir, `${DATABASE_FILE}.damaged-20261122T193000Z`));
  assert.deepEqual(readFileSync(recovered.kept_as!), damaged);
  assert.equal(recovered.approvals_needed, false);
  const store = await testStore(t, { dir });
  assert.equal(store.evidence.state, "complete");
  assert.equal((await store.activity.select({}, { limit: 1000 })).total, rows);
  assert.equal(store.approvals.count("git"), 60);
  assert.equal(store.meta.get("fact"), 1);
  assert.equal(store.problem(), undefined);
  assert.equal((await checkDatabase(dir)).whole, true);
});

test("sums of records are made anew for the records that are left", async (t) => {
  const dir = await filled(t);
  const store = await testStore(t, { dir });
  await store.activity.addUp();
  await store.close();
  damagePagesWith(dir, "tool-00200");

  await recoverDatabase(dir, NOW);

  const again = await testStore(t, { dir });
  const left = (await again.activity.select({}, { limit: 1000 })).total;
  for (const when of ["before", "after"]) {
    let counted = 0;
    for await (const { count } of again.activity.tally({}, {})) counted += count;
    assert.deepEqual([counted, left < COUNT], [left, true], `${when} they are added up`);
    await again.activity.addUp();
  }
});

for (const [what, prepare] of [
  ["with its marker", () => {}],
  ["of an earlier release, without a marker", (dir: string) => rmSync(join(dir, DATABASE_MARKER_FILE))],
] as const)
  test(`where approvals are lost, what is missing counts as not approved: ${what}`, async (t) => {
    const dir = await filled(t);
    assert.ok(damagePagesWith(dir, "approval-00030") > 0);
    prepare(dir);

    const { approvals_needed, tables } = await recoverDatabase(dir, NOW);

    const { rows, lost } = tables.find(({ table }) => table === "approvals")!;
    assert.equal(approvals_needed, true);
    assert.ok(rows > 0 && lost > 0, JSON.stringify(tables));
    const store = await testStore(t, { dir });
    assert.equal(store.evidence.state, "lost");
    assert.equal(store.approvals.count("git"), rows);
    assert.equal((await store.activity.select({}, { limit: 1000 })).total, COUNT);
  });

test("a table without numbers is read from both ends, and a lost index costs nothing", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const store = await testStore(t, { dir });
  for (let n = 0; n < 300; n++) await store.meta.set(`fact-${numbered(n)}`, { n, text: "y".repeat(200) });
  await Promise.all(Array.from({ length: 50 }, (_, n) => store.activity.add(activityRecord({ id: `r${n}` }))));
  await store.close();
  damagePagesWith(dir, '"fact-00150');
  damagePagesWith(dir, "fact-00150");
  await damageRootOf(dir, "activity_at");

  const { tables } = await recoverDatabase(dir, NOW);

  const meta = tables.find(({ table }) => table === "meta")!;
  assert.ok(meta.more_lost && meta.rows > 200 && meta.rows < 302, JSON.stringify(meta));
  assert.equal(tables.find(({ table }) => table === "activity")?.rows, 50);
  const again = await testStore(t, { dir });
  assert.deepEqual((again.meta.get("fact-00000") as { n: number }).n, 0);
  assert.deepEqual((again.meta.get("fact-00299") as { n: number }).n, 299);
  assert.equal(again.evidence.state, "lost");
});

test("a damaged value is damage, and a fact that says nothing any more is left behind", async (t) => {
  const dir = await filled(t);
  await query(dir, "update meta set value = '{' where key = 'fact'");

  const found = await checkDatabase(dir);
  const { approvals_needed } = await recoverDatabase(dir, NOW);

  assert.deepEqual(
    found.tables.filter(({ damaged_values }) => damaged_values > 0).map(({ table }) => table),
    ["meta"],
  );
  assert.equal(approvals_needed, true);
  assert.equal((await testStore(t, { dir })).meta.get("fact"), undefined);
});

test("a database on a full disk is copied to another place to be looked at", async (t) => {
  const dir = await filled(t);
  const elsewhere = temporaryFolder();
  t.after(elsewhere.remove);

  const copy = await withDatabaseSnapshot(dir, async (file) => file, ["/proc/nowhere", elsewhere.dir]);

  assert.ok(copy.startsWith(elsewhere.dir), copy);
  assert.deepEqual(readdirSync(elsewhere.dir), []);
  await assert.rejects(
    withDatabaseSnapshot(dir, async () => {}, ["/proc/nowhere"]),
    { code: "ENOENT" },
  );
});

test("what is no database, and a folder without one, are named and left as they are", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  await assert.rejects(checkDatabase(dir), { code: "no_such_record", message: /proxy\.db/ });
  writeFileSync(join(dir, DATABASE_FILE), "no database at all, but long enough to be taken for one".repeat(100));
  for (const look of [checkDatabase, (at: string) => recoverDatabase(at, NOW)])
    await assert.rejects(look(dir), { code: "database_unreadable", message: /restore a backup of the file/ });
  assert.ok(existsSync(join(dir, DATABASE_FILE)));
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.includes("copy") || name.includes("recovered")),
    [],
  );
});
