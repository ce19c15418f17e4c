import assert from "node:assert/strict";
import { test } from "node:test";
import { approveRecord, blockRecord } from "#lib/core/catalog/approve-record.ts";
import {
  type ApprovalTrust,
  approvalTrustOf,
  decideApprovals as decisionOf,
} from "#lib/core/catalog/decide-approvals.ts";
import { type PinnedTool, readListedTool } from "#lib/core/catalog/read-tool.ts";
import type { ApprovalRow } from "#lib/core/schema/tool.ts";
import { verifies } from "#test/kit/verifies.ts";

const NOW = 2000;
const MANUAL: ApprovalTrust = { changes: false, baseline: false };
const found = (description: string) => readListedTool({ name: "t", description }) as PinnedTool;
const V1 = found("one");
const V2 = found("two");

/** The records that one listing writes. */
function decideApprovals(
  server: string,
  tools: readonly PinnedTool[],
  records: ReadonlyMap<string, ApprovalRow>,
  ...how: Parameters<typeof decisionOf> extends [unknown, unknown, ...infer Rest] ? Rest : never
): ApprovalRow[] {
  const decide = decisionOf(server, records, ...how);
  return tools.flatMap((tool) => decide(tool, records.get(tool.definition.name)) ?? []);
}

/** What is stored after one listing, given what was stored before. */
function after(tool: PinnedTool, old: ApprovalRow | undefined, trust = MANUAL): ApprovalRow | undefined {
  const records = new Map(old ? [["t", old]] : []);
  return decideApprovals("s", [tool], records, trust, NOW)[0] ?? old;
}
const pending = after(V1, undefined)!;
const approved = approveRecord(pending, "alice", 1000);
const blocked = blockRecord(pending, "alice", 1000);
const changed = after(V2, approved)!;

verifies(
  ["rest.what.reapproval", "rest.tools.approval-status"],
  "each record and each listing have one outcome (spec 000 §3)",
  () => {
    const everything: ApprovalTrust = { ...MANUAL, everything: "trust_mode: auto" };
    const changes: ApprovalTrust = { ...MANUAL, changes: true };
    const baseline: ApprovalTrust = { ...MANUAL, baseline: true };
    const rows: [string, PinnedTool, ApprovalRow | undefined, ApprovalTrust, string, string?][] = [
      ["new", V1, undefined, MANUAL, "pending"],
      ["new, all trusted", V1, undefined, everything, "approved", "trust_mode: auto"],
      ["new, only changes trusted", V1, undefined, changes, "pending"],
      ["new, first listing of a released server", V1, undefined, baseline, "approved", "baseline"],
      ["pending, unchanged", V1, pending, MANUAL, "pending"],
      ["pending, another definition", V2, pending, MANUAL, "pending"],
      ["pending, another, changes trusted", V2, pending, changes, "pending"],
      ["pending, all trusted now", V1, pending, everything, "approved", "trust_mode: auto"],
      ["pending is no first listing", V1, pending, baseline, "pending"],
      ["approved, unchanged", V1, approved, MANUAL, "approved", "alice"],
      ["approved, unchanged, all trusted", V1, approved, everything, "approved", "alice"],
      ["approved, another definition", V2, approved, MANUAL, "changed", "alice"],
      ["approved, another, on a released server", V2, approved, baseline, "changed", "alice"],
      ["approved, another, changes trusted", V2, approved, changes, "approved", "auto_approve_tool_changes"],
      ["approved, another, all trusted", V2, approved, everything, "approved", "trust_mode: auto"],
      ["changed, still", V2, changed, MANUAL, "changed", "alice"],
      ["changed, back to the approved one", V1, changed, MANUAL, "approved", "alice"],
      ["changed, a third definition", found("three"), changed, MANUAL, "changed", "alice"],
      ["changed, changes trusted now", V2, changed, changes, "approved", "auto_approve_tool_changes"],
    ];
    for (const [title, tool, old, trust, status, by] of rows) {
      const row = after(tool, old, trust)!;
      assert.equal(row.status, status, title);
      assert.equal(row.approvedBy, by, title);
      assert.equal(row.currentHash, tool.hash, title);
      assert.deepEqual(row.current, tool.definition, title);
      if (status === "approved") assert.equal(row.approvedHash, tool.hash, title);
    }
  },
);

