import assert from "node:assert/strict";
import type { IdempotentAnswer } from "#lib/core/schema/idempotent-answer.ts";
import type { ContractCase } from "./store-contract.ts";

const answer = (id: string, at: number, sealed = "s"): IdempotentAnswer => ({
  id,
  requestHash: "r",
  keyId: "k",
  sealed,
  at,
});
const WIDE = { before: 0, max: 100 };
const ODD = { text: "\0\ud800é", nested: [null, { "": 1.5 }] };

export const documentCases: readonly ContractCase[] = [
  [
    "a value is seen at once, comes back as it was, and is deleted by undefined",
    async ({ store, reopen }) => {
      const durable = store.meta.set("k", ODD);
      assert.deepEqual(store.meta.get("k"), ODD);
      assert.equal(store.meta.get("none"), undefined);
      await Promise.all([durable, store.meta.set("gone", 1), store.meta.set("gone", undefined)]);

      const { meta } = await reopen();

      assert.deepEqual([meta.get("k"), meta.get("gone")], [ODD, undefined]);
    },
  ],
  [
    "writes of one key keep their order",
    async ({ store, reopen }) => {
      await Promise.all(Array.from({ length: 20 }, (_, i) => store.meta.set("k", i)));

      assert.equal(store.meta.get("k"), 19);
      assert.equal((await reopen()).meta.get("k"), 19);
    },
  ],
  [
    "many documents read at once have what was written before each read, and nothing of what was written later",
    async ({ store: { documents } }) => {
      const seen: Promise<unknown>[] = [];
      for (let i = 0; i < 3; i++) {
        seen.push(documents.get("k"));
        void documents.set("k", i);
        seen.push(documents.get("k"), documents.get("none"));
        void documents.change("k", (now) => Number(now) + 10);
        seen.push(documents.get("k"));
      }

      const none = undefined;
      assert.deepEqual(await Promise.all(seen), [none, 0, none, 10, 10, 1, none, 11, 11, 2, none, 12]);
      const keys = Array.from({ length: 250 }, (_, i) => `many-${i}`);
      await Promise.all(keys.map((key) => documents.set(key, key)));
      assert.deepEqual(await Promise.all(keys.map((key) => documents.get(key))), keys);
    },
  ],
  [
    "a document comes back as it was, and is deleted by undefined",
    async ({ store, reopen }) => {
      const large = { ...ODD, long: "x".repeat(1_000_000) };
      const durable = store.documents.set("k", large);
      assert.deepEqual(await store.documents.get("k"), large);
      await Promise.all([durable, store.documents.set("gone", 1), store.documents.set("gone", undefined)]);

      const { documents } = await reopen();

      assert.deepEqual(await documents.get("k"), large);
      assert.deepEqual([await documents.get("gone"), await documents.get("none")], [undefined, undefined]);
    },
  ],
  [
    "the keys of documents are found by how they begin, also those that were just written",
    async ({ store: { documents }, reopen }) => {
      const odd = `a/["%_*","\u0010é"]`;
      for (const key of ["a/1", odd, "a", "b/a/1", "A/2"]) void documents.set(key, key);
      void documents.set("a/gone", 1);
      void documents.set("a/gone", undefined);

      assert.deepEqual((await documents.keys("a/")).sort(), [odd, "a/1"].sort());
      assert.deepEqual(await documents.keys("c"), []);
      assert.deepEqual((await (await reopen()).documents.keys("a/")).sort(), [odd, "a/1"].sort());
    },
  ],
  [
    "an answer comes back as it was, and a second one replaces it",
    async ({ store, reopen }) => {
      await store.answers.put(answer("a", 1), WIDE);
      await store.answers.put(answer("a", 2, "other"), WIDE);

      const { answers } = await reopen();

      assert.deepEqual(await answers.get("a"), answer("a", 2, "other"));
      assert.equal(await answers.get("b"), undefined);
    },
  ],
  [
    "answers that are too old or too many are removed, the oldest first",
    async ({ store: { answers } }) => {
      for (let i = 1; i <= 5; i++) await answers.put(answer(`a${i}`, i), WIDE);

      await answers.put(answer("a6", 6), { before: 3, max: 3 });

      const left = await Promise.all([1, 2, 3, 4, 5, 6].map((i) => answers.get(`a${i}`)));
      assert.deepEqual(
        left.map((one) => one?.at),
        [undefined, undefined, undefined, 4, 5, 6],
      );
    },
  ],
  [
    "changes of one value or document see each other, and one that returns nothing changes nothing",
    async ({ store, reopen }) => {
      const add = (current: unknown) => (typeof current === "number" ? current : 0) + 1;
      await Promise.all(
        Array.from({ length: 10 }, () => [store.meta.change("k", add), store.documents.change("d", add)]).flat(),
      );

      assert.equal(await store.meta.change("k", () => undefined), 10);
      assert.equal(await store.documents.change("d", () => undefined), 10);
      const again = await reopen();
      assert.deepEqual([again.meta.get("k"), await again.documents.get("d")], [10, 10]);
    },
  ],
];
