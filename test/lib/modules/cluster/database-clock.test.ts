import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "#lib/modules/cluster/database.ts";
import { clockDifference, createDatabaseClock } from "#lib/modules/cluster/database-clock.ts";

/** A database whose clock is ahead of this machine's by `aheadMs`. */
function databaseAhead() {
  const state = { aheadMs: 0 };
  const sql = async () => [{ now: NOW + state.aheadMs }];
  const database = { run: (work: (sql: never) => Promise<unknown>) => work(sql as never) } as Pick<Database, "run">;
  return { state, database };
}
const NOW = 1_700_000_000_000;

test("a replica uses the database's time if the clocks differ by more than a second, and warns once above 5 s", async () => {
  const { state, database } = databaseAhead();
  const warnings: string[] = [];
  const clock = createDatabaseClock({
    now: () => NOW,
    onWrong: (offsetMs) => warnings.push(clockDifference(offsetMs)),
  });
  const rows: [aheadMs: number, used: number, warned: number][] = [
    [0, 0, 0],
    [400, 0, 0],
    [3000, 3000, 0],
    // Too little to change the time again.
    [3600, 3000, 0],
    [60_000, 60_000, 1],
    [61_500, 61_500, 1],
    [500, 0, 1],
    [-120_000, -120_000, 2],
  ];

  for (const [aheadMs, used, warned] of rows) {
    state.aheadMs = aheadMs;
    await clock.measure(database);
    // The time of the answer is not known exactly.
    assert.ok(Math.abs(clock.offsetMs() - used) < 300, `${aheadMs}: ${clock.offsetMs()}`);
    assert.ok(used !== 0 || clock.offsetMs() === 0, `${aheadMs}: ${clock.offsetMs()}`);
    assert.ok(Math.abs(clock.measured().offsetMs - aheadMs) < 300);
    assert.equal(warnings.length, warned, String(aheadMs));
  }
  assert.match(warnings.join(), /60 s behind that of the database,120 s ahead of/);
});
