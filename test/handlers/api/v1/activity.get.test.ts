import assert from "node:assert/strict";
import { test } from "node:test";
import { recordActivity } from "#lib/core/gateway/record-activity.ts";
import { activityDetail, listActivity } from "#lib/core/verbs/activity/list.ts";
import { sessionRecord } from "#lib/core/verbs/sessions/record.ts";
import { admin, agent } from "#test/kit/actor.ts";
import { TEST_KEY, type TestApp, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask, call } from "#test/kit/http.ts";
import { issue } from "#test/kit/token.ts";
import { verifies } from "#test/kit/verifies.ts";

const LIST = "GET /api/v1/activity";

/** One record a second: calls of two servers, a block, a preflight. */
const start = async (fn: (app: TestApp, ids: string[], from: number) => Promise<void>) => {
  const clock = handClock();
  await withApp({ connect: false, clock }, async (app) => {
    const from = clock.now();
    const ids: string[] = [];
    const add = async (entry: Parameters<typeof recordActivity>[2], origin = {}) => {
      await clock.advance(1000);
      const { id, durable } = recordActivity(app, { ...admin, origin: { ...admin.origin, ...origin } }, entry);
      ids.push(id);
      await durable;
    };
    const tool = { type: "tool_call", status: "success", duration_ms: 12 } as const;
    await add(
      { ...tool, server_name: "git", tool_name: "log", arguments: { a: 1 }, response: '{"x":1}' },
      { sessionId: "s1", requestId: "q1" },
    );
    await add(
      { ...tool, server_name: "git", tool_name: "push", status: "error", error_message: "no" },
      { sessionId: "s2" },
    );
    await add({ ...tool, server_name: "web", tool_name: "log" }, { parentId: "q1" });
    await add({
      type: "policy_decision",
      status: "blocked",
      server_name: "web",
      tool_name: "fetch",
      intent_type: "write",
    });
    await add({ type: "preflight", status: "success", metadata: { verdict: "ready" } });
    await fn(app, ids, from);
  });
};

verifies(
  [
    "rest.activity.list",
    "rest.activity.id",
    "rest.activity.type",
    "rest.activity.names",
    "rest.activity.status",
    "rest.activity.duration",
    "rest.activity.timestamp",
  ],
  "records are listed newest first, without what was sent and answered",
  () =>
    start(async (app, ids, from) => {
      const data = await call(app, LIST, {});

      assert.deepEqual([data.total, data.limit, data.offset], [5, 50, 0]);
      assert.deepEqual(
        data.activities.map((a) => a.id),
        [...ids].reverse(),
      );
      assert.deepEqual(data.activities[4], {
        id: ids[0],
        type: "tool_call",
        source: "api",
        server_name: "git",
        tool_name: "log",
        status: "success",
        duration_ms: 12,
        timestamp: new Date(from + 1000).toISOString(),
        session_id: "s1",
        request_id: "q1",
        actor: "admin",
        auth_type: "admin",
      });
    }),
);

verifies(
  ["rest.activity.get", "rest.activity.times", "rest.request-id.activity-filter"],
  "every filter narrows the list, and total counts the matches",
  () =>
    start(async (app, _, from) => {
      const at = (seconds: number) => new Date(from + seconds * 1000).toISOString();
      const client = { name: "cursor", version: "1" };
      await app.store.sessions.put(sessionRecord("s2", from, { mode: "call", caller: admin.caller, client }));
      const rows: [Record<string, string>, number][] = [
        [{ type: "tool_call" }, 3],
        [{ type: "policy_decision,preflight" }, 2],
        [{ server: "git" }, 2],
        [{ tool: "log" }, 2],
        [{ server: "git", tool: "log" }, 1],
        [{ session_id: "s2" }, 1],
        [{ client: "cursor" }, 1],
        [{ client: "vscode" }, 0],
        [{ status: "error" }, 1],
        [{ status: "blocked" }, 1],
        [{ request_id: "q1" }, 1],
        [{ parent_id: "q1" }, 1],
        [{ start_time: at(2) }, 3],
        [{ end_time: at(2) }, 1],
        [{ start_time: at(1), end_time: at(4) }, 2],
        [{ start_time: at(2).replace("Z", "+00:00") }, 3],
        // As an unescaped plus sign arrives.
        [{ start_time: at(2).replace("Z", " 00:00") }, 3],
        [{ server: "nope" }, 0],
        [{ agent: "admin" }, 5],
        [{ agent: "bot" }, 0],
        [{ auth_type: "admin" }, 5],
        [{ auth_type: "agent" }, 0],
        [{ intent_type: "write" }, 1],
        [{ intent_type: "read" }, 0],
        [{ type: "internal_tool_call" }, 0],
        [{ type: "internal_tool_call,tool_call" }, 3],
      ];
      for (const [query, wanted] of rows) {
        const { total, activities } = await call(app, LIST, { query });
        assert.deepEqual([total, activities.length], [wanted, wanted], JSON.stringify(query));
      }
    }),
);

