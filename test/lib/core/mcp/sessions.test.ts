import assert from "node:assert/strict";
import { test } from "node:test";
import { createMcpSessions } from "#lib/core/mcp/sessions.ts";
import type { Caller } from "#lib/core/schema/caller.ts";
import { FULL_SCOPE, INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { testApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";

const client = { name: "c", version: "1" };
const opening = { mode: "direct", caller: INTERNAL_CALLER, revision: "2025-11-25", client } as const;

async function sessionsOf(t: { after(fn: () => Promise<void>): void }, limits: { max: number; idleMs: number }) {
  const clock = handClock();
  const app = await testApp({ connect: false });
  t.after(() => app.close());
  return {
    clock,
    store: app.store,
    sessions: createMcpSessions({ clock, store: app.store, log: app.log, part: app.part }, limits),
  };
}

test("beyond the bound the least recently used session ends, unless it is in the middle of a call", async (t) => {
  const { sessions } = await sessionsOf(t, { max: 3, idleMs: 1000 });
  const [a, b, c] = [sessions.open(opening), sessions.open(opening), sessions.open(opening)];
  sessions.find(a.id, "direct", INTERNAL_CALLER);
  b.running.set(1, new AbortController());

  const d = sessions.open(opening);

  const alive = [a, b, c, d].map((s) => sessions.find(s.id, "direct", INTERNAL_CALLER) !== undefined);
  assert.deepEqual(alive, [true, true, false, true]);
  assert.equal(sessions.size, 3);
});

test("a session ends after its idle time, unless it listens or works", async (t) => {
  const { sessions, clock } = await sessionsOf(t, { max: 10, idleMs: 1000 });
  const [idle, used, listening, working] = [1, 2, 3, 4].map(() => sessions.open(opening));
  listening!.outlets.push({ send() {}, keepAlive() {}, end() {} });
  working!.running.set(1, new AbortController());
  await clock.advance(900);
  sessions.find(used!.id, "direct", INTERNAL_CALLER);
  await clock.advance(200);

  sessions.sweep();

  assert.deepEqual([...sessions.all()].map((s) => s.id).sort(), [used!.id, listening!.id, working!.id].sort());
  assert.equal(sessions.find(idle!.id, "direct", INTERNAL_CALLER), undefined);
});

test("the end of a session ends its calls and streams", async (t) => {
  const { sessions } = await sessionsOf(t, { max: 10, idleMs: 1000 });
  const session = sessions.open(opening);
  const call = new AbortController();
  let ended = 0;
  session.running.set("x", call);
  session.outlets.push({ send() {}, keepAlive() {}, end: () => void ended++ });

  sessions.end(session);
  sessions.end(session);

  assert.equal(call.signal.aborted, true);
  assert.equal(ended, 1);
});

test("a session is found only by its owner, with the scope of now", async (t) => {
  const { sessions } = await sessionsOf(t, { max: 10, idleMs: 1000 });
  const agent = (name: string): Caller => ({ tier: "agent", name, listener: "tcp", scope: FULL_SCOPE });
  const session = sessions.open({ ...opening, caller: agent("a") });
  const narrower: Caller = { ...agent("a"), scope: { servers: new Set(["git"]), permissions: "all" } };

  assert.equal(sessions.find(session.id, "direct", agent("b")), undefined);
  assert.equal(sessions.find(session.id, "direct", { ...INTERNAL_CALLER, name: "a" }), undefined);
  assert.equal(sessions.find(session.id, "direct", narrower)?.caller, narrower);
});