test("where a scan decides, what it finds clean is approved and the rest waits, new or changed", () => {
  const trust: ApprovalTrust = { ...MANUAL, scan: true };
  const rows: [string, PinnedTool, ApprovalRow | undefined, boolean, string, string?][] = [
    ["new and clean", V1, undefined, true, "approved", "trust_mode: scan"],
    ["new and not clean", V1, undefined, false, "pending"],
    ["pending, clean by now", V2, pending, true, "approved", "trust_mode: scan"],
    ["pending, still not clean", V2, pending, false, "pending"],
    ["changed to something clean", V2, approved, true, "approved", "trust_mode: scan"],
    ["changed to something else", V2, approved, false, "changed", "alice"],
    ["unchanged, whatever is found today", V1, approved, false, "approved", "alice"],
  ];
  for (const [title, tool, old, clean, status, by] of rows) {
    const records = new Map(old ? [["t", old]] : []);
    const row = decideApprovals("s", [tool], records, trust, NOW, () => clean)[0] ?? old!;
    assert.deepEqual([row.status, row.approvedBy], [status, by], title);
  }
  const [still] = decideApprovals("s", [V2], new Map([["t", blocked]]), trust, NOW, () => true);
  assert.equal(still?.disabled, true, "a block stays");
});

test("a change keeps what was approved, so that the two can be compared", () => {
  assert.equal(changed.approvedHash, V1.hash);
  assert.deepEqual(changed.approved, V1.definition);
  assert.deepEqual(changed.current, V2.definition);
  assert.equal(changed.approvedAt, 1000);
});

test("nothing is written when a listing says nothing new", () => {
  for (const [old, tool] of [
    [pending, V1],
    [approved, V1],
    [changed, V2],
    [blocked, V1],
  ] as const)
    assert.deepEqual(decideApprovals("s", [tool], new Map([["t", old]]), MANUAL, NOW), [], old.status);
});

