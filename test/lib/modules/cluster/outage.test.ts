import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, type TestContext, test } from "node:test";
import type { TestApp } from "#test/kit/app.ts";
import { openClusterApps } from "#test/kit/cluster-apps.ts";
import { ask, call } from "#test/kit/http.ts";
import { startLink } from "#test/kit/link.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { putUser } from "#test/kit/store.ts";
import { issue, shows } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";
import { startProgram } from "#test/kit/upstream.ts";

/** What a replica does whose database does not answer, is slow, or can be reached by the others only. */
const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const encryption_keys = [randomBytes(32).toString("base64")];

/** Opens one replica with a connected server, whose tools may be called. */
async function open(t: TestContext, url: string, cluster: object = {}): Promise<TestApp> {
  const upstream = await startProgram("upstream-http.mjs");
  t.after(() => upstream.kill());
  const [app] = await openClusterApps(t, url, {
    count: 1,
    connect: true,
    cluster: { encryption_keys, ...cluster },
    servers: [{ name: "up", url: upstream.url, protocol: "streamable-http", trust_mode: "auto" }],
  });
  await until("its tools are known", () => app!.catalog.of("up").length > 0);
  return app!;
}

/** Opens a replica beside another one that reaches the database through a link. */
async function pair(t: TestContext) {
  const url = server!.database();
  const link = await startLink(t, server!.port);
  const near = await open(t, url);
  const far = await open(t, link.through(url));
  const token = await issue(near, { name: "bot" });
  await until("the token is known", async () => (await echo(far, token)) === "answered");
  await until("this call is recorded", async () => (await calls(near)) === 1);
  return { link, near, far, token };
}

async function echo(app: TestApp, token: string): Promise<string> {
  const body = { tool_name: "up:echo", arguments: { text: "hello" } };
  const { status, body: said } = await ask(app, "POST /api/v1/tools/call", { as: shows(token), body });
  return status === 200 ? "answered" : `${status} ${said.code}`;
}

const tools = (app: TestApp) => app.config.current().tools_limit;
const setTools = (app: TestApp, tools_limit: number) => ask(app, "PATCH /api/v1/config", { body: { tools_limit } });
const calls = async (app: TestApp) =>
  (await call(app, "GET /api/v1/activity", { query: { type: "tool_call", status: "success", limit: "1" } })).total;

test("while the database is frozen every decision fails with the reason, and none is in force afterwards", {
  skip,
}, async (t) => {
  const app = await open(t, server!.database(), { max_stale: "5m" });
  const { approvals, users, tokens } = app.store;
  await putUser(users, {
    id: "dora",
    issuer: "https://id.example",
    subject: "s",
    email: "dora@example.com",
    groups: [],
    admin: false,
    off: [],
    createdAt: 1,
    signedInAt: 2,
    bearersAfter: 3,
  });
  const token = await issue(app, { name: "bot" });
  await call(app, "POST /api/v1/servers/{name}/tools/block", { params: { name: "up" }, body: { tools: ["fail"] } });
  const state = () => ({
    approvals: approvals.of("up").map(({ tool, status, disabled }) => [tool, status, disabled]),
    users: users.all().map(({ email, disabledAt }) => [email, disabledAt]),
    tokens: tokens.all().map(({ name, revokedAt }) => [name, revokedAt]),
    servers: app.config.current().mcpServers.map(({ name, enabled, quarantined }) => [name, enabled, quarantined]),
    tools: tools(app),
  });
  const before = state();
  const rows: [request: string, body?: object][] = [
    ["POST /api/v1/servers/up/tools/approve", { tools: ["fail"] }],
    ["POST /api/v1/servers/up/tools/block", { tools: ["echo"] }],
    ["POST /api/v1/servers/up/quarantine"],
    ["POST /api/v1/servers/up/disable"],
    ["DELETE /api/v1/servers/up"],
    ["POST /api/v1/servers", { name: "more", url: "http://127.0.0.1:9/mcp" }],
    ["PATCH /api/v1/config", { tools_limit: 9 }],
    ["POST /api/v1/tokens", { name: "late" }],
    ["POST /api/v1/tokens/bot/regenerate"],
    ["DELETE /api/v1/tokens/bot"],
    ["DELETE /api/v1/tokens/bot/permanent"],
    ["POST /api/v1/admin/users/dora/disable"],
  ];

  server!.freeze();
  try {
    const answers = await Promise.all(rows.map(([request, body]) => ask(app, request, { body })));

    assert.deepEqual(
      answers.map(({ status, body }, index) => [rows[index]![0], status, body.code]),
      rows.map(([request]) => [request, 503, "cluster_database_away"]),
    );
    for (const { body } of answers) assert.match(body.error, /read whether it was made before you repeat it/);
    assert.deepEqual(state(), before);
    assert.equal(await echo(app, token), "answered");
  } finally {
    server!.thaw();
  }

  await until("changes are made again", async () => (await setTools(app, 11)).status === 200);
  const block = { params: { name: "up" }, body: { tools: ["echo"] } };
  await call(app, "POST /api/v1/servers/{name}/tools/block", block);
  assert.equal(await echo(app, token), "403 tool_blocked");
});

