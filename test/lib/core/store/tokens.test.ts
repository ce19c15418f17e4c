import assert from "node:assert/strict";
import { test } from "node:test";
import type { TokenRow } from "#lib/core/schema/token.ts";
import { openStore } from "#lib/core/store/open-store.ts";
import { putToken, temporaryFolder, testStore } from "#test/kit/store.ts";

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

test("a token is found by name and by hash, and comes back as it was put", async (t) => {
  const { tokens } = await testStore(t);
  const [a, b] = [token("a"), token("b", { profile: "work", revokedAt: 5, servers: ["*"] })];
  await putToken(tokens, b);
  await putToken(tokens, a);
  assert.deepEqual(tokens.all(), [a, b]);
  assert.deepEqual(tokens.get("b"), b);
  assert.equal(tokens.byHash("hash of a"), a);
  assert.equal(tokens.byHash("hash of c"), undefined);
});

test("what was put is there after a restart, with its last use to the minute", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const first = await testStore(t, { dir });
  const row = token("a", { profile: "work" });
  await putToken(first.tokens, row);
  first.tokens.used(row, 100_000);
  first.tokens.used(row, 130_000);
  assert.equal(first.tokens.lastUsed("a"), 130_000);
  await first.close();

  const second = await openStore({ dir, clock: first.clock, log: first.log });
  t.after(() => second.close());
  assert.deepEqual(second.tokens.byHash("hash of a"), row);
  assert.equal(second.tokens.lastUsed("a"), 100_000);
});

test("a replaced hash finds nothing any more, from the moment it is asked for", async (t) => {
  const { tokens } = await testStore(t);
  await putToken(tokens, token("a"));
  const heard: string[] = [];
  tokens.onChange((name) => heard.push(name));
  const durable = putToken(tokens, token("a", { hash: "another" }));
  assert.equal(tokens.byHash("hash of a"), undefined);
  assert.equal(tokens.byHash("another")?.name, "a");
  await durable;
  const gone = tokens.change("a", () => "remove");
  assert.equal(tokens.byHash("another"), undefined);
  await gone;
  assert.deepEqual(tokens.all(), []);
  assert.deepEqual(heard, ["a", "a"]);
});

test("uses between two writes are kept in memory and written with the token", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const first = await testStore(t, { dir });
  const row = token("a");
  await putToken(first.tokens, row);
  first.tokens.used(row, 1000);
  first.tokens.used(row, 2000);
  await putToken(first.tokens, { ...row, revokedAt: 3000 });
  await first.close();
  const second = await openStore({ dir, clock: first.clock, log: first.log });
  t.after(() => second.close());
  assert.equal(second.tokens.lastUsed("a"), 2000);
});
