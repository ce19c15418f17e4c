import assert from "node:assert/strict";
import { test } from "node:test";
import { findSession, listSessions } from "#lib/core/verbs/sessions/list.ts";
import { countCall, type TrackedSession } from "#lib/core/verbs/sessions/track.ts";
import { withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { until } from "#test/kit/until.ts";

test("the calls that come after a session's first write are stored once it falls silent", () => {
  const clock = handClock();
  return withApp({ connect: false, clock }, async (app) => {
    const at = clock.now();
    const session: TrackedSession = {
      writtenAt: 0,
      record: {
        id: "s",
        status: "active",
        client_name: "tester",
        client_version: "1",
        mode: "direct",
        actor: "admin",
        started_at: at,
        last_active_at: at,
        tool_calls: 0,
      },
    };
    for (let i = 0; i < 7; i++) countCall(app, session);
    const stored = async () => (await app.store.sessions.get("s"))?.tool_calls;
    await until("the first call is stored", async () => (await stored()) === 1);
    assert.equal((await findSession(app, "s")).tool_call_count, 7, "readers see what is counted, not what is stored");
    assert.equal((await listSessions(app, {}, { limit: 1, offset: 0 })).sessions[0]?.tool_call_count, 7);
    await clock.advance(5000);
    await until("the rest is stored", async () => (await stored()) !== 1);
    assert.equal(await stored(), 7);
  });
});
