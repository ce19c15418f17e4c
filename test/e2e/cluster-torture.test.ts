import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { killReplicas } from "#test/torture/kill-replicas.ts";
import { rollReplicas } from "#test/torture/roll-replicas.ts";

/** A few rounds of what `npm run torture` does at length, with calls and changes that leave the machine to the other tests. */
const LOAD = { pauseMs: 300 };
const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

test("replicas that are killed lose no acknowledged change, double no process and no renewal", { skip }, async (t) => {
  const { kills, writes, acts, renewals, http } = await killReplicas(t, server!, { kills: 3, ...LOAD });

  assert.equal(kills, 3);
  assert.deepEqual(writes.lost, []);
  assert.ok(writes.acknowledged > 20, `${writes.acknowledged} changes`);
  assert.deepEqual([acts.overlaps, acts.repeated], [[], []]);
  assert.deepEqual(renewals.doubled, []);
  assert.ok(http.answered > http.failed.length, `${http.answered} calls answered, ${http.failed.length} failed`);
});

test("a rolling update to the next release fails no call and ends no session", { skip }, async (t) => {
  const { newer, newerStdio, older, olderClients, exits, acts } = await rollReplicas(t, server!, {
    updates: 1,
    ...LOAD,
  });

  for (const counts of [newer, newerStdio, older]) {
    assert.deepEqual(counts.failed, []);
    assert.ok(counts.answered > 50, `${counts.answered} calls`);
  }
  assert.ok(older.reopened <= olderClients, `${older.reopened} sessions were opened again`);
  assert.deepEqual(exits, []);
  assert.deepEqual([acts.overlaps, acts.repeated], [[], []]);
});
