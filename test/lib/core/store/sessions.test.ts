import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionRecord } from "#lib/core/schema/session.ts";
import { testStore } from "#test/kit/store.ts";

const session = (id: string, own: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  status: "active",
  client_name: "test",
  client_version: "1",
  mode: "retrieve_tools",
  actor: "anonymous",
  started_at: 1,
  last_active_at: 1,
  tool_calls: 0,
  ...own,
});

test("closed sessions beyond a thousand go at the next start, though none was left active", async (t) => {
  const { sessions } = await testStore(t);
  for (let i = 0; i < 1001; i++) void sessions.put(session(`s${i}`, { status: "closed", last_active_at: i }));

  await sessions.closeAll(2000);

  assert.deepEqual([(await sessions.page({}, 1, 0)).total, await sessions.get("s0")], [1000, undefined]);
});

test("a thousand closed sessions are remembered", async (t) => {
  const { sessions } = await testStore(t);
  for (let i = 0; i < 1010; i++) void sessions.put(session(`s${i}`, { last_active_at: i }));

  await sessions.closeAll(2000);

  assert.equal((await sessions.page({}, 1, 0)).total, 1000);
  assert.equal(await sessions.get("s9"), undefined);
  assert.equal((await sessions.get("s10"))?.status, "closed");
});
