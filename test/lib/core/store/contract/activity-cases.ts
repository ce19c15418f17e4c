import assert from "node:assert/strict";
import type { ActivityFilter, ActivityMark, ActivityRecord } from "#lib/core/schema/activity.ts";
import type { SessionRecord } from "#lib/core/schema/session.ts";
import type { Store } from "#lib/core/store/store.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";
import { andAfterRestart } from "./and-after-restart.ts";
import type { ContractCase } from "./store-contract.ts";

const WHOLE: ActivityRecord = {
  id: "whole",
  type: "tool_call",
  source: "mcp",
  server_name: "git",
  tool_name: "log",
  status: "error",
  error_message: "no such br\0anch",
  duration_ms: 1.25,
  at: 50,
  session_id: "s1",
  request_id: "q1",
  parent_id: "p1",
  actor: "admin",
  arguments: { branch: "mäin", "": null, nul: "\0", half: "\ud800", nested: JSON.parse('[{"__proto__":1}]') },
  response: '{"content":["\\u0000"]}',
  response_truncated: true,
  metadata: { intent: { reason: "x" } },
};

/** Ten records at 1 to 9, told apart by every member a filter knows. */
const RECORDS: readonly ActivityRecord[] = [
  activityRecord({ id: "a", at: 1, server_name: "git", tool_name: "log", session_id: "s1", request_id: "q1" }),
  activityRecord({ id: "b", at: 2, server_name: "git", tool_name: "diff", status: "error" }),
  activityRecord({ id: "c", at: 3, server_name: "mail", tool_name: "log", status: "blocked" }),
  activityRecord({ id: "d", at: 4, type: "policy_decision", server_name: "mail", status: "blocked", actor: "bot" }),
  activityRecord({ id: "e", at: 5, type: "system_start", source: "internal" }),
  activityRecord({ id: "f", at: 6, type: "code_execution", request_id: "q2", actor: "bot" }),
  activityRecord({ id: "g", at: 7, server_name: "git", tool_name: "log", parent_id: "q2" }),
  activityRecord({ id: "h", at: 8, server_name: "git", tool_name: "log", parent_id: "q2", session_id: "s2" }),
  activityRecord({ id: "i", at: 9, type: "preflight", request_id: "q3" }),
  activityRecord({ id: "j", at: 9, type: "quarantine_change", server_name: "mail" }),
];

/** What detection found and who called, in ten records without other marks. */
const MARKED: readonly ActivityRecord[] = [
  activityRecord({ id: "k", at: 1, max_severity: "high", detection_types: ["api_key", "email"] }),
  activityRecord({ id: "l", at: 2, max_severity: "low", detection_types: ["email"] }),
  activityRecord({ id: "m", at: 3, user_id: "u1", auth_type: "user" }),
  activityRecord({ id: "n", at: 4, user_id: "u2", auth_type: "agent", intent_type: "write" }),
  activityRecord({ id: "o", at: 5, auth_type: "agent", intent_type: "read" }),
];

const MARKED_FILTERS: readonly [what: string, filter: ActivityFilter, ids: string][] = [
  ["sensitive data", { sensitive: true }, "lk"],
  ["no sensitive data", { sensitive: false }, "onm"],
  ["a kind of sensitive data", { detection_type: "email" }, "lk"],
  ["another kind of sensitive data", { detection_type: "api_key" }, "k"],
  ["an unknown kind of sensitive data", { detection_type: '"]' }, ""],
  ["highest severity", { max_severity: "high" }, "k"],
  ["kind of caller", { auth_type: "agent" }, "on"],
  ["declared operation", { intent_type: "read" }, "o"],
  ["user", { user_id: "u1" }, "m"],
  ["user and kind of caller", { user_id: "u2", auth_type: "agent" }, "n"],
];

