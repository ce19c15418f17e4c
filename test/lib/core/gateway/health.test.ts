import assert from "node:assert/strict";
import { test } from "node:test";
import { type HealthFacts, serverHealth } from "#lib/core/gateway/health.ts";
import type { ConnectionStatus, Health } from "#lib/core/schema/connection-status.ts";
import type { UpstreamSignIn } from "#lib/core/schema/upstream-sign-in.ts";
import { UpstreamError } from "#lib/core/upstream/errors.ts";
import { failureCause } from "#lib/core/upstream/failure-cause.ts";
import { verifies } from "#test/kit/verifies.ts";

const WELL: ConnectionStatus = { state: "Ready", since: 0, attempts: 1, reconnects: 0, connectedAt: 1 };
const facts = (status: Partial<ConnectionStatus> | null, over: Partial<HealthFacts> = {}): HealthFacts => ({
  enabled: true,
  quarantined: false,
  tools: 3,
  pending: 0,
  changed: 0,
  ...(status && { status: { ...WELL, ...causeOf(status), ...status } }),
  ...over,
});
/** The cause as the connection reports it with its error. */
function causeOf({ lastError, errorClass }: Partial<ConnectionStatus>): Partial<ConnectionStatus> {
  if (lastError === undefined) return {};
  const cause = failureCause(new UpstreamError(lastError, { ...(errorClass && { errorClass }) }));
  return cause ? { failureCause: cause } : {};
}
const failed = (lastError: string, more: Partial<ConnectionStatus> = {}, over: Partial<HealthFacts> = {}) =>
  facts({ state: "Error", lastError, ...more }, over);
const UNANSWERED = "it did not respond to tools/list within 30 s";

