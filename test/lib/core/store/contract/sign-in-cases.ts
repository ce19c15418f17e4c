import assert from "node:assert/strict";
import type { SignInRow } from "#lib/core/schema/sign-in.ts";
import { andAfterRestart } from "./and-after-restart.ts";
import type { ContractCase } from "./store-contract.ts";

const signIn = (hash: string): SignInRow => ({
  hash,
  subject: "admin",
  credential: "c",
  createdAt: 1,
  usedAt: 1,
  expiresAt: 9,
});

export const signInCases: readonly ContractCase[] = [
  [
    "a session is found by its hash, and is there after a restart",
    async ({ store, reopen }) => {
      await store.signIns.change("a", () => signIn("a"));

      for await (const { signIns } of andAfterRestart({ store, reopen })) {
        assert.deepEqual(signIns.get("a"), signIn("a"));
        assert.equal(signIns.get("b"), undefined);
        assert.deepEqual(signIns.all(), [signIn("a")]);
      }
    },
  ],
  [
    "a use does not bring back a session that has ended; listeners hear the end",
    async ({ store, reopen }) => {
      const { signIns } = store;
      await Promise.all(["a", "b"].map((hash) => signIns.change(hash, () => signIn(hash))));
      let ends = 0;
      const stop = signIns.onEnd(() => ends++);

      const ended = signIns.remove(["a", "none"]);
      const used = signIns.change("a", (row) => row && { ...row, usedAt: 5 });
      await Promise.all([ended, used, signIns.change("b", (row) => row && { ...row, usedAt: 5 })]);

      assert.deepEqual([signIns.get("a"), ends], [undefined, 1]);
      stop();
      await signIns.remove(["none"]);
      assert.equal(ends, 1);
      assert.deepEqual((await reopen()).signIns.all(), [{ ...signIn("b"), usedAt: 5 }]);
    },
  ],
];
