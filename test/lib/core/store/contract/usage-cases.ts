import assert from "node:assert/strict";
import type { ContractCase } from "./store-contract.ts";

const DAY_MS = 86_400_000;
const NOW = 20_000 * DAY_MS + 1000;

export const usageCases: readonly ContractCase[] = [
  [
    "calls of the last 30 days are counted by tool, with the last one (spec 000 §2.5)",
    async ({ store: { usage } }) => {
      void usage.count("git:log", NOW - 40 * DAY_MS);
      void usage.count("git:log", NOW - 29 * DAY_MS);
      void usage.count("git:log", NOW - 5);
      void usage.count("git:log", NOW - 7);
      await usage.count("mail:send", NOW - 30 * DAY_MS);

      assert.deepEqual(usage.last30Days("git:log", NOW), { count: 3, lastUsed: NOW - 5 });
      assert.equal(usage.last30Days("mail:send", NOW), undefined);
      assert.deepEqual(usage.last30Days("mail:send", NOW - DAY_MS), { count: 1, lastUsed: NOW - 30 * DAY_MS });
    },
  ],
  [
    "a count is seen at once, and counts add up over restarts",
    async ({ store, reopen }) => {
      await store.usage.count("a:b", NOW);
      assert.equal(store.usage.last30Days("a:b", NOW)?.count, 1);
      void store.usage.count("a:b", NOW + 1);
      assert.equal(store.usage.last30Days("a:b", NOW)?.count, 2);

      const { usage } = await reopen();
      const waiting = usage.count("a:b", NOW + 2);

      assert.deepEqual(usage.last30Days("a:b", NOW), { count: 3, lastUsed: NOW + 2 });
      await waiting;
      await usage.count("a:b", NOW - 1);
      assert.deepEqual(usage.last30Days("a:b", NOW), { count: 4, lastUsed: NOW + 2 });
    },
  ],
  [
    "days that no longer count are forgotten",
    async ({ store, reopen }) => {
      await store.usage.count("a:b", NOW);
      await store.usage.count("a:b", NOW + 31 * DAY_MS);

      const { usage } = await reopen();

      assert.equal(usage.last30Days("a:b", NOW)?.count, 1, "only the new day is left");
    },
  ],
];
