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

test("the last put of a session is what is kept, the last used comes first", async (t) => {
  const { sessions } = await testStore(t);
  void sessions.put(session("a", { tool_calls: 1 }));
  void sessions.put(session("b", { last_active_at: 5, client_ip: "127.0.0.1" }));
  await sessions.put(session("a", { tool_calls: 2, last_active_at: 3 }));

  assert.deepEqual(await sessions.get("a"), session("a", { tool_calls: 2, last_active_at: 3 }));
  assert.equal(await sessions.get("c"), undefined);
  const { sessions: page, total } = await sessions.page({}, 10, 0);
  assert.deepEqual(
    page.map((s) => s.id),
    ["b", "a"],
  );
  assert.equal(page[0]?.client_ip, "127.0.0.1");
  assert.equal(total, 2);
});

test("pages are cut out by status, limit and offset", async (t) => {
  const { sessions } = await testStore(t);
  for (let i = 0; i < 6; i++)
    void sessions.put(session(`s${i}`, { last_active_at: i, status: i % 2 ? "closed" : "active" }));

  assert.deepEqual(
    (await sessions.page({ status: "closed" }, 2, 1)).sessions.map((s) => s.id),
    ["s3", "s1"],
  );
  assert.equal((await sessions.page({ status: "closed" }, 2, 1)).total, 3);
  assert.equal((await sessions.page({ status: "active" }, 10, 0)).total, 3);
});

test("what a crash left active is closed at the next start, and what came before stays so", async (t) => {
  const { sessions } = await testStore(t);
  void sessions.put(session("a"));
  void sessions.put(session("b", { status: "closed", closed_at: 2 }));

  const closed = sessions.closeAll(9);
  void sessions.put(session("a", { tool_calls: 7 }));
  await closed;

  assert.equal((await sessions.get("a"))?.status, "active", "what was put later is later");
  assert.equal((await sessions.get("b"))?.closed_at, 2);
  await sessions.closeAll(10);
  assert.equal((await sessions.get("a"))?.status, "closed");
  assert.equal((await sessions.get("a"))?.closed_at, 10);
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