test("the members that the specification lists are there for every type of record", () =>
  start(async (app) => {
    const { activities } = await call(app, LIST, { query: { type: "preflight" } });

    const [{ server_name, tool_name, duration_ms } = {}] = activities;
    assert.deepEqual([server_name, tool_name, duration_ms], ["", "", 0]);
    const csv = await ask(app, `GET ${LIST.slice(4)}/export?format=csv&type=preflight`);
    assert.match(String(csv.body), /,preflight,api,,,success,,,\d{4}-/, "no zero that an average would count");
  }));

test("other systems' word for a script's record is understood as a filter", () =>
  withApp({ connect: false }, async (app) => {
    await recordActivity(app, admin, { type: "code_execution", tool_name: "code_execution", status: "success" })
      .durable;

    const { activities } = await call(app, LIST, { query: { type: "internal_tool_call" } });

    assert.deepEqual(
      activities.map(({ type }) => type),
      ["code_execution"],
    );
  }));

verifies(["rest.activity.paging", "rest.limit.activity"], "pages are 1 to 100 long, 50 unless asked", () =>
  start(async (app, ids) => {
    const page = async (query: Record<string, string>) => {
      const { activities, limit, offset, total } = await call(app, LIST, { query });
      return [activities.map((a) => a.id), limit, offset, total];
    };
    const newest = [...ids].reverse();
    assert.deepEqual(await page({ limit: "2" }), [newest.slice(0, 2), 2, 0, 5]);
    assert.deepEqual(await page({ limit: "2", offset: "4" }), [newest.slice(4), 2, 4, 5]);
    assert.deepEqual(await page({ limit: "1000" }), [newest, 100, 0, 5]);
    assert.deepEqual(await page({ offset: "99" }), [[], 50, 99, 5]);
  }),
);

test("a filter that cannot be meant is refused by name", () =>
  start(async (app) => {
    for (const [query, text] of [
      ["status=fine", /^status: must be one of success, error, blocked, rejected/],
      ["type=tool_call,nope", /^type: each must be one of tool_call/],
      ["start_time=yesterday", /^start_time: must be a time such as/],
      ["end_time=2026-02-30T00:00:00Z", /^end_time: is not a valid date/],
      ["limit=many", /^limit: must be a whole number from 1 to 100/],
    ] as const) {
      const { status, body } = await ask(app, `GET /api/v1/activity?${query}`);
      assert.equal(status, 400, query);
      assert.match(body.error, text);
    }
  }));

verifies(["rest.activity.detail"], "one record is given in full, with arguments and response", () =>
  start(async (app, ids) => {
    const { activity } = await call(app, "GET /api/v1/activity/{id}", { params: { id: ids[0]! } });
    assert.deepEqual([activity.arguments, activity.response], [{ a: 1 }, '{"x":1}']);
    assert.equal((await ask(app, "GET /api/v1/activity/nope")).status, 404);
  }),
);

