import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { REASONS, type Reason, type SetVerdict, setVerdict } from "#lib/core/policy/reasons.ts";
import { verifies } from "#test/kit/verifies.ts";

/** Spec 000 §2.6, written down again by hand: `[reason, retryable, action, verdict class, exit]`. */
const TABLE: [Reason, boolean, string, SetVerdict, number][] = [
  ["server_initializing", true, "", "degraded_retryable", 10],
  ["server_unhealthy", true, "view_logs", "degraded_retryable", 10],
  ["server_disabled", false, "enable", "blocked", 11],
  ["server_quarantined", false, "approve", "blocked", 11],
  ["tool_pending_approval", false, "approve", "blocked", 11],
  ["tool_changed", false, "approve", "blocked", 11],
  ["tool_blocked_by_user", false, "enable", "blocked", 11],
  ["oauth_required", false, "login", "blocked", 11],
  ["hash_mismatch", false, "configure", "blocked", 11],
  ["server_not_in_scope", false, "configure", "blocked", 11],
  ["tool_denied_by_config", false, "configure", "blocked", 11],
  ["missing_annotation", false, "configure", "blocked", 11],
  ["policy_filtered", false, "", "blocked", 11],
  ["not_found", false, "configure", "unknown_ids", 12],
  ["server_not_configured", false, "configure", "unknown_ids", 12],
];

/** What this proxy adds to the specification's table, which evolves by addition. */
const ADDED: typeof TABLE = [["permission_denied", false, "configure", "blocked", 11]];

verifies(
  [
    "rest.preflight.closed-enum",
    "rest.reason.server-initializing",
    "rest.reason.server-unhealthy",
    "rest.reason.server-disabled",
    "rest.reason.server-quarantined",
    "rest.reason.tool-pending-approval",
    "rest.reason.tool-changed",
    "rest.reason.tool-blocked-by-user",
    "rest.reason.oauth-required",
    "rest.reason.hash-mismatch",
    "rest.reason.server-not-in-scope",
    "rest.reason.tool-denied-by-config",
    "rest.reason.missing-annotation",
    "rest.reason.policy-filtered",
    "rest.reason.not-found",
    "rest.reason.server-not-configured",
  ],
  "the table of reasons is the specification's and what was added to it, and holds nothing else",
  () => {
    const ours = Object.entries(REASONS).map(([reason, r]) => [reason, r.retryable, r.action, r.verdict, r.exit]);

    assert.deepEqual(new Set(ours.map((r) => r.join())), new Set([...TABLE, ...ADDED].map((r) => r.join())));
    assert.ok(!("server_saturated" in REASONS));
  },
);

verifies(["rest.preflight.worst", "rest.preflight.classes"], "the verdict of a set is the worst class in it", () => {
  const ready = undefined;
  const rows: [(Reason | undefined)[], SetVerdict][] = [
    [[], "ready"],
    [[ready, ready], "ready"],
    [[ready, "server_initializing"], "degraded_retryable"],
    [["server_unhealthy", "policy_filtered"], "blocked"],
    [["not_found", "server_unhealthy", "tool_changed", ready], "unknown_ids"],
    [[ready, "tool_changed", "server_not_configured"], "unknown_ids"],
  ];
  for (const [reasons, verdict] of rows) assert.equal(setVerdict(reasons), verdict, reasons.join());
});

test("every pair of reasons gives the worse of the two, in either order (spec 000 §2.6 rule 3)", () => {
  const rank: SetVerdict[] = ["ready", "degraded_retryable", "blocked", "unknown_ids"];
  for (const [a, , , classA] of [...TABLE, ...ADDED])
    for (const [b, , , classB] of [...TABLE, ...ADDED]) {
      const worse = rank[Math.max(rank.indexOf(classA), rank.indexOf(classB))];
      assert.equal(setVerdict([a, b]), worse, `${a}, ${b}`);
      assert.equal(setVerdict([b, a]), worse, `${b}, ${a}`);
    }
});

test("a remedy names only commands that exist", () => {
  for (const [reason, row] of Object.entries(REASONS)) {
    const sentence = row.remediation("git", "git:log");
    for (const [command, group, verb] of sentence.matchAll(/proxy ([a-z]+) ([a-z]+)/g))
      assert.ok(existsSync(`cli/commands/${group}/${verb}.ts`), `${reason}: ${command}`);
  }
});
