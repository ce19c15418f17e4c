import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { publishCallBlocked, publishCallEnded, publishCallStarted } from "#lib/core/gateway/publish-call.ts";
import { nobodyByMcp } from "#test/kit/actor.ts";
import { verifies } from "#test/kit/verifies.ts";

const WHICH = { server: "git", tool: "log" };
const BY = { ...nobodyByMcp, origin: { ...nobodyByMcp.origin, sessionId: "s1", parentId: "p1" } };
const ABOUT = {
  server_name: "git",
  tool_name: "log",
  request_id: "r-1",
  source: "mcp",
  session_id: "s1",
  parent_id: "p1",
};

function told(tell: (app: App) => void): unknown {
  const events: unknown[] = [];
  // Only this member is used.
  tell({ events: { publish: (kind: string, data: object) => events.push([kind, data]) } } as unknown as App);
  return events[0];
}

verifies(
  ["rest.events.call-started", "rest.events.call-completed", "rest.events.policy-decision"],
  "a call is told at its start and its end, by the id of its record; its arguments and answer are not",
  () => {
    const entry = {
      type: "tool_call",
      status: "error",
      duration_ms: 3,
      error_message: "no",
      arguments: { secret: 1 },
      response: "{}",
      metadata: { tool_variant: "call_tool_read", client_ip: "10.0.0.1" },
    } as const;

    assert.deepEqual(
      told((app) => publishCallStarted(app, BY, WHICH)),
      ["activity.tool_call.started", ABOUT],
    );
    assert.deepEqual(
      told((app) => publishCallEnded(app, BY, WHICH, "a", entry, new Error("no"))),
      [
        "activity.tool_call.completed",
        { ...ABOUT, status: "error", duration_ms: 3, error_message: "no", tool_variant: "call_tool_read", id: "a" },
      ],
    );
    assert.deepEqual(
      told((app) => publishCallBlocked(app, BY, WHICH, "b", "tool_changed")),
      ["activity.policy_decision", { ...ABOUT, decision: "blocked", reason: "tool_changed", id: "b" }],
    );
  },
);

test("a call that found no place is told as rejected, with the limit and when to come back (reference 2.2)", () => {
  const fault = new Fault("queue_timeout", {
    scope: "server",
    server: "git",
    limit: 2,
    waitedMs: 50,
    retryAfterMs: 1500,
  });
  const entry = { type: "tool_call", status: "rejected", duration_ms: 50, error_message: fault.message } as const;

  assert.deepEqual(
    told((app) => publishCallEnded(app, BY, WHICH, "a", entry, fault)),
    [
      "activity.tool_call.rejected",
      {
        ...ABOUT,
        reason: "queue_timeout",
        scope: "server",
        limit: 2,
        retry_after_ms: 1500,
        message: fault.message,
        duration_ms: 50,
        id: "a",
      },
    ],
  );
});
