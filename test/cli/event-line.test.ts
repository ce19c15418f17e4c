import assert from "node:assert/strict";
import { test } from "node:test";
import { eventLine, isOf, serverOf } from "#cli/event-line.ts";

const heard = (event: string, payload: object) => ({
  event,
  id: "a-1",
  data: { payload, timestamp: 1, at: "2026-01-31T09:30:00.000Z" },
});

test("an event is one line: when, what, about what, how it went", () => {
  const rows: [ReturnType<typeof heard>, string][] = [
    [
      heard("activity.tool_call.completed", {
        server_name: "git",
        tool_name: "log",
        status: "error",
        duration_ms: 12,
        error_message: "no\nbranch",
      }),
      "tool_call.completed  git:log  error  12 ms  no branch",
    ],
    [
      heard("activity.policy_decision", { server_name: "git", tool_name: "log", reason: "tool_changed" }),
      "policy_decision  git:log  tool_changed",
    ],
    [
      heard("servers.changed", { reason: "server_connected", server: "git", servers: [{}] }),
      "servers.changed  git  server_connected",
    ],
    [heard("activity.preflight.completed", { verdict: "ready" }), "preflight.completed  ready"],
    [
      heard("activity.quarantine_change", { server_name: "git", quarantined: false }),
      "quarantine_change  git  released",
    ],
    [heard("gap", { reason: "expired", lost: 4 }), "gap  expired"],
    [
      heard("activity.config_change", { affected_entity: "\u001b[2Jgit", action: "patch" }),
      "config_change  �[2Jgit  patch",
    ],
  ];
  for (const [event, wanted] of rows) assert.equal(eventLine(event), `2026-01-31T09:30:00.000Z  ${wanted}`);
  assert.equal(eventLine({ event: "status", id: "a", data: { running: true } }), "status");
});

test("types choose by the whole kind or its beginning, with or without activity", () => {
  const rows: [string, string[], boolean][] = [
    ["activity.tool_call.started", ["activity"], true],
    ["activity.tool_call.started", ["tool_call"], true],
    ["activity.tool_call.started", ["tool_call.completed"], false],
    ["activity.tool_call.completed", ["policy_decision", "tool_call.completed"], true],
    ["activity.tool_call.completed", ["activity.tool_call"], true],
    ["servers.changed", ["activity"], false],
    ["servers.changed", ["servers.changed"], true],
    ["servers.changed", ["server"], false],
    ["servers.changed", ["servers"], true],
  ];
  for (const [event, types, wanted] of rows) assert.equal(isOf(heard(event, {}), types), wanted, `${event} ${types}`);
});

test("the server of an event is whichever member names it", () => {
  assert.equal(serverOf(heard("x", { target_server: "git" })), "git");
  assert.equal(serverOf(heard("x", { affected_entity: "git" })), "git");
  assert.equal(serverOf(heard("x", {})), undefined);
  assert.equal(serverOf({ event: "ping", id: "", data: 1 }), undefined);
});