test("while the database is read-only changes fail with the reason, the doctor names it, and calls go on", {
  skip,
}, async (t) => {
  const app = await open(t, server!.database());
  const token = await issue(app, { name: "bot" });
  const setReadOnly = (value: string) => {
    server!.psql(`alter system set default_transaction_read_only = ${value}`);
    server!.psql("select pg_reload_conf()");
  };
  const findings = async () =>
    (await call(app, "GET /api/v1/doctor", {})).findings.filter(({ severity }) => severity === "error");

  setReadOnly("on");
  try {
    await until("the server has read its settings", async () => (await setTools(app, 7)).status !== 200);
    const refused = await setTools(app, 7);
    await until("the doctor reports it", async () => (await findings()).length > 0);

    assert.deepEqual([refused.status, refused.body.code], [503, "cluster_database_away"]);
    assert.match(refused.body.error, /it is read-only/);
    const [finding, ...others] = await findings();
    assert.deepEqual([finding?.code, others], ["cluster_database", []]);
    assert.match(finding?.detail ?? "", /it is read-only/);
    assert.equal(await echo(app, token), "answered");
  } finally {
    setReadOnly("default");
  }
  await until("changes are made again", async () => (await setTools(app, 11)).status === 200);
  await until("the doctor is content", async () => (await findings()).length === 0);
});

test("a replica that is cut off goes on with calls only, holds up nobody, and then follows what was decided", {
  skip,
}, async (t) => {
  const { link, near, far, token } = await pair(t);

  link.freeze();
  const refused = await setTools(far, 7);
  const made = await setTools(near, 8);
  const answered = await Promise.all(Array.from({ length: 5 }, () => echo(far, token)));
  await call(near, "DELETE /api/v1/tokens/{name}", { params: { name: "bot" } });
  const seen = [tools(near), tools(far), await calls(near)];
  link.thaw();

  assert.deepEqual([refused.status, refused.body.code, made.status], [503, "cluster_database_away", 200]);
  assert.deepEqual(answered, Array(5).fill("answered"));
  assert.deepEqual(seen, [8, 15, 1]);
  await until("it takes over the setting", () => tools(far) === 8);
  let late = 0;
  await until("it refuses the token", async () => {
    const answer = await echo(far, token);
    if (answer === "answered") late++;
    return answer.startsWith("401");
  });
  await until("its calls are recorded", async () => (await calls(near)) === 1 + 5 + late);
  assert.equal((await setTools(far, 9)).status, 200);
});

test("with a slow database calls are answered and recorded once, and changes are made", { skip }, async (t) => {
  const { link, near, far, token } = await pair(t);

  // A transaction of a change still ends in time.
  link.delay(100);
  const changed = await setTools(far, 7);
  // A record waits no longer than 500 ms for the database.
  link.delay(300);
  const answered: string[] = [];
  for (let i = 0; i < 20; i++) answered.push(await echo(far, token));

  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual(answered, Array(20).fill("answered"));
  await until("the setting is in force", () => tools(near) === 7 && tools(far) === 7);
  await until("the calls are recorded", async () => (await calls(near)) === 1 + 20);
  link.delay(0);
  await until("a change is made", async () => (await setTools(far, 9)).status === 200);
  assert.equal(await calls(far), 1 + 20);
});
