import assert from "node:assert/strict";
import type { TokenRow } from "#lib/core/schema/token.ts";
import { putToken } from "#test/kit/store.ts";
import { andAfterRestart } from "./and-after-restart.ts";
import type { ContractCase } from "./store-contract.ts";

const token = (name: string, own: Partial<TokenRow> = {}): TokenRow => ({
  name,
  hash: `hash of ${name}`,
  prefix: "mcp_agt_0000",
  servers: ["git", "db"],
  permissions: ["read", "write"],
  createdAt: 1,
  expiresAt: 2,
  ...own,
});

export const tokenCases: readonly ContractCase[] = [
  [
    "a token is found by name and by hash, and comes back as it was written",
    async ({ store, reopen }) => {
      const [a, b] = [token("a"), token("b", { owner: "u", profile: "work", revokedAt: 5, servers: ["*"] })];
      await putToken(store.tokens, b);
      await putToken(store.tokens, a);

      for await (const { tokens } of andAfterRestart({ store, reopen })) {
        assert.deepEqual(tokens.all(), [a, b]);
        assert.deepEqual(tokens.get("b"), b);
        assert.deepEqual(tokens.byHash("hash of a"), a);
        assert.equal(
          tokens.byHash("hash of a"),
          tokens.byHash("hash of a"),
          "the same object until it is written again",
        );
        assert.equal(tokens.byHash("hash of c"), undefined);
      }
    },
  ],
  [
    "a replaced hash finds nothing from the moment of the change, and listeners hear each replaced or removed token",
    async ({ store: { tokens } }) => {
      await putToken(tokens, token("a"));
      const heard: string[] = [];
      const stop = tokens.onChange((name) => heard.push(name));
      const durable = putToken(tokens, token("a", { hash: "another" }));
      assert.deepEqual([tokens.byHash("hash of a"), tokens.byHash("another")?.name], [undefined, "a"]);
      await durable;

      const { before, after } = await tokens.change("a", () => "remove");

      assert.deepEqual([before?.hash, after, tokens.byHash("another")], ["another", undefined, undefined]);
      assert.deepEqual(tokens.all(), []);
      stop();
      await putToken(tokens, token("a"));
      await putToken(tokens, token("a"));
      assert.deepEqual(heard, ["a", "a"]);
    },
  ],
  [
    "a token of a signed-in client is found by earlier secrets too, and a renewal of its secret is not heard",
    async ({ store, reopen }) => {
      const grant = { id: "g", client: { id: "c", name: "Client" }, secretUntil: 9, older: [], state: { used: [] } };
      const first = token("a", { clientGrant: grant });
      const renewed = token("a", {
        hash: "another",
        clientGrant: { ...grant, older: [{ hash: "hash of a", until: 9 }] },
      });
      await putToken(store.tokens, first);
      const heard: string[] = [];
      store.tokens.onChange((name) => heard.push(name));

      await putToken(store.tokens, renewed);

      assert.deepEqual(heard, []);
      for await (const { tokens } of andAfterRestart({ store, reopen }))
        for (const hash of ["hash of a", "another"]) assert.deepEqual(tokens.byHash(hash), renewed);
    },
  ],
  [
    "a renewal that also changes what the token allows is heard, and without the earlier secret, too",
    async ({ store: { tokens } }) => {
      const grant = { id: "g", client: { id: "c", name: "Client" }, secretUntil: 9, older: [], state: {} };
      const older = [{ hash: "hash of a", until: 9 }];
      const heard: string[] = [];
      tokens.onChange((name) => heard.push(name));
      await putToken(tokens, token("a", { clientGrant: grant }));

      await putToken(tokens, token("a", { hash: "2", clientGrant: { ...grant, older }, revokedAt: 3 }));
      await putToken(tokens, token("a", { hash: "3", clientGrant: grant, revokedAt: 3 }));

      assert.deepEqual(heard, ["a", "a"]);
      assert.equal(tokens.byHash("hash of a"), undefined);
    },
  ],
  [
    "a change that leaves the row alone resolves with the row as it is, and is not heard",
    async ({ store: { tokens } }) => {
      await putToken(tokens, token("a"));
      const heard: string[] = [];
      tokens.onChange((name) => heard.push(name));

      const { before, after } = await tokens.change("a", () => undefined);
      const none = await tokens.change("none", () => "remove");

      assert.deepEqual([before, after], [token("a"), token("a")]);
      assert.equal(before, after);
      assert.deepEqual(none, { before: undefined, after: undefined });
      assert.deepEqual(heard, []);
    },
  ],
  [
    "of changes that are requested together, each decides from the outcome of the one before",
    async ({ store, reopen }) => {
      const once = () =>
        store.tokens.change("a", (row) => {
          if (row) throw new Error("taken");
          return token("a");
        });

      const outcomes = await Promise.allSettled([once(), once(), once()]);

      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected", "rejected"]);
      assert.deepEqual((await reopen()).tokens.all(), [token("a")]);
    },
  ],
  [
    "the last use is known at once, never goes back, and is kept when the token is written",
    async ({ store, reopen }) => {
      const row = token("a");
      await putToken(store.tokens, row);
      assert.equal(store.tokens.lastUsed("a"), undefined);
      store.tokens.used(row, 2000);
      store.tokens.used(row, 1000);
      assert.equal(store.tokens.lastUsed("a"), 2000);

      await putToken(store.tokens, { ...row, revokedAt: 3000 });

      const { tokens } = await reopen();
      assert.deepEqual([tokens.lastUsed("a"), tokens.get("a")?.revokedAt], [2000, 3000]);
    },
  ],
];