const FILTERS: readonly [what: string, filter: ActivityFilter, ids: string][] = [
  ["no filter: newest first, of one moment the record added later first", {}, "jihgfedcba"],
  ["one type", { type: ["preflight"] }, "i"],
  ["several types", { type: ["preflight", "policy_decision"] }, "id"],
  ["no type is any type", { type: [] }, "jihgfedcba"],
  ["an unknown type", { type: ["x' or 1=1"] }, ""],
  ["server", { server: "git" }, "hgba"],
  ["tool", { tool: "log" }, "hgca"],
  ["server and tool", { server: "git", tool: "diff" }, "b"],
  ["session", { session_id: "s2" }, "h"],
  ["client of a stored session", { client: "cursor" }, "h"],
  ["client and server", { client: "vscode", server: "git" }, "a"],
  ["a client without a session", { client: "Cursor" }, ""],
  ["status", { status: "blocked" }, "dc"],
  ["request", { request_id: "q2" }, "f"],
  ["parent", { parent_id: "q2" }, "hg"],
  ["caller", { actor: "bot" }, "fd"],
  ["strictly after", { after: 8 }, "ji"],
  ["strictly before", { before: 2 }, "a"],
  ["between", { after: 2, before: 5 }, "dc"],
  ["only some servers, or none", { servers: new Set(["mail"]) }, "jifedc"],
  ["no server at all", { servers: new Set() }, "ife"],
  ["without a server, only of one caller", { servers: new Set(["mail"]), own: "bot" }, "jfdc"],
  [
    "everything together",
    {
      type: ["tool_call"],
      server: "git",
      tool: "log",
      parent_id: "q2",
      session_id: "s2",
      status: "success",
      after: 1,
      before: 9,
      servers: new Set(["git"]),
    },
    "h",
  ],
];

/** A session of a client, at the time of the records. */
const sessionOf = (id: string, client: string): SessionRecord => ({
  id,
  status: "active",
  client_name: client,
  client_version: "1",
  mode: "call",
  actor: "admin",
  started_at: 1,
  last_active_at: 9,
  tool_calls: 1,
});

const addAll = (store: Store, records: readonly ActivityRecord[]) =>
  Promise.all(records.map((record) => store.activity.add(record)));
const many = (count: number, own: (i: number) => Partial<ActivityRecord>) =>
  Array.from({ length: count }, (_, i) => activityRecord(own(i)));

async function walked(store: Store, filter: ActivityFilter): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.activity.walk(filter)) ids.push(id);
  return ids;
}

/** Follows until so many records are there: an engine may hold back records while others are being added. */
async function followed({ activity }: Pick<Store, "activity">, mark: ActivityMark, count: number) {
  let found = await activity.follow(mark, 1000);
  await until(`${count} records`, async () => {
    found = await activity.follow(mark, 1000);
    return found.length >= count;
  });
  return found;
}

const filterCases = FILTERS.map(
  ([what, filter, ids]): ContractCase => [
    `a page and a walk contain what a filter leaves (${what})`,
    async ({ store }) => {
      for (const record of RECORDS) await store.activity.add(record);
      for (const [id, client] of [
        ["s1", "vscode"],
        ["s2", "cursor"],
      ] as const)
        await store.sessions.put(sessionOf(id, client));

      const { records, total, isCapped } = await store.activity.select(filter, { limit: 100 });

      assert.deepEqual([records.map(({ id }) => id).join(""), total, isCapped], [ids, ids.length, false]);
      assert.equal((await walked(store, filter)).join(""), ids);
    },
  ],
);