verifies(
  ["rest.health.level", "rest.health.admin-state", "rest.health.summary", "rest.health.detail", "rest.health.action"],
  "health follows from what is wanted and what is known, the first row that fits",
  () => {
    const down = { state: "Error", lastError: "spawn npx ENOENT" } as const;
    const rows: [HealthFacts, Health["level"], Health["admin_state"], string, Health["action"], detail?: string][] = [
      [facts(down, { enabled: false }), "healthy", "disabled", "Disabled", "enable"],
      [facts(down, { enabled: false, quarantined: true }), "healthy", "disabled", "Disabled", "enable"],
      [facts({}, { quarantined: true }), "healthy", "quarantined", "Quarantined for review", "approve"],
      [facts({}, { quarantined: true, pending: 3 }), "healthy", "quarantined", "Quarantined for review", "approve"],
      [
        facts({}, { quarantined: true, tools: 0 }),
        "healthy",
        "quarantined",
        "Quarantined for review",
        "",
        "it lists no tools, so there is nothing to review",
      ],
      [
        facts({ listing: { listed: false } }, { quarantined: true, tools: 0 }),
        "healthy",
        "quarantined",
        "Quarantined for review",
        "",
        "listing its tools",
      ],
      [facts({ state: "Connecting" }, { quarantined: true, tools: 0 }), "healthy", "quarantined", "Connecting...", ""],
      [facts(null, { quarantined: true, tools: 0 }), "healthy", "quarantined", "Connecting...", ""],
      [
        facts(down, { quarantined: true }),
        "unhealthy",
        "quarantined",
        "Command not found",
        "configure",
        down.lastError,
      ],
      [
        failed("secret ${env:X} is not set", { missingSecret: "${env:X}" }, { quarantined: true }),
        "unhealthy",
        "quarantined",
        "Missing secret",
        "set_secret",
        "${env:X}",
      ],
      [
        failed("401 Unauthorized", { authRequired: true }, { quarantined: true }),
        "degraded",
        "quarantined",
        "Sign-in required",
        "login",
        "401 Unauthorized",
      ],
      [
        facts(null, { quarantined: true, held: true }),
        "healthy",
        "quarantined",
        "Held: not started until an administrator confirms it",
        "approve",
        "it was added or changed over MCP",
      ],
      [
        facts({ listing: { listed: false, error: UNANSWERED } }, { tools: 0 }),
        "unhealthy",
        "enabled",
        "Tool listing failed: it did not respond to tool...",
        "view_logs",
        `Tool listing failed: ${UNANSWERED}`,
      ],
      [
        facts({ listing: { listed: false, error: UNANSWERED } }, { tools: 0, quarantined: true }),
        "unhealthy",
        "quarantined",
        "Tool listing failed: it did not respond to tool...",
        "view_logs",
        `Tool listing failed: ${UNANSWERED}`,
      ],
      [
        facts({ listing: { listed: true, error: "broken" } }),
        "degraded",
        "enabled",
        "Tool listing failed: broken",
        "view_logs",
        "Tool listing failed: broken",
      ],
      [
        facts({ itemsError: "error -32603: the index is broken" }, { pending: 1 }),
        "degraded",
        "enabled",
        "Listing of prompts and resources failed",
        "view_logs",
        "Listing of prompts and resources failed: error -32603: the index is broken",
      ],
      [
        facts({ itemsError: "broken" }, { quarantined: true }),
        "healthy",
        "quarantined",
        "Quarantined for review",
        "approve",
        "Listing of prompts and resources failed: broken",
      ],
      [
        facts({ itemsError: "broken" }, { quarantined: true, tools: 0 }),
        "degraded",
        "quarantined",
        "Listing of prompts and resources failed",
        "view_logs",
        "Listing of prompts and resources failed: broken",
      ],
      [
        facts({ itemsError: "broken", listing: { listed: true, error: "broken" } }),
        "degraded",
        "enabled",
        "Tool listing failed: broken",
        "view_logs",
        "Tool listing failed: broken",
      ],
      [facts({ itemsError: "broken", state: "Connecting" }), "healthy", "enabled", "Connecting...", ""],
      [facts({ listing: { listed: true } }), "healthy", "enabled", "Connected (3 tools)", ""],
      [
        failed("secret ${env:X} is not set", { missingSecret: "${env:X}" }),
        "unhealthy",
        "enabled",
        "Missing secret",
        "set_secret",
        "${env:X}",
      ],
      [
        failed("OAuth: resource parameter missing", { authRequired: true }),
        "unhealthy",
        "enabled",
        "OAuth configuration error",
        "configure",
        "OAuth: resource parameter missing",
      ],
      [
        failed("401 Unauthorized", { authRequired: true }),
        "degraded",
        "enabled",
        "Sign-in required",
        "login",
        "401 Unauthorized",
      ],
      [failed("invalid_grant"), "unhealthy", "enabled", "Authentication required", "login", "invalid_grant"],
      [
        failed("oauth host: connection refused"),
        "unhealthy",
        "enabled",
        "Connection refused",
        "restart",
        "oauth host: connection refused",
      ],
      [failed("spawn npx ENOENT"), "unhealthy", "enabled", "Command not found", "configure", "spawn npx ENOENT"],
      [
        failed("its process exited with code 2: ENOENT: no such file, stat '/notes'", { errorClass: "process_exited" }),
        "unhealthy",
        "enabled",
        "its process exited with code 2: ENOENT: no such...",
        "view_logs",
        "its process exited with code 2: ENOENT: no such file, stat '/notes'",
      ],
      [
        failed("there is no container engine (connect ENOENT /x)", { failureCause: "no_container_engine" }),
        "unhealthy",
        "enabled",
        "No container engine",
        "restart",
        "there is no container engine (connect ENOENT /x)",
      ],
      [facts({ state: "Disconnected" }), "unhealthy", "enabled", "Disconnected", "restart"],
      [
        facts({ state: "Disconnected", lastError: "read ECONNRESET" }),
        "unhealthy",
        "enabled",
        "Connection reset",
        "restart",
        "read ECONNRESET",
      ],
      [facts({ state: "Disconnected", authRequired: true }), "degraded", "enabled", "Sign-in required", "login"],
      [facts(null), "healthy", "enabled", "Connecting...", ""],
      [facts({ state: "Connecting" }), "healthy", "enabled", "Connecting...", ""],
      [
        facts({ state: "Authenticating", lastError: "it requires a sign-in (HTTP 401)" }),
        "degraded",
        "enabled",
        "Waiting for the sign-in",
        "login",
        "a user must sign in, in a browser",
      ],
      [
        facts({ state: "Connecting", lastError: "timeout", attempts: 0 }),
        "degraded",
        "enabled",
        "Reconnecting: Connection timeout",
        "view_logs",
        "timeout",
      ],
      [
        facts({ state: "Connecting", lastError: "timeout", attempts: 1 }),
        "unhealthy",
        "enabled",
        "Reconnecting: Connection timeout",
        "view_logs",
        "timeout",
      ],
      [
        facts({ authRequired: true }),
        "degraded",
        "enabled",
        "Sign-in required",
        "login",
        "a tool call was rejected because nobody is signed in",
      ],
      [facts({}, { tools: 0 }), "healthy", "enabled", "Connected", ""],
      [facts({}, { tools: 1 }), "healthy", "enabled", "Connected (1 tool)", ""],
      [facts({}, { tools: 12 }), "healthy", "enabled", "Connected (12 tools)", ""],
      [
        facts({}, { pending: 2 }),
        "healthy",
        "enabled",
        "Connected (3 tools)",
        "approve",
        "waiting for approval: 2 pending",
      ],
      [
        facts({}, { pending: 1, changed: 2 }),
        "healthy",
        "enabled",
        "Connected (3 tools)",
        "approve",
        "waiting for approval: 1 pending, 2 changed",
      ],
      [facts({ missingSecret: "${env:X}" }), "healthy", "enabled", "Connected (3 tools)", ""],
      [facts({ lastError: "an old one" }), "healthy", "enabled", "Connected (3 tools)", ""],
    ];
    for (const [given, level, admin_state, summary, action, detail] of rows)
      assert.deepEqual(
        serverHealth(given),
        { level, admin_state, summary, action, ...(detail !== undefined && { detail }) },
        JSON.stringify(given),
      );
  },
);