test("an agent token reads what concerns its servers, and no others' payloads", () =>
  start(async (app, ids) => {
    const bot = agent(["git"]).caller;
    const { activities, total } = await listActivity(app, {}, { limit: 50, offset: 0 }, bot);
    assert.ok(activities.every((a) => a.server_name === "git"));
    assert.equal(total, 2);
    await assert.rejects(
      async () => await activityDetail(app, ids[4]!, bot),
      /not found/,
      "a check names servers of all kinds",
    );
    const own = recordActivity(app, agent(["git"]), { type: "preflight", status: "success" });
    await own.durable;
    assert.equal((await listActivity(app, {}, { limit: 50, offset: 0 }, bot)).total, 3);
    assert.equal((await activityDetail(app, own.id, bot)).id, own.id);
    assert.equal((await activityDetail(app, ids[0]!, bot)).arguments, undefined);
    await assert.rejects(async () => await activityDetail(app, ids[2]!, bot), /not found/);
  }));

verifies(
  ["rest.sessions.parent", "rest.sessions.list"],
  "the sub-calls of an execution are found by its request id",
  () =>
    start(async (app, ids) => {
      const page = await call(app, "GET /api/v1/sessions", { query: { parent_id: "q1" } });
      assert.deepEqual([page.calls?.map((c) => c.id), page.total, page.limit, page.offset], [[ids[2]], 1, 10, 0]);
    }),
);

test("the reason that a caller gives for a call is shown to administrators and to itself, and to no other agent", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x" }] }, async (app) => {
    const [mine, other] = [await issue(app, { name: "mine" }), await issue(app, { name: "other" })];
    const intent = { operation_type: "read", reason: "tell the next one" };
    const by = { ...admin, caller: { ...agent(["git"]).caller, name: "mine" } };
    const { id, durable } = recordActivity(app, by, {
      type: "tool_call",
      status: "success",
      server_name: "git",
      tool_name: "log",
      metadata: { intent },
    });
    await durable;

    for (const route of [LIST, `${LIST}/${id}`, `${LIST}/export`, `${LIST}/export?format=csv&include_bodies=true`])
      for (const [who, key, shown] of [
        ["administrator", TEST_KEY, true],
        ["itself", mine, true],
        ["another", other, false],
      ] as const) {
        const { status, body } = await ask(app, route, { as: { "x-api-key": key } });
        assert.equal(status, 200);
        const text = JSON.stringify(body);
        assert.ok(text.includes("log"), `${route} ${who}`);
        // The table of the CSV export has no column for it.
        if (!route.includes("csv") || !shown) assert.equal(text.includes(intent.reason), shown, `${route} ${who}`);
      }
  }));

test("another agent's errors, and its URIs that no server lists, are shown to administrators and to itself alone", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x" }] }, async (app) => {
    const [mine, other] = [await issue(app, { name: "mine" }), await issue(app, { name: "other" })];
    const by = { ...admin, caller: { ...agent(["git"]).caller, name: "mine" } };
    const records = [
      { type: "tool_call", status: "error", server_name: "git", tool_name: "log", error_message: "no such customer" },
      { type: "policy_decision", status: "blocked", server_name: "git", error_message: "no such customer" },
      { type: "code_execution", status: "error", tool_name: "code_execution", error_message: "no such customer" },
      { type: "resource_read", status: "success", server_name: "git", tool_name: "crm://no such customer" },
    ] as const;
    for (const record of records) await recordActivity(app, by, { ...record }).durable;

    for (const route of [LIST, `${LIST}/export`, `${LIST}/export?format=csv`, "GET /api/v1/diagnostics"])
      for (const [who, key, count] of [
        ["administrator", TEST_KEY, records.length],
        ["itself", mine, records.length],
        ["another", other, 0],
      ] as const) {
        const { status, body } = await ask(app, route, { as: { "x-api-key": key } });
        assert.equal(status, 200);
        const shown = JSON.stringify(body).split("no such customer").length - 1;
        if (!route.includes("diagnostics") || count === 0) assert.equal(shown, count, `${route} ${who}`);
      }
  }));
