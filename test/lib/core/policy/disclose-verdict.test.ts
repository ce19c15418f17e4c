import assert from "node:assert/strict";
import { test } from "node:test";
import { discloseVerdict } from "#lib/core/policy/disclose-verdict.ts";
import { judge, type ToolSnapshot } from "#lib/core/policy/judge.ts";
import { type Caller, FULL_SCOPE, type Scope } from "#lib/core/schema/caller.ts";
import { seen } from "#test/kit/snapshot.ts";
import { verifies } from "#test/kit/verifies.ts";

const NARROW: Scope = { ...FULL_SCOPE, servers: new Set(["other"]) };
const OTHERS: Caller["tier"][] = ["agent", "user", "anonymous"];
const told = (snapshot: ToolSnapshot, tier: Caller["tier"], scope = NARROW) =>
  JSON.stringify(discloseVerdict(judge(snapshot, { scope, connection: true }), { tier }));

verifies(
  ["rest.preflight.agent-silence", "mcp.check.tier", "mcp.describe.out-of-scope"],
  "out of scope, not configured and unknown are the same bytes to everybody but an administrator",
  () => {
    const ordinary = told(seen({ tool: null }), "agent", FULL_SCOPE);
    const hidden = [
      seen({ server: null }),
      seen(),
      seen({ tool: null }),
      seen({ server: { quarantined: true } }),
      seen({ server: { enabled: false } }),
      seen({ server: { state: "Error" }, tool: null }),
      seen({ server: { authRequired: true, state: "Error" } }),
      seen({ tool: { status: "changed" } }),
      seen({ tool: { disabled: true }, denied: true }),
    ];

    assert.equal(JSON.parse(ordinary).reason, "not_found");
    for (const tier of OTHERS) for (const snapshot of hidden) assert.equal(told(snapshot, tier), ordinary);
  },
);

verifies("rest.preflight.operator-tier", "an administrator is told which of the three it is", () => {
  assert.equal(JSON.parse(told(seen({ server: null }), "admin")).reason, "server_not_configured");
  assert.equal(JSON.parse(told(seen(), "admin")).reason, "server_not_in_scope");
  assert.equal(JSON.parse(told(seen({ tool: null }), "admin", FULL_SCOPE)).reason, "not_found");
});

test("an administrator hears which profile leaves a server out (spec 000 §2.6)", () => {
  const verdict = judge(seen(), { scope: { ...NARROW, profile: "work" }, connection: true });

  assert.match(JSON.stringify(discloseVerdict(verdict, { tier: "admin" })), /outside profile \\"work\\"/);
});

test("what is in scope is told to everybody alike", () => {
  for (const snapshot of [seen(), seen({ tool: { status: "changed" } }), seen({ server: { quarantined: true } })])
    for (const tier of OTHERS) assert.equal(told(snapshot, tier, FULL_SCOPE), told(snapshot, "admin", FULL_SCOPE));
});
