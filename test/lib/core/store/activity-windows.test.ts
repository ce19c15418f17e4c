import assert from "node:assert/strict";
import { test } from "node:test";
import { activityWindows } from "#lib/core/store/activity-read.ts";
import type { QueryAll } from "#lib/core/store/activity-row.ts";
import { tallyActivity } from "#lib/core/store/activity-tally.ts";
import type { Row, SqlInput } from "#lib/sqlite/types.ts";
import { ENGINES } from "#test/kit/sqlite.ts";

const ROWS = 5000;

/** The table of records as the store has it, with its index, in memory; `asked` are the statements that were run. */
async function table(load: (typeof ENGINES)[number]["load"]) {
  const { DatabaseSync } = await load();
  const db = new DatabaseSync(":memory:");
  db.exec(`
    create table activity (seq integer primary key, id text, at integer, type text, status text, server_name text,
      tool_name text, duration_ms integer, request_bytes integer, response_bytes integer);
    create index activity_at on activity (at)`);
  // Many records share a moment, so that the order among equals matters.
  const add = db.prepare(
    "insert into activity (id, at, type, status, server_name) values (?, ?, 'tool_call', 'success', ?)",
  );
  for (let i = 0; i < ROWS; i++) add.run(String(i), Math.floor(i / 3), `s${i % 2}`);
  const asked: { sql: string; inputs: SqlInput[] }[] = [];
  const all: QueryAll = (sql, ...inputs): Row[] => {
    asked.push({ sql, inputs });
    return db.prepare(sql).all(...inputs);
  };
  return { db, all, asked };
}

for (const { name, load } of ENGINES) {
  test(`a count reads each record of its period once, whatever the period (${name})`, async () => {
    const { db, all, asked } = await table(load);
    for (const filter of [{}, { after: 200 }, { after: 200, before: 900 }, { before: 900, server: "s1" }]) {
      asked.length = 0;
      let count = 0;
      for await (const group of tallyActivity(all, undefined, filter, {})) count += group.count;

      const { after = -1, before = ROWS, server } = filter as { after?: number; before?: number; server?: string };
      const wanted = "select count(*) as n from activity where at > ? and at < ? and (? is null or server_name = ?)";
      assert.equal(count, db.prepare(wanted).get(after, before, server ?? null, server ?? null)!.n);

      // What the conditions on time alone select in all windows together is each record of the period once.
      const period = db.prepare("select count(*) as n from activity where at > ? and at < ?").get(after, before)!.n;
      let read = 0;
      for (const { sql, inputs } of asked.filter((one) => one.sql.includes("group by"))) {
        const [plan] = db.prepare(`explain query plan ${sql}`).all(...inputs);
        assert.match(String(plan!.detail), /SEARCH activity USING INDEX activity_at/);
        const times = bounds(sql, inputs);
        assert.equal(times.lower <= 1, true, `two lower bounds: ${sql}`);
        read += db.prepare(`select count(*) as n from activity where ${times.sql}`).get(...times.inputs)!.n as number;
      }
      assert.equal(read, period, JSON.stringify(filter));
    }
  });
}

/** The conditions on `at` in a statement, alone, and how many of them bound it from below. */
function bounds(sql: string, inputs: SqlInput[]) {
  const terms = sql.match(/\(at, seq\) (?:<|>=) \(\?, \?\)|\bat [<>] \?/g) ?? [];
  const marks = terms.join().split("?").length - 1;
  return {
    sql: terms.join(" and "),
    inputs: inputs.slice(inputs.length - marks),
    lower: terms.filter((term) => term.includes(">")).length,
  };
}

test("a count whose asker went away stops after the window under way", async () => {
  const { all, asked } = await table(ENGINES[0]!.load);
  const gone = new AbortController();
  const counting = tallyActivity(all, undefined, {}, {}, gone.signal);
  await counting.next();
  gone.abort(new Error("gone"));
  const before = asked.length;

  await assert.rejects(async () => {
    for await (const _ of counting);
  }, /gone/);
  assert.ok(asked.length <= before + 1, "at most the next window was looked for");
});

test("windows end where the period ends", async () => {
  const { all } = await table(ENGINES[0]!.load);
  const many = (filter: object) => [...activityWindows(all, filter, 100)].length;

  assert.equal(many({}), ROWS / 100 + 1);
  assert.equal(many({ after: (ROWS - 300) / 3 }), 3);
});
