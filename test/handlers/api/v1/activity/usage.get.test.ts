import assert from "node:assert/strict";
import { test } from "node:test";
import { usageByTool } from "#lib/core/verbs/activity/usage.ts";
import { agent } from "#test/kit/actor.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask, call } from "#test/kit/http.ts";
import { activityRecord } from "#test/kit/store.ts";

const USAGE = "GET /api/v1/activity/usage";
const HOUR_MS = 3_600_000;
const NOW = 1_700_002_800_000;

const start = (fn: (app: TestApp) => Promise<void>) =>
  withApp({ connect: false, clock: handClock(NOW) }, async (app) => {
    const add = (own: Parameters<typeof activityRecord>[0]) =>
      app.store.activity.add(activityRecord({ at: NOW - 1000, ...own }));
    const log = { server_name: "git", tool_name: "log" };
    await Promise.all([
      ...[10, 20, 30, 40].map((duration_ms) =>
        add({ ...log, duration_ms, request_bytes: 10, response_bytes: duration_ms }),
      ),
      add({ ...log, duration_ms: 900, status: "error", request_bytes: 12 }),
      add({ ...log, status: "rejected", duration_ms: 5 }),
      add({ ...log, type: "policy_decision", status: "blocked" }),
      add({ ...log, type: "preflight" }),
      add({ server_name: "web", tool_name: "get", duration_ms: 1, response_bytes: 1000, at: NOW - 5 * HOUR_MS }),
      add({ server_name: "git", tool_name: "diff", duration_ms: 2000, at: NOW - 6 * HOUR_MS }),
      add({ server_name: "git", tool_name: "diff", duration_ms: 1000, at: NOW - 100 * HOUR_MS }),
      add({ server_name: "old", tool_name: "x", duration_ms: 1, at: NOW - 1000 * HOUR_MS }),
    ]);
    await fn(app);
  });

test("each tool's calls within the window are counted, with durations and sizes", () =>
  start(async (app) => {
    const data = await call(app, USAGE, {});

    assert.deepEqual(
      [data.window, data.generated_at, data.token_source, data.other],
      ["24h", new Date(NOW).toISOString(), "bytes", undefined],
    );
    assert.deepEqual(
      data.tools.map((t) => `${t.server}:${t.tool}`),
      ["web:get", "git:log", "git:diff"],
    );
    assert.deepEqual(data.tools[1], {
      server: "git",
      tool: "log",
      calls: 5,
      errors: 1,
      error_rate: 0.2,
      blocked: 1,
      rejected: 1,
      total_req_bytes: 52,
      avg_req_bytes: 10,
      total_resp_bytes: 100,
      avg_resp_bytes: 25,
      sized_calls: 4,
      p50_ms: 30,
      p95_ms: 900,
      last_used: new Date(NOW - 1000).toISOString(),
    });
    assert.deepEqual([data.tools[2]?.calls, data.tools[2]?.avg_resp_bytes, data.tools[2]?.p50_ms], [1, null, 2000]);
  }));

test("windows reach as far as they say, and their timelines have every piece", () =>
  start(async (app) => {
    const counted = async (window: string) => {
      const { tools, timeline } = await call(app, USAGE, { query: { window } as never });
      return [tools.length, tools.reduce((n, t) => n + t.calls, 0), timeline.length];
    };
    assert.deepEqual(await counted("24h"), [3, 7, 25]);
    assert.deepEqual(await counted("7d"), [3, 8, 29]);
    assert.deepEqual(await counted("all"), [4, 9, 42]);
    const { timeline } = await call(app, USAGE, {});
    assert.deepEqual(timeline.at(-2), {
      start: new Date(NOW - HOUR_MS).toISOString(),
      calls: 5,
      errors: 1,
      total_resp_bytes: 100,
    });
  }));

test("the order, the length of the list and the filters are as asked for", () =>
  start(async (app) => {
    const names = async (query: object) =>
      (await call(app, USAGE, { query: query as never })).tools.map((t) => `${t.server}:${t.tool}`);
    assert.deepEqual(await names({ sort: "calls" }), ["git:log", "git:diff", "web:get"]);
    assert.deepEqual(await names({ sort: "error_rate" }), ["git:log", "git:diff", "web:get"]);
    assert.deepEqual(await names({ sort: "p95" }), ["git:diff", "git:log", "web:get"]);
    assert.deepEqual(await names({ server: "web" }), ["web:get"]);
    assert.deepEqual(await names({ tool: "log" }), ["git:log"]);
    assert.deepEqual(await names({ status: "blocked" }), ["git:log"]);

    const { tools, other } = await call(app, USAGE, { query: { top: "1", sort: "calls" } });
    assert.equal(tools.length, 1);
    assert.deepEqual(other, { tools_folded: 2, calls: 2, total_resp_bytes: 1000 });
    for (const query of ["window=1y", "sort=name", "top=many", "status=fine"])
      assert.equal((await ask(app, `${USAGE}?${query}`)).status, 400, query);
  }));

test("a limited caller's usage is of its servers only", () =>
  start(async (app) => {
    const request = { window: "all", sort: "calls", top: 20, filter: {} } as const;
    const { tools } = await usageByTool(app, request, agent(["web"]).caller);
    assert.deepEqual(
      tools.map((t) => t.server),
      ["web"],
    );
  }));
