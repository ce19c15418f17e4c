import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ActivityRecord } from "#lib/core/schema/activity.ts";
import { damagePagesWith, damageRootOf, query } from "#test/kit/damage.ts";
import { activityRecord, approvalRow, putApprovals, putToken, temporaryFolder, testStore } from "#test/kit/store.ts";

const COUNT = 600;
const numbered = (n: number) => String(n).padStart(5, "0");

/** A closed database with records whose tool and response are different texts. */
async function filled(t: TestContext): Promise<string> {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const store = await testStore(t, { dir });
  const records = Array.from({ length: COUNT }, (_, n) =>
    activityRecord({
      id: `id-${numbered(n)}`,
      at: 1_700_000_000_000 + n,
      server_name: "git",
      tool_name: `tool-${numbered(n)}`,
      response: `response-${numbered(n)} ${"x".repeat(300)}`,
    }),
  );
  await Promise.all(records.map((record) => store.activity.add(record)));
  await store.close();
  return dir;
}

async function reopened(t: TestContext, dir: string) {
  const store = await testStore(t, { dir });
  const read: ActivityRecord[] = [];
  let skipped = 0;
  const walk = async (filter = {}) => {
    for await (const record of store.activity.walk(filter, (count) => (skipped += count))) read.push(record);
    return { read, skipped };
  };
  return { store, walk };
}

test("where what records carry is damaged, all of them are exported and listed, and say so", async (t) => {
  const dir = await filled(t);
  assert.ok(damagePagesWith(dir, "response-00300") > 0);
  const { store, walk } = await reopened(t, dir);

  const { read, skipped } = await walk();

  const damaged = read.filter(({ metadata }) => (metadata as { damaged?: true } | undefined)?.damaged);
  assert.equal(new Set(read.map(({ id }) => id)).size, COUNT);
  assert.equal(skipped, 0);
  assert.ok(damaged.length > 0 && damaged.length < 40, `${damaged.length} damaged`);
  assert.ok(damaged.some(({ tool_name }) => tool_name === "tool-00300"));
  const { records } = await store.activity.select({}, { limit: 400 });
  assert.deepEqual(
    records.map(({ id }) => id),
    Array.from({ length: 400 }, (_, i) => `id-${numbered(COUNT - 1 - i)}`),
  );
});

test("records that cannot be read at all are counted, and hide no other", async (t) => {
  const dir = await filled(t);
  assert.ok(damagePagesWith(dir, "tool-00300") > 0);
  const { store, walk } = await reopened(t, dir);

  const { read, skipped } = await walk({ server: "git" });

  assert.ok(skipped > 0 && skipped < 100, `${skipped} skipped`);
  assert.equal(new Set(read.map(({ id }) => id)).size + skipped, COUNT);
  assert.equal((await store.activity.select({ server: "git" }, { limit: 10 })).records.length, 10);
});

test("with a damaged index of times, records are read by number", async (t) => {
  const dir = await filled(t);
  await damageRootOf(dir, "activity_at");
  const { walk } = await reopened(t, dir);

  const { read, skipped } = await walk();

  assert.deepEqual([new Set(read.map(({ id }) => id)).size, skipped], [COUNT, 0]);
});

test("damage that is met while running is named as damage with its remedy, not as a full disk, and stays known", async (t) => {
  const dir = await filled(t);
  damagePagesWith(dir, "tool-00300");
  const { store } = await reopened(t, dir);
  assert.equal(store.problem(), undefined);

  const counting = async () => {
    for await (const _ of store.activity.tally({}, {}));
  };
  await assert.rejects(counting, { code: "database_damaged", message: /proxy\.db is damaged .*proxy db recover/ });

  assert.match(store.problem()!, /is damaged/);
  assert.equal(store.damage(), store.problem());
  await store.activity.add(activityRecord({ id: "after" }));
  assert.equal((await store.activity.get("after"))?.id, "after", "the rest goes on");
  assert.match(store.problem()!, /is damaged/);
});

test("a damaged column hides no other row, and what it said counts for nothing", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const first = await testStore(t, { dir });
  await putApprovals(first.approvals, [
    approvalRow("git", "good", { status: "approved", approvedHash: "sha256/v2:00" }),
    approvalRow("git", "bad", { status: "approved", approvedHash: "sha256/v2:00" }),
    approvalRow("git", "blocked", { status: "approved", approvedHash: "sha256/v2:00", disabled: true }),
  ]);
  const token = {
    hash: "h",
    prefix: "p",
    servers: ["*"],
    permissions: ["read" as const],
    createdAt: 1,
    expiresAt: 9e15,
  };
  await putToken(first.tokens, { ...token, name: "a", hash: "ha" });
  await putToken(first.tokens, { ...token, name: "b", hash: "hb" });
  await first.meta.set("fact", { a: 1 });
  await first.close();
  await query(dir, "update approvals set current = '{' where name = 'bad'");
  await query(dir, "update approvals set current = '{', disabled = 'x' where name = 'blocked'");
  await query(dir, "update tokens set servers = '[' where name = 'b'");
  await query(dir, "update meta set value = '{' where key = 'fact'");
  const { store } = await reopened(t, dir);

  assert.deepEqual(
    ["bad", "blocked", "good"].map((tool) => {
      const { status, disabled } = store.approvals.get("git", tool)!;
      return [tool, status, disabled];
    }),
    [
      ["bad", "pending", false],
      ["blocked", "pending", true],
      ["good", "approved", false],
    ],
  );
  assert.deepEqual(
    store.tokens.all().map(({ name, servers }) => [name, servers]),
    [
      ["a", ["*"]],
      ["b", []],
    ],
  );
  assert.throws(() => store.meta.get("fact"), { code: "database_damaged", message: /"fact"/ });
  assert.match(store.problem()!, /"fact"/);
});