test("a change in any part of a definition asks again, annotations included (spec 000 §1)", () => {
  const base = { name: "t", description: "d", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
  const first = approveRecord(after(readListedTool(base) as PinnedTool, undefined)!, "alice", 1000);
  const others = [
    { ...base, description: "d " },
    { ...base, title: "T" },
    { ...base, inputSchema: { type: "object", properties: { path: {} } } },
    { ...base, outputSchema: { type: "object" } },
    { ...base, annotations: { readOnlyHint: true, destructiveHint: true } },
    { name: "t", description: "d", inputSchema: { type: "object" } },
  ];
  for (const other of others)
    assert.equal(after(readListedTool(other) as PinnedTool, first)!.status, "changed", JSON.stringify(other));
});

verifies(
  ["rest.approval.block-never-enabled", "rest.approval.block"],
  "a block outlasts whatever its tool becomes, and blocking approves and disables in one write (spec 000 §3)",
  () => {
    assert.equal(blocked.status, "approved");
    assert.equal(blocked.disabled, true);

    const other = after(V2, blocked)!;
    assert.deepEqual([other.status, other.disabled], ["changed", true]);
    const trusted = after(V2, blocked, { ...MANUAL, everything: "trust_mode: auto" })!;
    assert.equal(trusted.disabled, true);
    const back = after(V1, other)!;
    assert.deepEqual([back.status, back.disabled], ["approved", true]);
  },
);

test("a tool that is no longer listed keeps its record, and so returns approved", () => {
  assert.deepEqual(decideApprovals("s", [], new Map([["t", approved]]), MANUAL, NOW), []);
  assert.equal(after(V1, approved)!.status, "approved");
});

test("a tool that appears beside known ones is pending, even on a server whose first listing was trusted", () => {
  const other = readListedTool({ name: "later" }) as PinnedTool;

  const rows = decideApprovals("s", [V1, other], new Map([["t", approved]]), { ...MANUAL, baseline: true }, NOW);

  assert.deepEqual(
    rows.map((row) => [row.tool, row.status]),
    [["later", "pending"]],
  );
});

test("an approval of version 1 over what is listed now becomes one of version 2 and asks nobody", () => {
  const former = (row: ApprovalRow, tool: PinnedTool) => ({
    ...row,
    approvedHash: tool.formerPin(),
    currentHash: tool.formerPin(),
  });
  const meta = readListedTool({ name: "t", description: "one", _meta: { "vendor/x": 1 } }) as PinnedTool;
  const icons = readListedTool({
    name: "t",
    description: "one",
    icons: [{ src: "https://example.com/a" }],
  }) as PinnedTool;
  const rows: [what: string, PinnedTool, ApprovalRow, blameless: boolean, status: string][] = [
    ["the same", V1, former(approved, V1), false, "approved"],
    ["the same, and blocked", V1, former(blocked, V1), false, "approved"],
    ["changed, and back", V1, { ...former(approved, V1), status: "changed" }, false, "approved"],
    ["another description", V2, former(approved, V1), true, "changed"],
    ["_meta that the scan finds nothing in", meta, former(approved, V1), true, "approved"],
    ["_meta that the scan finds something in", meta, former(approved, V1), false, "changed"],
    ["icons that the scan finds nothing in", icons, former(approved, V1), true, "approved"],
    ["icons that the scan finds something in", icons, former(approved, V1), false, "changed"],
    [
      "a version nobody knows here",
      V1,
      { ...approved, approvedHash: V1.hash.replace("/v2:", "/v3:") },
      true,
      "changed",
    ],
  ];
  for (const [what, tool, old, blameless, status] of rows) {
    const [row] = decideApprovals(
      "s",
      [tool],
      new Map([["t", old]]),
      MANUAL,
      NOW,
      () => false,
      () => blameless,
    );
    assert.equal(row?.status, status, what);
    assert.equal(row?.currentHash, tool.hash, what);
    assert.equal(row?.approvedHash, status === "approved" ? tool.hash : old.approvedHash, what);
    assert.deepEqual([row?.approvedBy, row?.approvedAt, row?.disabled], ["alice", 1000, old.disabled], what);
  }
});

test("_meta and icons that are added or changed after an approval ask again", () => {
  const bare = approveRecord(after(V1, undefined)!, "alice", 1000);
  const meta = (value: unknown) =>
    readListedTool({ name: "t", description: "one", _meta: { note: value } }) as PinnedTool;
  const other = approveRecord(after(meta(1), undefined)!, "alice", 1000);
  assert.equal(
    decideApprovals(
      "s",
      [meta(1)],
      new Map([["t", bare]]),
      MANUAL,
      NOW,
      () => true,
      () => true,
    )[0]?.status,
    "changed",
  );
  assert.equal(
    decideApprovals(
      "s",
      [meta(2)],
      new Map([["t", other]]),
      MANUAL,
      NOW,
      () => true,
      () => true,
    )[0]?.status,
    "changed",
  );
  assert.equal(
    decideApprovals(
      "s",
      [V1],
      new Map([["t", other]]),
      MANUAL,
      NOW,
      () => true,
      () => true,
    )[0]?.status,
    "changed",
  );
});

test("trust follows from the configuration of the server and of the proxy", () => {
  const on = { quarantineEnabled: true, quarantined: false, baseline: true, evidenceLost: false };
  const rows: [Parameters<typeof approvalTrustOf>, ApprovalTrust][] = [
    [[{}, on], { changes: false, baseline: false }],
    [[{ quarantined: false }, on], { changes: false, baseline: true }],
    [[{ quarantined: false }, { ...on, baseline: false }], { changes: false, baseline: false }],
    [[{ quarantined: false }, { ...on, evidenceLost: true }], { changes: false, baseline: false }],
    [[{ trust_mode: "auto" }, { ...on, evidenceLost: true }], { changes: false, baseline: false }],
    [[{ trust_mode: "scan" }, { ...on, evidenceLost: true }], { changes: false, baseline: false }],
    [[{}, { ...on, quarantineEnabled: false, evidenceLost: true }], { changes: false, baseline: false }],
    [[{ quarantined: true }, { ...on, quarantined: true }], { changes: false, baseline: false }],
    [[{ trust_mode: "manual" }, on], { changes: false, baseline: false }],
    [[{ trust_mode: "scan" }, on], { scan: true, changes: false, baseline: false }],
    [[{ trust_mode: "scan", quarantined: false }, on], { scan: true, changes: false, baseline: false }],
    [[{ trust_mode: "scan", auto_approve_tool_changes: true }, on], { scan: true, changes: false, baseline: false }],
    [[{ trust_mode: "auto" }, on], { everything: "trust_mode: auto", changes: false, baseline: false }],
    [
      [{}, { ...on, quarantineEnabled: false }],
      { everything: "quarantine_enabled: false", changes: false, baseline: false },
    ],
    [[{ auto_approve_tool_changes: true }, on], { changes: true, baseline: false }],
    [[{ auto_approve_tool_changes: true }, { ...on, quarantined: true }], { changes: false, baseline: false }],
  ];
  for (const [args, trust] of rows) assert.deepEqual(approvalTrustOf(...args), trust, JSON.stringify(args));
});

test("approving a changed tool makes its present definition the approved one and lifts a block", () => {
  const row = approveRecord({ ...changed, disabled: true }, "bob", 3000);
  assert.deepEqual(row.approved, V2.definition);
  assert.deepEqual([row.status, row.approvedHash, row.disabled], ["approved", V2.hash, false]);
});
