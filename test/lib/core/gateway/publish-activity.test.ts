import assert from "node:assert/strict";
import { test } from "node:test";
import { recordActivity } from "#lib/core/gateway/record-activity.ts";
import type { EventOf } from "#lib/core/schema/event.ts";
import { recordDaemonStart, recordDaemonStop } from "#lib/core/verbs/activity/record-daemon.ts";
import { admin } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { verifies } from "#test/kit/verifies.ts";

/** What one record makes listeners hear, but for its id. */
const heard = (entry: Parameters<typeof recordActivity>[2]) =>
  withApp({ connect: false }, async (app) => {
    const events: EventOf[] = [];
    app.events.subscribe((event) => events.push(event));
    const { id } = recordActivity(app, admin, entry);
    return events.map(({ kind, data }) => {
      const { id: told, ...rest } = data as { id?: string };
      assert.equal(told, id);
      return [kind, rest];
    });
  });

const noted = { source: "api", request_id: "r-1" };

test("records of changes, checks and executions are told to listeners with the record's id (reference 2.2)", async () => {
  const change = { action: "patch", fields: ["env"] };
  const rows: [Parameters<typeof recordActivity>[2], unknown][] = [
    [
      { type: "quarantine_change", status: "success", server_name: "git", metadata: { quarantined: true } },
      ["activity.quarantine_change", { server_name: "git", quarantined: true, ...noted }],
    ],
    [
      {
        type: "tool_quarantine_change",
        status: "success",
        server_name: "git",
        tool_name: "log",
        metadata: { action: "approve" },
      },
      ["activity.tool_quarantine_change", { server_name: "git", tool_name: "log", action: "approve", ...noted }],
    ],
    [
      { type: "server_change", status: "success", server_name: "git", metadata: change },
      ["activity.config_change", { action: "patch", affected_entity: "git", changed_fields: ["env"], ...noted }],
    ],
    [
      { type: "config_change", status: "success", metadata: { action: "apply" } },
      ["activity.config_change", { action: "apply", affected_entity: "configuration", ...noted }],
    ],
    [
      { type: "preflight", status: "success", metadata: { verdict: "blocked", ids_count: 2, per_tool: ["secret:x"] } },
      ["activity.preflight.completed", { verdict: "blocked", ids_count: 2, ...noted }],
    ],
    [
      { type: "code_execution", status: "error", tool_name: "code_execution", duration_ms: 4, error_message: "web:x" },
      [
        "activity.code_execution.completed",
        { internal_tool_name: "code_execution", status: "error", duration_ms: 4, ...noted },
      ],
    ],
  ];
  for (const [entry, wanted] of rows) assert.deepEqual(await heard(entry), [wanted], entry.type);
  assert.deepEqual(await heard({ type: "tool_call", status: "success", server_name: "git" }), []);
});

verifies("rest.events.further", "the program's own start and stop are told", async () => {
  const clock = handClock();
  await withApp({ connect: false, clock }, async (app) => {
    const events: unknown[] = [];
    app.events.subscribe(({ kind, data }) => events.push([kind, data]));
    await clock.advance(250);
    recordDaemonStart(app);
    await clock.advance(4000);
    recordDaemonStop(app, "SIGTERM");

    assert.deepEqual(events, [
      ["activity.system.start", { version: "0.0.0-test", listen_address: "", startup_duration_ms: 250 }],
      ["activity.system.stop", { reason: "SIGTERM", uptime_seconds: 4 }],
    ]);
  });
});
