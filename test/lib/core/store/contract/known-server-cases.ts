import assert from "node:assert/strict";
import type { KnownServer } from "#lib/core/schema/known-server.ts";
import { andAfterRestart } from "./and-after-restart.ts";
import type { ContractCase } from "./store-contract.ts";

const server = (name: string, own: Partial<KnownServer> = {}): KnownServer => ({
  name,
  identity: `identity of ${name}`,
  baseline: "open",
  noticedAt: 1,
  ...own,
});
const sorted = (rows: readonly KnownServer[]) => [...rows].sort((a, b) => (a.name < b.name ? -1 : 1));

export const knownServerCases: readonly ContractCase[] = [
  [
    "servers are found by name, and are there after a restart",
    async ({ store, reopen }) => {
      const rows = [server("a"), server("b", { baseline: "closed", removedAt: 5 })];
      await store.knownServers.changeAll(["a", "b"], (_, name) => rows.find((row) => row.name === name));

      for await (const { knownServers } of andAfterRestart({ store, reopen })) {
        assert.deepEqual(sorted(knownServers.all()), rows);
        assert.deepEqual(knownServers.get("b"), rows[1]);
        assert.equal(knownServers.get("c"), undefined);
      }
    },
  ],
  [
    "a change decides from the newest row, removes rows, and resolves with the changes alone",
    async ({ store, reopen }) => {
      const { knownServers } = store;
      await knownServers.changeAll(["a", "b", "c"], (_, name) => server(name));

      const [first, second] = await Promise.all([
        knownServers.changeAll(["a", "b"], (row, name) =>
          name === "a" ? row && { ...row, baseline: "closed" } : "remove",
        ),
        knownServers.changeAll(["a", "b", "c"], (row) =>
          row?.baseline === "closed" ? { ...row, removedAt: 9 } : undefined,
        ),
      ]);

      assert.deepEqual(
        first.map(({ before, after }) => [before?.name, after?.baseline]),
        [
          ["a", "closed"],
          ["b", undefined],
        ],
      );
      assert.deepEqual(
        second.map(({ after }) => after),
        [server("a", { baseline: "closed", removedAt: 9 })],
      );
      const again = await reopen();
      assert.deepEqual(sorted(again.knownServers.all()), [
        server("a", { baseline: "closed", removedAt: 9 }),
        server("c"),
      ]);
    },
  ],
  [
    "every earlier change is durable when `durable` resolves",
    async ({ store: { knownServers } }) => {
      let written = false;
      void knownServers
        .changeAll(["a"], () => server("a"))
        .then(() => {
          written = true;
        });

      await knownServers.durable();
      await new Promise((next) => setImmediate(next));

      assert.ok(written);
    },
  ],
];
