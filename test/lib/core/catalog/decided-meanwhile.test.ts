import assert from "node:assert/strict";
import { test } from "node:test";
import { approveRecord, blockRecord } from "#lib/core/catalog/approve-record.ts";
import { listed, testCatalog } from "#test/kit/catalog.ts";
import { secondWriter } from "#test/kit/second-writer.ts";

/** A catalog in which one tool was listed and then changes its definition. */
async function toolScene() {
  const { catalog, store } = testCatalog({ git: {} });
  await catalog.acceptListing("git", [listed("log", "one")]);
  const decide = (decision: typeof approveRecord) =>
    store.approvals.changeAll("git", ["log"], (row) => row && decision(row, "alice", 1));
  return { catalog, store, decide };
}

test("a tool that a person blocks while a listing is recorded stays blocked, and has the new definition", async () => {
  const { catalog, store, decide } = await toolScene();
  secondWriter(store.approvals, () => decide(blockRecord));

  await catalog.acceptListing("git", [listed("log", "two")]);

  const row = store.approvals.get("git", "log")!;
  assert.deepEqual([row.disabled, row.approvedBy, row.current.description], [true, "alice", "two"]);
  assert.equal(catalog.get("git:log")?.disabled, true);
});

test("an approval given while a changed definition is recorded is kept, and does not cover the change", async () => {
  const { catalog, store, decide } = await toolScene();
  const seen = store.approvals.get("git", "log")!.currentHash;
  secondWriter(store.approvals, () => decide(approveRecord));

  await catalog.acceptListing("git", [listed("log", "two")]);

  const row = store.approvals.get("git", "log")!;
  assert.deepEqual([row.status, row.approvedHash, row.approvedBy], ["changed", seen, "alice"]);
  assert.equal(catalog.get("git:log")?.status, "changed");
});

test("a decision about the last of many tools is kept while the first ones are recorded", async () => {
  const { catalog, store } = testCatalog({ git: {} });
  const tools = Array.from({ length: 250 }, (_, i) => `t${i}`);
  await catalog.acceptListing(
    "git",
    tools.map((name) => listed(name, "one")),
  );
  secondWriter(store.approvals, () =>
    store.approvals.changeAll("git", ["t249"], (row) => row && blockRecord(row, "alice", 1)),
  );

  await catalog.acceptListing(
    "git",
    tools.map((name) => listed(name, "two")),
  );

  const row = store.approvals.get("git", "t249")!;
  assert.deepEqual([row.disabled, row.current.description], [true, "two"]);
});

test("a listing that closes the first listing of a server keeps the time of the server's removal", async () => {
  const { catalog, store } = testCatalog({ git: { quarantined: false } });
  secondWriter(store.knownServers, () =>
    store.knownServers.changeAll(["git"], (row) => row && { ...row, removedAt: 7 }),
  );

  await catalog.acceptListing("git", [listed("log")]);

  const { baseline, removedAt } = store.knownServers.get("git")!;
  assert.deepEqual([baseline, removedAt], ["closed", 7]);
});

const prompt = (description: string) => ({ name: "ask", description });

test("a prompt that a person blocks while a listing is recorded stays blocked, and has the new definition", async () => {
  const { catalog, store } = testCatalog({ git: {} });
  await catalog.items.accept("git", "prompt", [prompt("one")]);
  secondWriter(store.itemApprovals, () =>
    store.itemApprovals.changeAll(
      "git",
      [{ kind: "prompt", name: "ask" }],
      (row) => row && blockRecord(row, "alice", 1),
    ),
  );

  await catalog.items.accept("git", "prompt", [prompt("two")]);

  const row = store.itemApprovals.get("git", "prompt", "ask")!;
  assert.deepEqual([row.disabled, row.approvedBy, row.current.description], [true, "alice", "two"]);
});

test("the record of a resource that a person blocks while it disappears from the listing is kept", async () => {
  const { catalog, store } = testCatalog({ git: { quarantined: false } });
  const resource = { uri: "f://1", name: "f" };
  await catalog.items.accept("git", "resource", [resource]);
  secondWriter(store.itemApprovals, () =>
    store.itemApprovals.changeAll(
      "git",
      [{ kind: "resource", name: "f://1" }],
      (row) => row && blockRecord(row, "alice", 1),
    ),
  );

  await catalog.items.accept("git", "resource", []);

  assert.equal(store.itemApprovals.get("git", "resource", "f://1")?.disabled, true);
});