export const activityCases: readonly ContractCase[] = [
  ...filterCases,
  [
    "a record comes back with every member, with NUL and lone surrogates, and absent members absent",
    async ({ store, reopen }) => {
      const bare = activityRecord({ at: 60 });
      await addAll(store, [WHOLE, bare]);

      for await (const { activity } of andAfterRestart({ store, reopen })) {
        assert.deepEqual(await activity.get("whole"), WHOLE);
        assert.deepEqual(await activity.get(bare.id), bare);
        assert.equal(await activity.get("other"), undefined);
        assert.deepEqual((await activity.select({}, { limit: 2 })).records, [bare, WHOLE]);
      }
    },
  ],
  [
    "JSON null is an argument like any other",
    async ({ store: { activity } }) => {
      await activity.add(activityRecord({ id: "null", arguments: null }));

      assert.equal((await activity.get("null"))?.arguments, null);
    },
  ],
  [
    "a read sees every record that was added before it",
    async ({ store: { activity } }) => {
      const durable = activity.add(activityRecord({ id: "x" }));

      assert.equal((await activity.get("x"))?.id, "x");
      assert.equal((await activity.select({}, { limit: 1 })).total, 1);
      await durable;
    },
  ],
  [
    "a record is stored as it was when it was added, whatever changes afterwards",
    async ({ store: { activity } }) => {
      const args = { secret: "s" };
      const durable = activity.add(activityRecord({ id: "x", arguments: args }));
      args.secret = "changed";
      await durable;

      assert.deepEqual((await activity.get("x"))?.arguments, { secret: "s" });
    },
  ],
  [
    "arguments that are not JSON are refused, and harm no other record",
    async ({ store: { activity } }) => {
      const loop: Record<string, unknown> = {};
      loop.self = loop;

      const [bad, good] = await Promise.allSettled([
        activity.add(activityRecord({ arguments: loop })),
        activity.add(activityRecord({ id: "good" })),
      ]);

      assert.deepEqual([bad.status, good.status], ["rejected", "fulfilled"]);
      assert.equal((await activity.select({}, { limit: 10 })).total, 1);
    },
  ],
  [
    "of two records with one id, the first is kept",
    async ({ store: { activity } }) => {
      await activity.add(activityRecord({ id: "x", response: "first" }));
      await activity.add(activityRecord({ id: "x", response: "second" }));

      assert.equal((await activity.select({}, { limit: 10 })).total, 1);
      assert.equal((await activity.get("x"))?.response, "first");
    },
  ],
  [
    "a page begins at the offset, and its total counts all matches",
    async ({ store: { activity } }) => {
      for (const record of RECORDS) await activity.add(record);

      const { records, total } = await activity.select({ type: ["tool_call"] }, { limit: 2, offset: 1 });

      assert.deepEqual([records.map(({ id }) => id), total], [["g", "c"], 5]);
      assert.deepEqual(await activity.select({}, { limit: 5, offset: 100 }), {
        records: [],
        total: 10,
        isCapped: false,
      });
    },
  ],
  [
    "pages from record to record contain each match once, also among equal times and while records are added",
    async ({ store }) => {
      await addAll(
        store,
        many(300, (i) => ({ at: Math.floor(i / 7), server_name: i % 3 ? "git" : "mail" })),
      );
      for (const filter of [{}, { server: "git" }, { after: 10, before: 30 }]) {
        const expected = await walked(store, filter);

        const ids: string[] = [];
        for (let after: { at: number; id: string } | undefined; ; ) {
          const { records } = await store.activity.select(filter, { limit: 23, ...(after && { after }) });
          ids.push(...records.map(({ id }) => id));
          after = records.at(-1);
          if (!after) break;
          await store.activity.add(activityRecord({ at: 1000, server_name: "git" }));
        }

        assert.deepEqual(ids, expected);
      }
    },
  ],
  [
    "a walk does not contain records that are added while it runs",
    async ({ store }) => {
      const records = many(500, (i) => ({ id: `n${i}`, at: i }));
      await addAll(store, records);

      const ids: string[] = [];
      for await (const { id } of store.activity.walk({})) {
        ids.push(id);
        if (ids.length % 100 === 0) await store.activity.add(activityRecord({ at: 10_000 }));
      }

      assert.deepEqual(ids, records.map(({ id }) => id).reverse());
    },
  ],
  [
    "a page finds records by what detection found in them, and by user, kind of caller and declared operation",
    async ({ store }) => {
      await addAll(store, MARKED);

      for (const [what, filter, ids] of MARKED_FILTERS) {
        const { records, total } = await store.activity.select(filter, { limit: 10 });
        assert.deepEqual([records.map(({ id }) => id).join(""), total], [ids, ids.length], what);
      }
    },
  ],
  [
    "sums count what a walk finds, by server, tool and status, before and after a sweep",
    async ({ store }) => {
      await addAll(
        store,
        many(400, (i) => ({
          at: i,
          server_name: i % 2 ? "git" : "mail",
          tool_name: `t${i % 3}`,
          status: i % 5 ? "success" : "error",
        })),
      );
      const tallied = async () => {
        const counts = new Map<string, number>();
        for await (const { server_name, tool_name, status, count } of store.activity.tally({ after: 49 }, {})) {
          const key = `${server_name} ${tool_name} ${status}`;
          counts.set(key, (counts.get(key) ?? 0) + count);
        }
        return [...counts].sort();
      };
      const counted = async () => {
        const counts = new Map<string, number>();
        for await (const { server_name, tool_name, status } of store.activity.walk({ after: 49 })) {
          const key = `${server_name} ${tool_name} ${status}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        return [...counts].sort();
      };

      assert.deepEqual(await tallied(), await counted());
      await store.activity.addUp();
      await store.activity.sweep(100, 0);
      assert.deepEqual(await tallied(), await counted());
    },
  ],
  [
    "a sweep removes records that are too old or too many, the oldest first, and says how many",
    async ({ store, reopen }) => {
      await addAll(
        store,
        many(900, (i) => ({ at: i + 1, response: "x" })),
      );

      assert.equal(await store.activity.sweep(101, 0), 100);
      assert.equal(await store.activity.sweep(0, 0), 0);
      assert.equal(await store.activity.sweep(0, 300), 500);

      const { records, total } = await (await reopen()).activity.select({}, { limit: 300 });
      assert.deepEqual([total, records[0]?.at, records.at(-1)?.at], [300, 900, 601]);
    },
  ],
  [
    "records are followed in the order in which they were added, from any mark, also after a restart",
    async ({ store, reopen }) => {
      const start = await store.activity.newestMark();
      for (const record of many(60, (i) => ({ id: `n${String(i).padStart(2, "0")}`, at: i % 2 ? 100 - i : i })))
        await store.activity.add(record);
      const expected = Array.from({ length: 60 }, (_, i) => `n${String(i).padStart(2, "0")}`);
      const [middle] = (await followed(store, start, 60)).slice(30);

      for await (const { activity } of andAfterRestart({ store, reopen })) {
        const all = await activity.follow(start, 1000);
        assert.equal((await activity.follow(start, 31)).length, 31);
        assert.deepEqual(
          all.map(({ record }) => record.id),
          expected,
        );
        const rest = await activity.follow(JSON.parse(JSON.stringify(middle!.mark)), 1000);
        assert.deepEqual(
          rest.map(({ record }) => record.id),
          expected.slice(31),
        );
        assert.equal(await activity.countAfter(middle!.mark), 29);
        assert.deepEqual(await activity.follow(all.at(-1)!.mark, 10), []);
        assert.deepEqual(await activity.newestMark(), all.at(-1)!.mark);
      }
    },
  ],
  [
    "a reader that follows learns how many records were removed before it read them",
    async ({ store: { activity } }) => {
      await activity.add(activityRecord({ id: "a", at: 1 }));
      const mark = await activity.newestMark();
      for (const record of many(5, (i) => ({ id: `b${i}`, at: 2 + i }))) await activity.add(record);
      await activity.sweep(5, 0);

      const found = await followed({ activity }, mark, 2);

      assert.deepEqual(
        found.map(({ record, missing }) => [record.id, missing]),
        [
          ["b3", 3],
          ["b4", 0],
        ],
      );
    },
  ],
  [
    "a mark of a store that was emptied since leads to all records that were added afterwards",
    async ({ store: { activity } }) => {
      for (const record of many(3, (i) => ({ id: `a${i}`, at: 1 + i }))) await activity.add(record);
      const mark = await activity.newestMark();
      await activity.sweep(100, 0);
      assert.deepEqual(await activity.follow(mark, 10), []);

      let added = 0;
      for (const count of [1, 3, 5]) {
        for (; added < count; added++) await activity.add(activityRecord({ at: 200 }));
        assert.equal((await followed({ activity }, mark, count)).length, count);
      }
    },
  ],
  [
    "a read that is cancelled rejects with the reason of its signal",
    async ({ store: { activity } }) => {
      await activity.add(activityRecord({ server_name: "git" }));
      const stop = AbortSignal.abort(new Error("gone"));

      await assert.rejects(activity.select({ server: "git" }, { limit: 1 }, stop), /gone/);
    },
  ],
];
