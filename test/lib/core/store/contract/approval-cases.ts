import assert from "node:assert/strict";
import type { ItemApprovalRow } from "#lib/core/schema/item.ts";
import { approvalRow, putApprovals, putItemApproval } from "#test/kit/store.ts";
import { andAfterRestart } from "./and-after-restart.ts";
import type { ContractCase } from "./store-contract.ts";

const names = (rows: readonly { tool: string }[]) => rows.map(({ tool }) => tool).sort();
const item = (kind: ItemApprovalRow["kind"], name: string, own: Partial<ItemApprovalRow> = {}): ItemApprovalRow => ({
  server: "git",
  kind,
  name,
  status: "pending",
  disabled: false,
  currentHash: "h",
  current: { name },
  updatedAt: 1,
  ...own,
});

export const approvalCases: readonly ContractCase[] = [
  [
    "rows are found by server and tool, and a second write replaces the first",
    async ({ store: { approvals } }) => {
      await putApprovals(approvals, [
        approvalRow("git", "log"),
        approvalRow("git", "diff"),
        approvalRow("mail", "log"),
      ]);
      await putApprovals(approvals, [approvalRow("git", "log", { status: "approved", disabled: true })]);

      assert.deepEqual(
        [approvals.get("git", "log")?.status, approvals.get("git", "log")?.disabled],
        ["approved", true],
      );
      assert.equal(approvals.get("mail", "log")?.status, "pending");
      assert.equal(approvals.get("mail", "diff"), undefined);
      assert.deepEqual(names(approvals.of("git")), ["diff", "log"]);
      assert.deepEqual(approvals.of("nobody"), []);
      assert.equal(approvals.all().length, 3);
    },
  ],
  [
    "a change is seen at once, before it is durable, and is there after a restart",
    async ({ store, reopen }) => {
      const durable = putApprovals(store.approvals, [approvalRow("git", "log")]);
      assert.equal(store.approvals.get("git", "log")?.tool, "log");
      await durable;

      const again = await reopen();

      assert.deepEqual(again.approvals.all(), [approvalRow("git", "log")]);
    },
  ],
  [
    "a change decides from the newest row and resolves with both states, without the rows that it leaves alone",
    async ({ store: { approvals } }) => {
      await putApprovals(approvals, [approvalRow("git", "log"), approvalRow("git", "diff")]);

      const changes = await approvals.changeAll("git", ["log", "new", "diff", "none"], (row, tool) => {
        if (tool === "new") return approvalRow("git", "new");
        return tool === "log" && row ? { ...row, updatedAt: row.updatedAt + 1 } : undefined;
      });

      const log = approvalRow("git", "log");
      assert.deepEqual(changes, [
        { before: log, after: { ...log, updatedAt: log.updatedAt + 1 } },
        { before: undefined, after: approvalRow("git", "new") },
      ]);
      assert.deepEqual(names(approvals.of("git")), ["diff", "log", "new"]);
    },
  ],
  [
    "of changes that are requested together, each decides from the outcome of the one before",
    async ({ store, reopen }) => {
      const { approvals } = store;
      await putApprovals(approvals, [approvalRow("git", "log", { updatedAt: 0 })]);

      await Promise.all(
        Array.from({ length: 20 }, () =>
          approvals.changeAll("git", ["log"], (row) => row && { ...row, updatedAt: row.updatedAt + 1 }),
        ),
      );

      assert.equal(approvals.get("git", "log")?.updatedAt, 20);
      assert.equal((await reopen()).approvals.get("git", "log")?.updatedAt, 20);
    },
  ],
  [
    "a change that throws rejects with that error, and writes none of its rows",
    async ({ store, reopen }) => {
      await putApprovals(store.approvals, [approvalRow("git", "a"), approvalRow("git", "b")]);

      const change = store.approvals.changeAll("git", ["a", "b"], (row, tool) => {
        if (tool === "b") throw new Error("not b");
        return row && { ...row, disabled: true };
      });

      await assert.rejects(change, /not b/);
      assert.equal(store.approvals.get("git", "a")?.disabled, false);
      assert.equal((await reopen()).approvals.get("git", "a")?.disabled, false);
    },
  ],
  [
    "a row that cannot be stored rejects its change, none of whose rows is kept, and harms no other",
    async ({ store: { approvals } }) => {
      await putApprovals(approvals, [approvalRow("git", "log")]);

      const bad = putApprovals(approvals, [
        approvalRow("git", "log", { status: "approved" }),
        approvalRow("git", "x", { updatedAt: null as never }),
      ]);
      const good = putApprovals(approvals, [approvalRow("git", "diff")]);

      await assert.rejects(bad);
      await good;
      assert.equal(approvals.get("git", "log")?.status, "pending");
      assert.deepEqual(names(approvals.of("git")), ["diff", "log"]);
    },
  ],
  [
    "a row is removed by a change; removing one that does not exist changes nothing",
    async ({ store, reopen }) => {
      await putApprovals(store.approvals, [approvalRow("git", "log"), approvalRow("git", "diff")]);

      const changes = await store.approvals.changeAll("git", ["log", "none"], () => "remove");

      assert.deepEqual(changes, [{ before: approvalRow("git", "log"), after: undefined }]);
      assert.deepEqual(names((await reopen()).approvals.of("git")), ["diff"]);
    },
  ],
  [
    "a removed server may come again, with its items of all kinds counted anew",
    async ({ store, reopen }) => {
      void putApprovals(store.approvals, [approvalRow("git", "log"), approvalRow("mail", "log")]);
      void putItemApproval(store.itemApprovals, item("prompt", "ask"));
      const removed = store.approvals.removeServer("git");
      await Promise.all([removed, putApprovals(store.approvals, [approvalRow("git", "diff")])]);

      assert.deepEqual([names(store.approvals.of("git")), store.approvals.count("git")], [["diff"], 1]);
      const again = await reopen();
      assert.deepEqual(names(again.approvals.of("git")), ["diff"]);
      assert.equal(again.approvals.all().length, 2);
    },
  ],
  [
    "definitions come back with every member, whatever it is called, with NUL and lone surrogates",
    async ({ store, reopen }) => {
      const inputSchema = JSON.parse(
        '{"type":"object","__proto__":{"x":1},"properties":{"constructor":{"const":"\\ud800"}}}',
      );
      const approved = { name: "log", description: "old", inputSchema: {} };
      const current = { name: "log", title: "L", description: "é\0", inputSchema, outputSchema: {}, annotations: {} };
      const row = approvalRow("git", "log", {
        current,
        approved,
        approvedHash: "h",
        approvedAt: 1,
        approvedBy: "m\0e",
      });
      await putApprovals(store.approvals, [row]);

      assert.deepEqual((await reopen()).approvals.get("git", "log"), row);
    },
  ],
  [
    "names of servers and tools are told apart by every character",
    async ({ store, reopen }) => {
      const odd = ["a", "A", "a ", "é", "e\u0301", "a\0b", "a'b", "__proto__"];
      await putApprovals(
        store.approvals,
        odd.map((name) => approvalRow("git", name)),
      );

      assert.deepEqual(names((await reopen()).approvals.of("git")), [...odd].sort());
    },
  ],
  [
    "a row that was handed in or out may be changed without an effect on the store",
    async ({ store: { approvals } }) => {
      const mine = approvalRow("git", "log");
      await putApprovals(approvals, [mine]);

      mine.status = "approved";
      approvals.get("git", "log")!.status = "approved";
      approvals.all()[0]!.status = "approved";

      assert.equal(approvals.get("git", "log")?.status, "pending");
    },
  ],
  [
    "items are told apart by kind and name, and tools are none of them",
    async ({ store, reopen }) => {
      const { approvals, itemApprovals } = store;
      const rows = [item("prompt", "x"), item("resource", "x", { disabled: true }), item("template", "y")];
      await Promise.all([
        putApprovals(approvals, [approvalRow("git", "x")]),
        ...rows.map((row) => putItemApproval(itemApprovals, row)),
      ]);

      for await (const { itemApprovals, approvals } of andAfterRestart({ store, reopen })) {
        assert.equal(itemApprovals.get("git", "resource", "x")?.disabled, true);
        assert.equal(itemApprovals.get("git", "prompt", "y"), undefined);
        assert.deepEqual(
          itemApprovals.of("git", "prompt").map(({ name }) => name),
          ["x"],
        );
        assert.deepEqual([itemApprovals.of("git").length, itemApprovals.all().length], [3, 3]);
        assert.deepEqual([approvals.count("git"), names(approvals.of("git"))], [4, ["x"]]);
      }
    },
  ],
  [
    "items of several kinds are changed and removed together",
    async ({ store, reopen }) => {
      const { itemApprovals } = store;
      await Promise.all([item("prompt", "x"), item("resource", "x")].map((row) => putItemApproval(itemApprovals, row)));

      const changes = await itemApprovals.changeAll(
        "git",
        [
          { kind: "prompt", name: "x" },
          { kind: "resource", name: "x" },
          { kind: "template", name: "none" },
        ],
        (row, { kind }) => (kind === "resource" ? "remove" : row && { ...row, updatedAt: 2 }),
      );

      assert.deepEqual(
        changes.map(({ before, after }) => [before?.kind, after?.updatedAt]),
        [
          ["prompt", 2],
          ["resource", undefined],
        ],
      );
      const again = await reopen();
      assert.deepEqual(again.itemApprovals.all(), [item("prompt", "x", { updatedAt: 2 })]);
    },
  ],
];