test("a server that was added a moment ago is connecting, not failed", () => {
  const { connectedAt: _, ...fresh } = WELL;

  assert.equal(
    serverHealth({ ...facts(null), status: { ...fresh, state: "Disconnected", attempts: 0 } }).level,
    "healthy",
  );
});

test("waiting tools are mentioned only when nothing is more pressing", () => {
  assert.equal(serverHealth(failed("timeout", {})).action, "restart");
  assert.equal(serverHealth({ ...failed("timeout"), pending: 5 }).action, "restart");
  assert.equal(serverHealth({ ...facts({ authRequired: true }), pending: 5 }).action, "login");
});

test("what a sign-in will need is told while the connection works, and why it ended when it does not", () => {
  const NOW = 1_000_000_000;
  const signIn = (more: Partial<UpstreamSignIn>, warnMs = 3_600_000) => ({
    signIn: { state: "signed_in" as const, renewable: true, ...more, now: NOW, warnMs },
  });
  const soon = { renewable: false, obtainedAt: NOW - 86_400_000, expiresAt: NOW + 1_800_000 };
  const young = { renewable: false, obtainedAt: NOW, expiresAt: NOW + 3_600_000 };
  const spent = { authRequired: true };
  const away = { state: "Error" as const, authRequired: true, lastError: "it requires a sign-in (HTTP 401)" };
  const failure = { errorType: "x", reason: "r", suggestion: "s", correlationId: "c", at: 1 };
  for (const [status, more, level, summary, action] of [
    [{}, signIn({}), "healthy", "Connected (3 tools)", ""],
    [{}, signIn(soon), "degraded", "Token expiring in 30m", "login"],
    [{}, signIn(soon, 600_000), "healthy", "Connected (3 tools)", ""],
    [{}, signIn(young), "healthy", "Connected (3 tools)", ""],
    [{}, signIn({ ...soon, renewable: true }), "healthy", "Connected (3 tools)", ""],
    [{}, signIn({ retry: { at: 1, reason: "busy" } }), "degraded", "Token refresh pending", "view_logs"],
    [{}, signIn({ ended: "invalid_grant" }), "degraded", "Sign-in ends", "login"],
    [{}, signIn({ needs: ["write"] }), "degraded", "Wider permission needed", "login"],
    [spent, signIn({ state: "expired", renewable: false }), "unhealthy", "Token expired", "login"],
    [spent, signIn({ state: "expired", ended: "invalid_grant" }), "unhealthy", "Token expired", "login"],
    [spent, signIn({ state: "failed", failure }), "unhealthy", "Sign-in failed", "login"],
    [spent, signIn({ state: "pending" }), "degraded", "Sign-in required", "login"],
    [away, signIn({ state: "none" }), "degraded", "Sign-in required", "login"],
    [away, signIn({ state: "signed_out" }), "unhealthy", "Logged out", "login"],
    [away, signIn({ state: "expired", ended: "invalid_grant" }), "unhealthy", "Sign-in expired", "login"],
    [away, signIn({ state: "failed", failure }), "unhealthy", "Sign-in failed", "login"],
  ] as const) {
    const found = serverHealth(facts(status, more));
    assert.deepEqual([found.level, found.summary, found.action], [level, summary, action]);
  }
});

