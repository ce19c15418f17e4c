import assert from "node:assert/strict";
import type { SessionRecord } from "#lib/core/schema/session.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const session = (id: string, status: "active" | "closed", at: number): SessionRecord => ({
  id,
  status,
  client_name: "tester",
  client_version: "1",
  mode: "direct",
  actor: "admin",
  started_at: at,
  last_active_at: at + 5,
  ...(status === "closed" && { closed_at: at + 9 }),
  tool_calls: 3,
});
const start = (fn: (app: TestApp) => Promise<void>) =>
  withApp({ connect: false }, async (app) => {
    await app.store.sessions.put(session("old", "active", 1000));
    for (let i = 0; i < 12; i++) await app.store.sessions.put(session(`c${i}`, "closed", 2000 + i));
    await fn(app);
  });

verifies(
  ["rest.sessions.list", "rest.sessions.filter-first", "rest.session.states", "rest.limit.sessions"],
  "sessions come newest first, ten a page; the status counts before the limit",
  () =>
    start(async (app) => {
      const page = await call(app, "GET /api/v1/sessions", {});
      assert.deepEqual([page.sessions.length, page.total, page.limit, page.offset], [10, 13, 10, 0]);
      assert.equal(page.sessions[0]?.id, "c11");

      const active = await call(app, "GET /api/v1/sessions", { query: { status: "active", limit: "1" } });
      assert.deepEqual([active.sessions.map((s) => s.id), active.total], [["old"], 1]);
      const rest = await call(app, "GET /api/v1/sessions", { query: { offset: "12" } });
      assert.deepEqual(
        rest.sessions.map((s) => s.id),
        ["old"],
      );
    }),
);

verifies(["rest.sessions.status"], "a status that is none is 400", () =>
  start(async (app) => {
    const { status, body } = await ask(app, "GET /api/v1/sessions?status=open");
    assert.deepEqual([status, body.error], [400, "status: must be one of active, closed"]);
  }),
);

verifies(["rest.sessions.get"], "one session is given by its id", () =>
  start(async (app) => {
    const { session } = await call(app, "GET /api/v1/sessions/{id}", { params: { id: "c0" } });
    assert.deepEqual(session, {
      id: "c0",
      status: "closed",
      client_name: "tester",
      client_version: "1",
      mode: "direct",
      actor: "admin",
      start_time: new Date(2000).toISOString(),
      last_activity: new Date(2005).toISOString(),
      end_time: new Date(2009).toISOString(),
      tool_call_count: 3,
    });
    assert.equal((await ask(app, "GET /api/v1/sessions/nope")).status, 404);
  }),
);
