import assert from "node:assert/strict";
import { test } from "node:test";
import { approvalRow, putApprovals, testStore } from "#test/kit/store.ts";

test("rows are known by server and tool, and a second put replaces the first", async (t) => {
  const { approvals } = await testStore(t);
  await putApprovals(approvals, [approvalRow("git", "log"), approvalRow("git", "diff"), approvalRow("mail", "log")]);

  await putApprovals(approvals, [approvalRow("git", "log", { status: "approved", disabled: true })]);

  assert.equal(approvals.get("git", "log")?.status, "approved");
  assert.equal(approvals.get("git", "log")?.disabled, true);
  assert.equal(approvals.get("mail", "log")?.status, "pending");
  assert.equal(approvals.get("mail", "diff"), undefined);
  assert.deepEqual(
    approvals
      .of("git")
      .map((row) => row.tool)
      .sort(),
    ["diff", "log"],
  );
  assert.deepEqual(approvals.of("nobody"), []);
  assert.equal(approvals.all().length, 3);
});

test("a put is seen at once, before it is on the disk", async (t) => {
  const { approvals } = await testStore(t);

  const durable = putApprovals(approvals, [approvalRow("git", "log")]);

  assert.equal(approvals.get("git", "log")?.tool, "log");
  await durable;
});

test("a removed server is gone, in memory and on the disk, and may come again", async (t) => {
  const store = await testStore(t);
  void putApprovals(store.approvals, [approvalRow("git", "log"), approvalRow("mail", "log")]);
  void store.approvals.removeServer("git");
  await putApprovals(store.approvals, [approvalRow("git", "diff")]);

  assert.deepEqual(
    store.approvals.of("git").map((row) => row.tool),
    ["diff"],
  );
  await store.close();
  const again = await testStore(t, { dir: store.dir });
  assert.deepEqual(
    again.approvals.of("git").map((row) => row.tool),
    ["diff"],
  );
  assert.equal(again.approvals.all().length, 2);
});

test("definitions come back with every member, whatever it is called", async (t) => {
  const store = await testStore(t);
  const schema = JSON.parse('{"type":"object","__proto__":{"x":1},"properties":{"constructor":{"const":"\\ud800"}}}');
  const approved = { name: "log", description: "old", inputSchema: {} };
  const current = {
    name: "log",
    title: "L",
    description: "é\0",
    inputSchema: schema,
    outputSchema: {},
    annotations: {},
  };
  const row = approvalRow("git", "log", { current, approved, approvedHash: "h", approvedAt: 1, approvedBy: "me" });
  await putApprovals(store.approvals, [row]);
  await store.close();

  const again = await testStore(t, { dir: store.dir });

  assert.deepEqual(again.approvals.get("git", "log"), row);
});

test("a row that was handed out may be changed without harm", async (t) => {
  const { approvals } = await testStore(t);
  const mine = approvalRow("git", "log");
  await putApprovals(approvals, [mine]);

  mine.status = "approved";
  approvals.get("git", "log")!.status = "approved";
  approvals.all()[0]!.status = "approved";

  assert.equal(approvals.get("git", "log")?.status, "pending");
});

test("one bad row refuses its put, and is not remembered", async (t) => {
  const { approvals } = await testStore(t);
  await putApprovals(approvals, [approvalRow("git", "log")]);

  const bad = putApprovals(approvals, [
    approvalRow("git", "log", { status: "approved" }),
    approvalRow("git", "x", { updatedAt: null as never }),
  ]);
  const good = putApprovals(approvals, [approvalRow("git", "diff")]);

  await assert.rejects(bad, { code: "ERR_SQLITE_ERROR" });
  await good;
  assert.equal(approvals.get("git", "log")?.status, "pending");
  assert.deepEqual(
    approvals
      .of("git")
      .map((row) => row.tool)
      .sort(),
    ["diff", "log"],
  );
});
