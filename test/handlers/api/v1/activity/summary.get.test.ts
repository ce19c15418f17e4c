import assert from "node:assert/strict";
import { test } from "node:test";
import { summariseActivity } from "#lib/core/verbs/activity/summarise-activity.ts";
import { agent } from "#test/kit/actor.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask, call } from "#test/kit/http.ts";
import { activityRecord } from "#test/kit/store.ts";

const HOUR_MS = 3_600_000;
const NOW = 1_700_000_000_000;

const start = (fn: (app: TestApp) => Promise<void>) =>
  withApp({ connect: false, clock: handClock(NOW) }, async (app) => {
    const add = (times: number, own: Parameters<typeof activityRecord>[0]) =>
      Array.from({ length: times }, () => app.store.activity.add(activityRecord({ at: NOW - 1000, ...own })));
    await Promise.all([
      ...add(3, { server_name: "git", tool_name: "log" }),
      ...add(2, { server_name: "git", tool_name: "diff", status: "error" }),
      ...add(1, { server_name: "web", tool_name: "get", status: "rejected" }),
      ...add(1, { server_name: "web", type: "policy_decision", tool_name: "get", status: "blocked" }),
      ...add(1, { type: "preflight" }),
      ...add(4, { server_name: "git", tool_name: "log", at: NOW - 2 * HOUR_MS }),
      ...add(8, { server_name: "old", tool_name: "x", at: NOW - 20 * 24 * HOUR_MS }),
      ...["a", "b", "c", "d"].flatMap((name) => add(1, { server_name: name, tool_name: "t", at: NOW - 3 * HOUR_MS })),
    ]);
    await fn(app);
  });

test("what happened within a period is counted by outcome, with the busiest servers and tools", () =>
  start(async (app) => {
    const hour = await call(app, "GET /api/v1/activity/summary", { query: { period: "1h" } });
    assert.deepEqual(hour, {
      period: "1h",
      start_time: new Date(NOW - HOUR_MS).toISOString(),
      end_time: new Date(NOW).toISOString(),
      total_count: 8,
      success_count: 4,
      error_count: 2,
      blocked_count: 1,
      rejected_count: 1,
      top_servers: [
        { name: "git", count: 5 },
        { name: "web", count: 2 },
      ],
      top_tools: [
        { server: "git", tool: "log", count: 3 },
        { server: "git", tool: "diff", count: 2 },
        { server: "web", tool: "get", count: 2 },
      ],
    });

    const day = await call(app, "GET /api/v1/activity/summary", {});
    assert.deepEqual([day.period, day.total_count], ["24h", 16]);
    assert.deepEqual(
      day.top_servers.map((s) => s.name),
      ["git", "web", "a", "b", "c"],
    );
    const month = await call(app, "GET /api/v1/activity/summary", { query: { period: "30d" } });
    assert.deepEqual(month.top_servers[0], { name: "git", count: 9 });
    assert.equal(month.total_count, 24);
  }));

test("an unknown period is refused", () =>
  start(async (app) => {
    const { status, body } = await ask(app, "GET /api/v1/activity/summary?period=1y");
    assert.equal(status, 400);
    assert.match(body.error, /^period: must be one of 1h, 24h, 7d, 30d/);
  }));

test("a limited caller's summary is of its servers only", () =>
  start(async (app) => {
    const { total_count, top_servers } = await summariseActivity(app, "1h", agent(["web"]).caller);
    assert.deepEqual([total_count, top_servers], [2, [{ name: "web", count: 2 }]]);
  }));
