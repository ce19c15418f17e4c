import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { applySteps } from "#lib/modules/cluster/apply-steps.ts";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { monotonicMs, takeLease, waitForLease } from "#lib/modules/cluster/lease.ts";
import { SCHEMA_STEPS } from "#lib/modules/cluster/schema-step.ts";
import { bundleCluster, CLUSTER_MEMBER } from "#test/kit/cluster-bundle.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { folder, type Scope, startCommand } from "#test/kit/program.ts";
import { seeded } from "#test/kit/random.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const bundle = skip ? "" : await bundleCluster(folder({ after }));

async function openLeases(t: Scope) {
  const url = server!.database();
  const database = openDatabase(databaseTarget(url), { name: "lease.test" });
  t.after(() => database.close());
  await applySteps(database, SCHEMA_STEPS, { id: "test" });
  return { url, database };
}
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

test("a lease has one holder until it is released, and a higher token for the next", { skip }, async (t) => {
  const { database } = await openLeases(t);
  const first = await takeLease(database, { name: "a", holder: "x", ttlMs: 5000 });
  const refused = await takeLease(database, { name: "a", holder: "y", ttlMs: 5000 });
  const other = await takeLease(database, { name: "b", holder: "y", ttlMs: 5000 });

  await first!.release();
  const second = await takeLease(database, { name: "a", holder: "y", ttlMs: 5000 });

  assert.equal(refused, undefined);
  assert.deepEqual([first!.token, other!.token, second!.token], [1, 1, 2]);
  assert.deepEqual([first!.isHeld(), first!.lost.aborted, second!.isHeld()], [false, true, true]);
});

test("a lease is renewed while its holder lives, and others wait", { skip }, async (t) => {
  const { database } = await openLeases(t);
  const lease = await takeLease(database, { name: "a", holder: "x", ttlMs: 600 });

  await assert.rejects(waitForLease(database, { name: "a", holder: "y", ttlMs: 600 }, AbortSignal.timeout(1500)), {
    name: /TimeoutError|AbortError/,
  });

  assert.equal(lease!.isHeld(), true);
  await lease!.release();
});

test("a holder whose database is frozen stops before its lease ends", { skip }, async (t) => {
  const { database } = await openLeases(t);
  const asked = monotonicMs();
  const lease = await takeLease(database, { name: "a", holder: "x", ttlMs: 2000 });
  server!.freeze();

  await new Promise((done) => lease!.lost.addEventListener("abort", done));
  const heldMs = monotonicMs() - asked;
  server!.thaw();

  assert.ok(heldMs < 2000, `${heldMs} ms`);
  assert.equal(lease!.isHeld(), false);
});

test("a holder whose row was taken over learns it at the next renewal", { skip }, async (t) => {
  const { database } = await openLeases(t);
  const lease = await takeLease(database, { name: "a", holder: "x", ttlMs: 2000 });
  await database.run((sql) => sql("update lease set expires_at = '-infinity' where name = 'a'"));
  const next = await takeLease(database, { name: "a", holder: "y", ttlMs: 2000 });

  await new Promise((done) => lease!.lost.addEventListener("abort", done));
  await lease!.release();

  assert.match(String(lease!.lost.reason), /another holder/);
  assert.equal(next!.isHeld(), true);
});

test("of eight processes never two act at once, though some are killed and some are stopped", { skip }, async (t) => {
  const { url } = await openLeases(t);
  const file = join(folder(t), "acts");
  writeFileSync(file, "");
  let made = 0;
  const start = () =>
    startCommand(t, [
      process.execPath,
      CLUSTER_MEMBER,
      bundle,
      "leaser",
      JSON.stringify({ url, id: `p${made++}`, file, ttlMs: 800 }),
    ]).child;
  const children = Array.from({ length: 8 }, start);
  const random = seeded(19);
  const holder = () => readFileSync(file, "utf8").trim().split("\n").at(-1)?.split(" ")[2];

  await wait(1500);
  for (let n = 0; n < 8; n++) {
    const at = Number(holder()?.slice(1) ?? 0);
    const child = children[at]!;
    if (n % 2) {
      child.kill("SIGKILL");
      children.push(start());
    } else {
      child.kill("SIGSTOP");
      setTimeout(() => child.kill("SIGCONT"), 900 + random.below(300));
    }
    await wait(1000);
  }
  for (const child of children) child.kill("SIGKILL");
  const acts = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .map(([at, token, id]) => ({ at: Number(at), token: Number(token), id }));
  const tokens = acts.sort((a, b) => a.at - b.at).map(({ token }) => token);

  assert.deepEqual(
    tokens,
    [...tokens].sort((a, b) => a - b),
  );
  assert.ok(new Set(tokens).size > 8, `${new Set(tokens).size} holders`);
  assert.equal(new Set(acts.map(({ token, id }) => `${token} ${id}`)).size, new Set(tokens).size);
});
