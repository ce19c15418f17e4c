import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { activityRecord } from "#test/kit/store.ts";
import { ADMIN_KEY, editionFor, person, sessionOf, tokenOf } from "#test/kit/team.ts";

const DAY_MS = 86_400_000;

const options = {
  connect: false,
  servers: [{ name: "git", command: "x" }],
  tools: { "git:log": "approved", "git:push": "approved", "git:diff": "approved" },
  config: { server_edition: editionFor("https://id.example") },
} as const;

/** Records a call as the gateway does: for the user in the activity, for everybody in the counts. */
async function recordCall(app: TestApp, user_id: string, tool_name: string, at: number): Promise<void> {
  await Promise.all([
    app.store.activity.add(activityRecord({ at, server_name: "git", tool_name, user_id })),
    app.store.usage.count(`git:${tool_name}`, at),
  ]);
}

test("a user of the multi-user edition sees, and sorts by, the user's own calls of the last 30 days", () =>
  withApp(options, async (app) => {
    const now = app.clock.now();
    const kate = await person(app, { email: "kate@example.com" });
    const jo = await person(app, { email: "jo@example.com" });
    await recordCall(app, kate.id, "log", now - 2);
    await recordCall(app, kate.id, "log", now - 40 * DAY_MS);
    for (const at of [now - 1, now]) await recordCall(app, jo.id, "push", at);
    const at = (ms: number) => new Date(ms).toISOString();
    const lists = {
      all: (as: Record<string, string>) => call(app, "GET /api/v1/tools", { as, query: { sort: "-usage" } }),
      server: (as: Record<string, string>) =>
        call(app, "GET /api/v1/servers/{name}/tools", { as, params: { name: "git" }, query: { sort: "-last_used" } }),
      search: async (as: Record<string, string>) => {
        const { results } = await call(app, "GET /api/v1/index/search", { as, query: { q: "log push" } });
        return { tools: results.map(({ tool }) => tool).sort((a, b) => b.usage - a.usage) };
      },
    };
    const counts = async (as: Record<string, string>, list: (typeof lists)[keyof typeof lists]) =>
      (await list(as)).tools.flatMap(({ name, usage, last_used }) => (usage > 0 ? [[name, usage, last_used]] : []));
    const ofKate = [["log", 1, at(now - 2)]];
    const ofAll = [["push", 2, at(now)], ...ofKate];
    const admin = await person(app, { email: "carol@example.com", admin: true });

    for (const [name, list] of Object.entries(lists)) {
      assert.deepEqual(await counts(await sessionOf(app, kate), list), ofKate, `${name}, browser`);
      assert.deepEqual(await counts(await tokenOf(app, jo, { name }), list), [["push", 2, at(now)]], `${name}, agent`);
      assert.deepEqual(await counts(await sessionOf(app, admin), list), ofAll, `${name}, administrator`);
      assert.deepEqual(await counts(ADMIN_KEY, list), ofAll, `${name}, API key`);
    }
  }));