test("a connected server at which nobody is signed in is not just connected if it rejects requests or lists nothing", () => {
  const empty = { tools: 0 };
  const listed = { listing: { listed: true } };
  const rejected = { ...listed, signInRejectedAt: 50 };
  const at = (state: UpstreamSignIn["state"], signInOption?: HealthFacts["signInOption"], obtainedAt?: number) => ({
    signIn: { state, renewable: true, ...(obtainedAt !== undefined && { obtainedAt }), now: 100, warnMs: 1 },
    ...(signInOption && { signInOption }),
  });
  const nothing = "it lists nothing";
  const maybe = `${nothing}; some servers list their tools only after a sign-in`;
  const needed = ["degraded", "Sign-in required", "login"] as const;
  const refused = [...needed, "it rejected a request, because it requires a sign-in"] as const;
  const rows: [Partial<ConnectionStatus>, Partial<HealthFacts>, level: string, string, string, detail?: string][] = [
    [listed, { ...empty, ...at("none", "configured") }, ...needed, "it lists nothing until somebody signs in"],
    [
      listed,
      { ...empty, ...at("pending", "configured") },
      "degraded",
      "Waiting for the sign-in",
      "login",
      "a user must sign in, in a browser",
    ],
    [listed, { ...empty, ...at("signed_in", "configured") }, "healthy", "Connected", "", nothing],
    [{ listing: { listed: false } }, { ...empty, ...at("none", "configured") }, "healthy", "Connected", ""],
    [listed, { ...empty, items: { listed: 1, waiting: 0 }, ...at("none", "configured") }, "healthy", "Connected", ""],
    [listed, at("none", "configured"), "healthy", "Connected (3 tools)", ""],
    [listed, { ...empty, ...at("none", "possible") }, "healthy", "Connected", "", maybe],
    [listed, { ...empty, ...at("none") }, "healthy", "Connected", "", nothing],
    [rejected, at("none", "possible"), ...refused],
    [rejected, at("signed_in", "configured", 49), ...refused],
    [rejected, at("signed_in", "configured", 51), "healthy", "Connected (3 tools)", ""],
    [rejected, at("none"), "healthy", "Connected (3 tools)", ""],
  ];
  for (const [status, over, level, summary, action, detail] of rows) {
    const found = serverHealth(facts(status, over));
    assert.deepEqual([found.level, found.summary, found.action, found.detail], [level, summary, action, detail]);
  }
  const held = (over: Partial<HealthFacts>) => serverHealth(facts(listed, { ...empty, quarantined: true, ...over }));
  assert.equal(held(at("none", "configured")).action, "login", "before the review");
  assert.match(held(at("none", "possible")).detail ?? "", /nothing to review; some servers list .* after a sign-in$/);
});

test("a failure has the summary of its cause, and without a cause the beginning of its error", () => {
  const rows: [error: string, failureCause: ConnectionStatus["failureCause"], summary: string, action: string][] = [
    ["odd", "host_unreachable", "Cannot connect", "restart"],
    ["odd", "host_not_found", "Host not found", "configure"],
    ["odd", "connection_closed", "Connection closed", "restart"],
    ["odd", "command_not_executable", "Command not executable", "configure"],
    ["odd", "authentication_failed", "Authentication failed", "configure"],
    ["odd", "unauthorized", "Unauthorized", "configure"],
    ["odd", "forbidden", "Access forbidden", "configure"],
    ["odd", "oauth_error", "OAuth error", "configure"],
    ["odd", "certificate", "Certificate error", "configure"],
    ["working_dir /x is not a folder", "no_working_dir", "working_dir /x is not a folder", "configure"],
    ["", undefined, "Disconnected", "restart"],
    ["odd", undefined, "odd", "view_logs"],
    ["two\n lines", undefined, "two lines", "view_logs"],
    ["x".repeat(50), undefined, "x".repeat(50), "view_logs"],
    ["x".repeat(51), undefined, `${"x".repeat(47)}...`, "view_logs"],
  ];
  for (const [error, failureCause, summary, action] of rows) {
    const found = serverHealth(failed(error, { ...(failureCause && { failureCause }) }));
    assert.deepEqual([found.summary, found.action], [summary, action]);
  }
});

verifies("rest.what.masking", "credentials in an error reach neither detail nor summary", () => {
  const unwell = serverHealth(failed("GET https://h/?token=abcdef failed: password=hunter2"));

  assert.doesNotMatch(JSON.stringify(unwell), /abcdef|hunter2/);
  assert.match(unwell.detail!, /token=••••ef \(6 chars\)/);
});
