import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "#lib/core/schema/caller.ts";
import { FULL_SCOPE, INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { listSessions } from "#lib/core/verbs/sessions/list.ts";
import { createStatelessClients } from "#lib/core/verbs/sessions/stateless.ts";
import { countCall } from "#lib/core/verbs/sessions/track.ts";
import { testApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";

const AGENT: Caller = { tier: "agent", name: "ci", listener: "tcp", scope: FULL_SCOPE };
const FROM = { mode: "direct", caller: INTERNAL_CALLER, client: { name: "py", version: "2" } } as const;
const PAGE = { limit: 10, offset: 0 };

async function clients(t: { after(fn: () => Promise<void>): void }, limits = { max: 100, idleMs: 3_600_000 }) {
  const clock = handClock();
  const app = await testApp({ connect: false });
  t.after(() => app.close());
  const parts = { clock, store: app.store, log: app.log, part: app.part };
  const calls = (from: Parameters<typeof one.of>[0]) => countCall(parts, one.of(from));
  const one = createStatelessClients(parts, limits);
  const listed = async () => {
    // A first call reads the stored record before it writes.
    await new Promise((next) => setImmediate(next));
    return (await listSessions({ ...app, clock }, {}, PAGE)).sessions;
  };
  return { clock, one, calls, listed, again: () => createStatelessClients(parts, limits), parts };
}

test("calls are put together by name, version, caller and mode", async (t) => {
  const { one } = await clients(t);

  const id = (more: object) => one.of({ ...FROM, ...more }).record.id;
  const others = [
    id({ client: { name: "py", version: "3" } }),
    id({ client: { name: "go", version: "2" } }),
    id({ mode: "code_execution" }),
    id({ caller: AGENT }),
  ];

  assert.equal(id({}), id({}));
  assert.equal(new Set([id({}), ...others]).size, 5);
});

test("a client is listed from its first call on, idle after five minutes, closed after its longest silence", async (t) => {
  const { clock, one, calls, listed } = await clients(t);
  assert.deepEqual(await listed(), []);

  calls(FROM);
  const shown = async () =>
    (await listed()).map(({ client_name, status, idle, stateless }) => [client_name, status, idle, stateless]);
  assert.deepEqual(await shown(), [["py", "active", undefined, true]]);
  await clock.advance(300_000);
  assert.deepEqual(await shown(), [["py", "active", true, true]]);
  await clock.advance(3_600_000);
  one.sweep();
  assert.deepEqual(await shown(), [["py", "closed", undefined, true]]);
});

test("after a silence or a restart a client goes on with its own record", async (t) => {
  const { clock, one, calls, listed, again, parts } = await clients(t);
  calls(FROM);
  const [first] = await listed();
  one.close();
  await clock.advance(1000);

  countCall(parts, again().of(FROM));

  assert.equal((await listed()).length, 1);
  const [now] = await listed();
  assert.deepEqual([now!.id, now!.status, now!.tool_call_count, now!.end_time], [first!.id, "active", 2, undefined]);
  assert.equal(now!.start_time, first!.start_time);
});

test("beyond the bound the client that was silent longest is closed", async (t) => {
  const { calls, listed } = await clients(t, { max: 2, idleMs: 1000 });
  for (const name of ["a", "b", "a", "c"]) calls({ ...FROM, client: { name, version: "" } });

  const states = Object.fromEntries((await listed()).map(({ client_name, status }) => [client_name, status]));
  assert.deepEqual(states, { a: "active", b: "closed", c: "active" });
});
