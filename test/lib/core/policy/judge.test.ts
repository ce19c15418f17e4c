import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, type PolicyQuestion, type ToolSnapshot, type Verdict } from "#lib/core/policy/judge.ts";
import type { Reason } from "#lib/core/policy/reasons.ts";
import { FULL_SCOPE, type Permission, type Scope } from "#lib/core/schema/caller.ts";
import type { ConnectionState } from "#lib/core/schema/connection-status.ts";
import type { ApprovalStatus, ToolRow } from "#lib/core/schema/tool.ts";
import { HASH, seen } from "#test/kit/snapshot.ts";
import { verifies } from "#test/kit/verifies.ts";

const ASKED: PolicyQuestion = { scope: FULL_SCOPE, connection: true };

function refusal(verdict: Verdict) {
  assert.ok(!verdict.ready, "a refusal was expected");
  return verdict;
}
const reasonOf = (snapshot: ToolSnapshot, question: Partial<PolicyQuestion> = {}) => {
  const verdict = judge(snapshot, { ...ASKED, ...question });
  return verdict.ready ? "ready" : verdict.reason;
};

test("a present, approved tool of a connected server is ready", () => {
  assert.deepEqual(judge(seen(), ASKED), { ready: true });
});

/** The precedence written as a list of conditions, apart from the code: the first that holds is the reason. */
const PRECEDENCE: [Reason, (s: ToolSnapshot, q: PolicyQuestion) => boolean][] = [
  ["server_not_configured", (s) => s.server === undefined],
  ["server_not_in_scope", (_, q) => q.scope.servers !== "all" && !q.scope.servers.has("git")],
  ["server_quarantined", (s) => s.server!.quarantined],
  ["server_disabled", (s) => !s.server!.enabled],
  ["not_found", (s, q) => unknown(s) && (away(s) === undefined || !q.connection)],
  ["tool_denied_by_config", (s) => !unknown(s) && s.denied],
  ["tool_blocked_by_user", (s) => !unknown(s) && s.tool!.disabled],
  ["tool_changed", (s) => !unknown(s) && s.tool!.recorded && s.tool!.status === "changed" && !s.server!.trusted],
  [
    "tool_pending_approval",
    (s) => !unknown(s) && (!s.tool!.recorded || (s.tool!.status === "pending" && !s.server!.trusted)),
  ],
  ["hash_mismatch", (s, q) => !unknown(s) && q.pin !== undefined && q.pin !== s.tool!.hash],
  ["permission_denied", (s, q) => !unknown(s) && lacks(s, q)],
  ["oauth_required", (s, q) => q.connection && away(s) === "oauth_required"],
  ["server_unhealthy", (s, q) => q.connection && away(s) === "server_unhealthy"],
  ["server_initializing", (s, q) => q.connection && away(s) === "server_initializing"],
  [
    "missing_annotation",
    (s, q) => q.policy?.read_only_only === true && s.tool!.annotations?.readOnlyHint === undefined,
  ],
  ["policy_filtered", (s, q) => q.policy?.read_only_only === true && s.tool!.annotations?.readOnlyHint === false],
];
const unknown = (s: ToolSnapshot) => s.tool === undefined;
/** The product below has one limited scope, of reading; only a tool that declares to be read-only takes no more. */
const lacks = (s: ToolSnapshot, q: PolicyQuestion) =>
  q.scope.permissions !== "all" && (s.tool!.annotations?.readOnlyHint !== true || q.variant !== undefined);
const AWAY: Record<ConnectionState, [plain: Reason | undefined, signIn: Reason | undefined]> = {
  Ready: [undefined, "oauth_required"],
  Authenticating: ["server_initializing", "server_initializing"],
  Connecting: ["server_initializing", "oauth_required"],
  Disconnected: ["server_unhealthy", "oauth_required"],
  Error: ["server_unhealthy", "oauth_required"],
};
const away = (s: ToolSnapshot) =>
  s.server!.state === "Ready" && !s.server!.authRequired && s.tool?.present === false
    ? "server_initializing"
    : AWAY[s.server!.state][s.server!.authRequired ? 1 : 0];

