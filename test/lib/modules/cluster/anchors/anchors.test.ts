import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { linkOf } from "#lib/modules/audit/chain.ts";
import { openHead } from "#lib/modules/audit/head.ts";
import { auditLog } from "#lib/modules/audit/state.ts";
import { anchorProblems, makeAnchor } from "#lib/modules/cluster/anchors/anchor.ts";
import { verifyAnchors } from "#lib/modules/cluster/anchors/verify-anchors.ts";
import { verifyReplicas } from "#lib/modules/cluster/anchors/verify-replicas.ts";
import type { SharedStore } from "#lib/modules/cluster/store/open-shared-store.ts";
import type { TestApp } from "#test/kit/app.ts";
import { openClusterApps } from "#test/kit/cluster-apps.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { until } from "#test/kit/until.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

test("anchors that were changed, removed, exchanged or signed with another key are found", async () => {
  const key = { id: "a", bytes: Buffer.alloc(32, 1) };
  const keyOf = async (id: string) => (id === "a" ? key : undefined);
  const head = (seq: number) => ({ replica: "r", from: 1, seq, hash: String(seq) });
  const first = makeAnchor(undefined, { at: 1, heads: [head(1)], key });
  const second = makeAnchor(first, { at: 2, heads: [head(2)], key });
  const third = makeAnchor(second, { at: 3, heads: [head(3)], key });
  const foreign = makeAnchor(first, { at: 2, heads: [head(9)], key: { id: "a", bytes: Buffer.alloc(32, 2) } });
  const problems = (...anchors: (typeof first)[]) => anchorProblems(anchors, keyOf);

  assert.deepEqual(await problems(first, second, third), []);
  assert.deepEqual(await problems(second, third), [], "older ones are removed by the retention");
  assert.deepEqual(await problems(first, { ...second, heads: [head(1)] }, third), ["anchor 2 was changed"]);
  assert.deepEqual(await problems(first, third), ["1 anchor(s) before anchor 3 are missing"]);
  assert.deepEqual(await problems(first, foreign, third), [
    "anchor 2 was changed",
    "anchor 3 does not follow anchor 2",
  ]);
  assert.deepEqual(await problems({ ...first, key: "b" }), [
    "anchor 1 was signed with a key that is not configured any more",
  ]);
});

test("the audit logs of all replicas are anchored; a shortened log and a removed anchor are found", {
  skip,
}, async (t) => {
  const url = server!.database();
  const config = { audit_log: { enabled: true } };
  const apps = (await openClusterApps(t, url, { config })) as [TestApp, TestApp];
  const { database } = (apps[0].store as SharedStore).cluster;
  for (const app of apps) {
    const stop = (app.store as SharedStore).cluster.startAnchors(app, { reportMs: 20, anchorMs: 50 });
    t.after(stop);
  }
  const write = (app: TestApp) => app.part(auditLog).write({ event: "authz", decision: "allow" });
  const verify = async () => {
    const anchors = await verifyAnchors(database, apps[0].secrets.sealingKeys);
    return { anchors, replicas: await verifyReplicas(anchors, [apps[0].dir, apps[1].dir]) };
  };

  for (let n = 0; n < 10; n++) write(apps[n % 2]!);
  await until("both logs are anchored", async () => {
    const { anchors } = await verify();
    return anchors.heads.size === 2 && [...anchors.heads.values()].every(({ seq }) => seq >= 6);
  });
  const naming = () => apps.find((app) => readFileSync(app.part(auditLog).path!, "utf8").includes('"audit_anchor"'));
  await until("an anchor is named in a log", () => naming() !== undefined);
  const count = async () => (await verify()).anchors.count;
  await until("no line is added", async () => {
    const before = await count();
    await new Promise((done) => setTimeout(done, 300));
    return before === (await count());
  });
  await until("everything is in order", async () => {
    const { anchors, replicas } = await verify();
    return (
      anchors.problems.length === 0 && replicas.length === 2 && replicas.every(({ problems }) => problems.length === 0)
    );
  });

  const elsewhere = await verifyReplicas((await verify()).anchors, [apps[0].dir]);
  assert.equal(elsewhere.filter(({ path }) => path === undefined).length, 1, "a log that is not here is listed");

  for (const app of apps) await app.part(auditLog).close();
  // The other log names an anchor, which is needed below.
  const shortened = apps.find((app) => app !== naming())!;
  const path = shortened.part(auditLog).path!;
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").slice(0, 3);
  const last = linkOf(lines.at(-1)!);
  assert.ok(typeof last === "object");
  writeFileSync(path, `${lines.join("\n")}\n`);
  await (await openHead(shortened.dir, true)).write({ at: path, from: 1, seq: last.seq, hash: last.hash });
  const { replicas } = await verify();
  assert.match(
    replicas.flatMap(({ problems }) => problems).join("\n"),
    /the log ends at line 3, but line \d+ was anchored/,
  );

  await database.run((sql) => sql("delete from audit_anchor"));
  const removed = (await verify()).replicas.flatMap(({ problems }) => problems);
  assert.match(removed.join("\n"), /anchor 1, which line \d+ names, is missing or was changed/);
});
