import assert from "node:assert/strict";
import type { ScanRow } from "#lib/core/schema/scan.ts";
import { andAfterRestart } from "./and-after-restart.ts";
import type { ContractCase } from "./store-contract.ts";

/** The store keeps jobs and reports as they are, so their members do not matter here. */
const scan = (id: string, createdAt: number, own: object = {}): ScanRow =>
  ({ id, server: "git", createdAt, job: { id, note: "\0\ud800" }, ...own }) as unknown as ScanRow;
const report = (text: string) => ({ report: { text } });
const ids = (rows: readonly ScanRow[]) => rows.map(({ id }) => id);

export const scanCases: readonly ContractCase[] = [
  [
    "scans are read newest first, of all servers or one, and are there after a restart",
    async ({ store, reopen }) => {
      const mail = scan("m", 2, { server: "mail" });
      await Promise.all([scan("a", 1), mail, scan("b", 3)].map((row) => store.scans.put(row, 10)));

      for await (const { scans } of andAfterRestart({ store, reopen })) {
        assert.deepEqual(ids(await scans.all()), ["b", "m", "a"]);
        assert.deepEqual(ids(await scans.of("git")), ["b", "a"]);
        assert.deepEqual(await scans.get("m"), mail);
        assert.equal(await scans.get("x"), undefined);
      }
    },
  ],
  [
    "a scan is replaced by its id, and a read sees every write before it",
    async ({ store: { scans } }) => {
      void scans.put(scan("a", 1), 10);
      const durable = scans.put(scan("a", 1, report("done")), 10);

      assert.deepEqual(await scans.all(), [scan("a", 1, report("done"))]);
      await durable;
    },
  ],
  [
    "only the newest scans of a server are kept",
    async ({ store: { scans } }) => {
      for (let i = 0; i < 5; i++) await scans.put(scan(`s${i}`, i), 3);
      await scans.put(scan("m", 0, { server: "mail" }), 3);

      assert.deepEqual(ids(await scans.all()), ["s4", "s3", "s2", "m"]);
    },
  ],
  [
    "the last report of a server is known at once; a scan without a report does not hide it",
    async ({ store, reopen }) => {
      const { scans } = store;
      assert.equal(scans.last("git"), undefined);
      await scans.put(scan("a", 1, report("one")), 10);
      await scans.put(scan("b", 2, report("two")), 10);
      await scans.put(scan("c", 3), 10);

      assert.equal(scans.last("git")?.id, "b");
      const again = await reopen();
      assert.equal(again.scans.last("git")?.id, "b");
      await again.scans.removeServer("git");
      assert.deepEqual([again.scans.last("git"), await again.scans.all()], [undefined, []]);
    },
  ],
  [
    "a scan is changed in one step with reading it, and its last report with it; an unknown scan is not made",
    async ({ store: { scans } }) => {
      await scans.put(scan("a", 1, report("one")), 10);

      await scans.change("a", (row) => ({ ...row, ...report("decided") }) as unknown as ScanRow);
      await scans.change("none", (row) => row);

      assert.deepEqual(await scans.all(), [scan("a", 1, report("decided"))]);
      assert.deepEqual(scans.last("git"), scan("a", 1, report("decided")));
    },
  ],
  [
    "after a restart, scans that had not ended are left over",
    async ({ store, reopen }) => {
      const states = ["pending", "running", "completed", "failed"];
      await Promise.all(states.map((status, at) => store.scans.put(scan(status, at, { job: { status } }), 10)));

      assert.deepEqual(ids(await (await reopen()).scans.leftOver()).sort(), ["pending", "running"]);
    },
  ],
];