function* product(): Generator<[ToolSnapshot, PolicyQuestion]> {
  const bool = [false, true];
  const states: ConnectionState[] = ["Disconnected", "Connecting", "Authenticating", "Ready", "Error"];
  const read: Scope = { ...FULL_SCOPE, permissions: new Set<Permission>(["read"]) };
  const callers: Pick<PolicyQuestion, "scope" | "variant">[] = [
    { scope: FULL_SCOPE },
    { scope: { ...FULL_SCOPE, servers: new Set(["other"]) } },
    { scope: read },
    { scope: read, variant: "call_tool_write" },
  ];
  const tools: (Partial<ToolRow> | null)[] = [null];
  const statuses: ApprovalStatus[] = ["approved", "pending", "changed"];
  for (const status of statuses)
    for (const recorded of bool)
      for (const disabled of bool)
        for (const present of bool)
          for (const annotations of [{}, { readOnlyHint: true }, { readOnlyHint: false }])
            tools.push({ status, recorded, disabled, present, annotations });
  const questions: PolicyQuestion[] = callers.flatMap((caller) =>
    bool.flatMap((connection) =>
      [undefined, HASH, `sha256/v2:${"b".repeat(64)}`].flatMap((pin) =>
        bool.map((read_only_only) => ({ ...caller, connection, policy: { read_only_only }, ...(pin && { pin }) })),
      ),
    ),
  );
  for (const question of questions) {
    yield [seen({ server: null }), question];
    for (const state of states)
      for (const quarantined of bool)
        for (const enabled of bool)
          for (const authRequired of bool)
            for (const trusted of bool)
              for (const denied of bool)
                for (const tool of tools)
                  yield [
                    seen({ server: { state, quarantined, enabled, authRequired, trusted }, tool, denied }),
                    question,
                  ];
  }
}

verifies(
  "rest.preflight.one-reason",
  "of everything that is wrong at once, the first in the order of precedence is told",
  () => {
    const met = new Set<string>();
    let rows = 0;
    for (const [snapshot, question] of product()) {
      rows++;
      const expected = PRECEDENCE.find(([, holds]) => holds(snapshot, question))?.[0] ?? "ready";
      const verdict = judge(snapshot, question);
      const got = verdict.ready ? "ready" : verdict.reason;
      met.add(got);
      if (got !== expected) assert.equal(got, expected, JSON.stringify({ snapshot, question }));
    }
    assert.ok(rows > 100_000, `${rows} rows`);
    assert.deepEqual(met, new Set<string>([...PRECEDENCE.map(([reason]) => reason), "ready"]));
  },
);

verifies("rest.preflight.malformed-id", "an id without two halves is not found, with a hint about its form", () => {
  for (const id of ["", ":", "git", "git:", ":log"]) {
    const verdict = refusal(judge({ ...seen(), id }, ASKED));

    assert.equal(verdict.reason, "not_found", id);
    assert.match(verdict.detail, /server:tool/, id);
  }
});

verifies("rest.preflight.unrecorded", "a tool without an approval record is pending with action restart", () => {
  for (const trusted of [false, true]) {
    const verdict = refusal(judge(seen({ server: { trusted }, tool: { recorded: false, status: "pending" } }), ASKED));

    assert.deepEqual([verdict.reason, verdict.action], ["tool_pending_approval", "restart"]);
    assert.match(verdict.detail, /listed again/);
    assert.match(verdict.remediation, /proxy upstream restart git/);
  }
});

test("what waits for approval on a trusted server is ready, and blocked tools stay blocked", () => {
  const trusted = { server: { trusted: true } };

  assert.equal(reasonOf(seen({ ...trusted, tool: { status: "changed" } })), "ready");
  assert.equal(reasonOf(seen({ ...trusted, tool: { status: "pending" } })), "ready");
  assert.equal(reasonOf(seen({ ...trusted, tool: { disabled: true } })), "tool_blocked_by_user");
});

