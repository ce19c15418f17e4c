import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { signInBrowser } from "#lib/core/api/authenticate/panel-session.ts";
import type { UserRow } from "#lib/core/schema/user.ts";
import { endSession } from "#lib/modules/team/sessions.ts";
import { disableUser } from "#lib/modules/team/users.ts";
import { TEST_KEY, type TestApp } from "#test/kit/app.ts";
import { program, serve } from "#test/kit/mcp.ts";
import { bearerOf, editionFor, person, sessionOf, tokenOf } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";

const by = {
  caller: { tier: "admin", name: "admin", listener: "tcp", scope: { servers: "all", permissions: "all" } },
  origin: { source: "internal", requestId: "r-1" },
} as const;
const ACCESS = { group_servers: { dev: ["up"] }, default_servers: [] };

async function house(t: TestContext) {
  const config = { server_edition: editionFor("https://id.example", { access: ACCESS }) };
  const { app, url } = await serve(t, { servers: [program("up")], connect: true, config });
  let started = 0;
  app.events.subscribe(({ kind }) => void (kind === "activity.tool_call.started" && started++));
  const post = async (headers: Record<string, string>, path: string, body: object) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  return { app, url, post, started: (n: number) => until(`${n} calls under way`, () => started >= n) };
}

const dev = (app: TestApp) => person(app, { email: "dev@example.com", groups: ["dev"] });
const ENDS: [what: string, ways: ((app: TestApp, user: UserRow) => Promise<Record<string, string>>)[]][] = [
  ["disabling a user", [sessionOf, bearerOf, tokenOf]],
  ["ending a session", [sessionOf]],
];
for (const [what, ways] of ENDS)
  test(`${what} ends the calls and scripts that are under way for them over REST`, async (t) => {
    const { app, post, started } = await house(t);
    const user = await dev(app);
    const answers = [];
    for (const way of ways) {
      const headers = await way(app, user);
      answers.push(post(headers, "/api/v1/tools/call", { tool_name: "up:slow", arguments: { ms: 60_000 } }));
      answers.push(post(headers, "/api/v1/code/exec", { code: `call_tool("up", "slow", { ms: 60000 })` }));
    }
    await started(answers.length);
    if (what === "disabling a user") await disableUser(app, user.id, by);
    else await endSession(app, app.store.userSessions.all()[0]!.id, by);

    for (const { status, text } of await Promise.all(answers))
      assert.ok(status === 401 || /cancel/i.test(text), `${status} ${text}`);
  });

test("signing out of the panel ends what that browser has under way, and nothing of others", async (t) => {
  const { app, url, post, started } = await house(t);
  const { secret } = await signInBrowser(app, { key: TEST_KEY });
  const port = new URL(url).port;
  const page = { cookie: `proxy_panel_${port}=${secret}`, origin: url, "x-proxy-panel": "1" };
  const slow = { tool_name: "up:slow", arguments: { ms: 60_000 } };
  const answer = post(page, "/api/v1/tools/call", slow);
  await started(1);
  const other = post({ "x-api-key": TEST_KEY }, "/api/v1/tools/call", { ...slow, arguments: { ms: 500 } });
  await started(2);
  await fetch(`${url}/ui/session`, { method: "DELETE", headers: page });

  assert.equal((await answer).status, 401);
  assert.equal((await other).status, 200);
});

test("what somebody loses while a script of theirs runs, the script loses", async (t) => {
  const { app, post, started } = await house(t);
  const headers = await tokenOf(app, await dev(app));
  const code = `let r; let n = 0; do { r = call_tool("up", "echo", {}); n++; } while (r.ok && n < 200000); r.error && r.error.code`;
  const answer = post(headers, "/api/v1/code/exec", { code, options: { timeout_ms: 300_000 } });
  await started(1);
  await app.config.update((doc) => {
    doc.server_edition!.access = { group_servers: {}, default_servers: [] };
  }, "test");

  assert.deepEqual(JSON.parse((await answer).text), { ok: true, value: "TOOL_NOT_FOUND" });
});
