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