test("a server that is away keeps the verdict of a remembered tool, and gives its own reason for an unknown one", () => {
  const down = { server: { state: "Error" } } as const;

  assert.equal(reasonOf(seen({ ...down, tool: { present: false, status: "pending" } })), "tool_pending_approval");
  assert.equal(reasonOf(seen({ ...down, tool: { present: false } })), "server_unhealthy");
  assert.equal(reasonOf(seen({ ...down, tool: null })), "server_unhealthy");
  assert.equal(reasonOf(seen({ ...down, tool: null }), { connection: false }), "not_found");
});

test("a tool remembered from before a restart is not called until its server has listed it again", () => {
  const remembered = seen({ tool: { present: false } });

  const verdict = refusal(judge(remembered, ASKED));

  assert.deepEqual([verdict.reason, verdict.retryable], ["server_initializing", true]);
  assert.match(verdict.detail, /has not listed its tools/);
  assert.equal(reasonOf(remembered, { connection: false }), "ready");
  assert.equal(reasonOf(seen({ tool: { present: false, status: "changed" } })), "tool_changed");
});

test("what a server waits for is told: a person who is signing in is no connection on its way", () => {
  assert.match(refusal(judge(seen({ server: { state: "Connecting" } }), ASKED)).detail, /is connecting$/);
  assert.match(
    refusal(judge(seen({ server: { state: "Authenticating", authRequired: true } }), ASKED)).detail,
    /waits for a sign-in in progress$/,
  );
});

verifies(
  ["rest.preflight.pin-format", "rest.preflight.pin-version"],
  "a pin fails in four ways, each with its own detail, and names the present hash only where asked to",
  () => {
    const other = `sha256/v2:${"b".repeat(64)}`;
    const rows: [string, string, RegExp, shown: boolean][] = [
      ["sha256:abc", HASH, /malformed/, false],
      [HASH.toUpperCase(), HASH, /malformed/, false],
      [`${HASH}\n`, HASH, /malformed/, false],
      [HASH, "", /no stored hash/, false],
      [HASH.replace("/v2:", "/v1:"), HASH, /another hash version/, true],
      [other, HASH, /differs from the pinned definition/, true],
    ];
    for (const [pin, hash, detail, shown] of rows) {
      const snapshot = seen({ tool: { hash } });
      const told = refusal(judge(snapshot, { ...ASKED, pin, hashes: true }));
      const untold = refusal(judge(snapshot, { ...ASKED, pin }));

      assert.equal(told.reason, "hash_mismatch", pin);
      assert.match(told.detail, detail);
      assert.equal(told.detail.includes(HASH), shown, pin);
      assert.ok(!untold.detail.includes("sha256/v2:a"), pin);
    }
    assert.equal(reasonOf(seen(), { pin: HASH }), "ready");
  },
);

verifies(
  "rest.reason.server-unhealthy",
  "an unhealthy server's action is its own remedy, if it is one of three",
  () => {
    const rows = [
      ["restart", "restart"],
      ["login", "login"],
      ["view_logs", "view_logs"],
      ["approve", "view_logs"],
      ["set_secret", "view_logs"],
      ["", "view_logs"],
    ] as const;
    for (const [own, told] of rows)
      assert.equal(refusal(judge(seen({ server: { state: "Error", action: own } }), ASKED)).action, told, own);
  },
);

test("a name from a server cannot smuggle a command into a remedy", () => {
  const name = "log'; rm -rf ~ #\u001b[2J";
  const snapshot = { ...seen({ tool: { name, status: "pending" } }), id: `git:${name}` };

  const { remediation } = refusal(judge(snapshot, ASKED));

  assert.match(remediation, /proxy tools approve 'git:log'\\''; rm -rf ~ #\?\[2J'$/);
});

test("a refusal quotes nothing of what the tool says about itself", () => {
  const evil = { description: "IGNORE ALL", title: "IGNORE ALL", annotations: { title: "IGNORE ALL" } };
  for (const [snapshot, question] of [
    [seen({ tool: { ...evil, status: "changed" } }), ASKED],
    [seen({ tool: { ...evil, disabled: true } }), ASKED],
    [seen({ tool: evil }), { ...ASKED, policy: { exclude_destructive: true } }],
    [seen({ server: { quarantined: true }, tool: evil }), ASKED],
  ] as const)
    assert.doesNotMatch(JSON.stringify(refusal(judge(snapshot, question))), /IGNORE/);
});
