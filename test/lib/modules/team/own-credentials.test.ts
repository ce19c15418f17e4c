import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { UserRow } from "#lib/core/schema/user.ts";
import { oauth } from "#lib/modules/oauth/state.ts";
import { send, type Tier } from "#test/kit/access.ts";
import { listenTest, TEST_KEY, type TestApp, testApp } from "#test/kit/app.ts";
import { asksForSignIn, browse, type Guarded, signedIn, startGuarded } from "#test/kit/sign-in.ts";
import { editionFor, person, sessionOf, tokenOf } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

/** A shared server that each user signs in to themselves, beside the operator's own sign-in. */

const KEY = Buffer.alloc(32, 5).toString("base64");

let guarded: Guarded;
let app: TestApp;
let url: string;
let close: () => Promise<void>;
let one: UserRow;
let other: UserRow;

const entry = (more: object = {}) => ({
  name: "crm",
  url: guarded.url,
  trust_mode: "auto" as const,
  auth_broker: { mode: "oauth_connect" as const },
  ...more,
});

before(async () => {
  guarded = await startGuarded();
  const server_edition = editionFor("https://id.example", { credential_encryption_key: KEY });
  app = await testApp({ servers: [entry()], config: { ...guarded.config, server_edition } });
  const listening = await listenTest(app);
  url = listening.url;
  close = listening.close;
  one = await person(app, { email: "one@example.com" });
  other = await person(app, { email: "other@example.com" });
  await asksForSignIn(app, "crm");
  await signedIn(app, "crm");
  await until("its tools", () => app.catalog.of("crm").length > 0);
});
after(async () => {
  await close();
  await app.close();
  await guarded.kill();
});

const ask = (headers: Record<string, string>, route: string, body?: object) =>
  send(app, { name: "", headers, listener: "tcp" } satisfies Tier, route, body);
const read = (headers: Record<string, string>) => ask(headers, "POST /api/v1/tools/call", { tool_name: "crm:read" });
const status = async (headers: Record<string, string>) =>
  JSON.parse((await ask(headers, "GET /api/v1/user/credentials")).text).data.credentials[0]?.status;

/** What somebody is shown of the server's health, in their list and by a check of its tool. */
async function seen(headers: Record<string, string>): Promise<string> {
  const shown = async () => {
    const { servers } = JSON.parse((await ask(headers, "GET /api/v1/servers")).text).data;
    const { health, connected, oauth_status } = servers[0];
    return [connected, health.level, health.action, oauth_status ?? "", health.detail ?? ""].join(" ").trim();
  };
  await until("their sign-in was read", async () => !(await shown()).startsWith("false healthy"));
  const check = JSON.parse((await ask(headers, "POST /api/v1/preflight", { tools: [{ id: "crm:read" }] })).text);
  const [tool] = check.tools ?? check.data.tools;
  return [await shown(), tool.reason ?? tool.status, tool.remediation ?? ""].join(" | ").trim();
}

/** Where a browser is after it began a sign-in and went through it. */
async function comeBack(headers: Record<string, string>): Promise<string> {
  const begun = await fetch(`${url}/api/v1/user/credentials/crm/connect`, { headers, redirect: "manual" });
  assert.equal(begun.status, 302, await begun.text());
  return browse(begun.headers.get("location")!);
}

verifies(
  ["edition.cred-key"],
  "a user's calls are made with what that user signed in to, and with nobody else's",
  async () => {
    const [mine, theirs] = [await sessionOf(app, one), await sessionOf(app, other)];
    const agent = await tokenOf(app, one);
    const before = (await guarded.control()).tokens.length;
    for (const headers of [mine, agent, theirs]) {
      const { status, text } = await read(headers);
      assert.deepEqual([status, JSON.parse(text).code], [403, "user_connect_needed"]);
      assert.match(text, /open \/ui\/account in a browser/);
    }
    assert.equal(await status(mine), "not_connected");

    const nobody =
      /^false degraded login {2}sign in to the server yourself at (\S+) \| oauth_required \| sign in .* at \1$/;
    for (const headers of [mine, agent, theirs]) assert.match(await seen(headers), nobody);
    assert.match(await seen({ "x-api-key": TEST_KEY }), /^true healthy {2}authenticated \| ready/, "the shared one");

    const back = await comeBack(mine);
    assert.equal(new URL(back).pathname, "/api/v1/user/credentials/crm/callback");
    const page = await fetch(back, { headers: { ...mine, "sec-fetch-site": "cross-site" } });

    assert.equal(page.status, 200, await page.text());
    assert.equal(await status(mine), "connected");
    for (const headers of [mine, agent]) assert.equal((await read(headers)).status, 200, (await read(headers)).text);
    assert.ok((await guarded.control()).tokens.length > before);
    const shown = String(await app.part(oauth).bearer("crm", new URL(guarded.url), one.id).header());
    assert.notEqual(shown, await app.part(oauth).bearer("crm", new URL(guarded.url)).header());
    assert.equal((await read(theirs)).status, 403, "what one did is no other's");
    for (const headers of [mine, agent]) assert.match(await seen(headers), /^true healthy {2}authenticated \| ready/);
    assert.match(await seen(theirs), nobody);
    assert.equal(await status(theirs), "not_connected");
    const token = shown.slice("Bearer ".length);
    for (const file of ["proxy.db", "proxy.db-wal"])
      assert.ok(!readFileSync(join(app.dir, file)).includes(token), `${file} holds the token`);

    await app.part(oauth).forget("crm", AbortSignal.timeout(10_000));
    await app.upstreams
      .get("crm")!
      .restart("signed out")
      .catch(() => undefined);
    assert.notEqual((await read({ "x-api-key": TEST_KEY })).status, 200, "the operator has signed out");
    assert.equal((await read(mine)).status, 200, "which is nothing to a user");
    assert.match(await seen(mine), /^true healthy {2}authenticated \| ready/, "whose own connection stands");
    assert.match(await seen({ "x-api-key": TEST_KEY }), /^false \S+ login .*oauth_required/);
    assert.equal(JSON.parse((await ask(mine, "DELETE /api/v1/user/credentials/crm")).text).data.removed, true);
    assert.equal((await read(mine)).status, 403);
    assert.equal((await read(agent)).status, 403);
    for (const headers of [mine, agent]) assert.match(await seen(headers), /^false \S+ login .*oauth_required/);
  },
);

test("nobody has another one sign in for them: a sign-in ends in the browser of whoever began it", async () => {
  const [mine, theirs] = [await sessionOf(app, one), await sessionOf(app, other)];
  const rows: [string, Record<string, string>, number][] = [
    ["another user's browser", theirs, 400],
    ["a browser no user is signed in with", {}, 400],
    ["an administrator's key", { "x-api-key": TEST_KEY }, 400],
  ];
  for (const [what, headers, wanted] of rows) {
    const back = await comeBack(mine);
    assert.equal((await fetch(back, { headers })).status, wanted, what);
    const elsewhere = new URL(back);
    elsewhere.pathname = "/oauth/callback";
    assert.equal((await fetch(elsewhere, { headers })).status, 400, `${what}, by the shared way`);
  }
  assert.equal(await status(mine), "not_connected");
  assert.equal(await status(theirs), "not_connected");
});

test("who must sign in again, or for more, is led to the page Account and finds the way there", async () => {
  const mine = await sessionOf(app, one);
  const operators = /proxy upstream login/;
  const shown = async () => {
    const { status, reason = "" } = JSON.parse((await ask(mine, "GET /api/v1/user/credentials")).text).data
      .credentials[0];
    return `${status} ${reason}`.trim();
  };
  const back = await comeBack(mine);
  await fetch(back, { headers: mine });
  assert.equal(await shown(), "connected");

  const lacking = await ask(mine, "POST /api/v1/tools/call", { tool_name: "crm:write" });
  assert.match(lacking.text, /scope tools:write.*sign in to the server again, in a browser, at \/ui\/account/);
  assert.match(await shown(), /^connected a call lacked the scope tools:write; sign in again/);

  const used = await (await fetch(back, { headers: mine })).text();
  assert.match(used, /start again on the page Account/);

  await fetch(await comeBack(mine), { headers: mine });
  assert.equal(await shown(), "connected");
  assert.equal((await ask(mine, "POST /api/v1/tools/call", { tool_name: "crm:write" })).status, 200);

  await guarded.control({ forget: "grants" });
  const ended = await read(mine);
  assert.match(ended.text, /sign in to the server again, in a browser, at \/ui\/account/);
  assert.equal(await shown(), "expired");
  for (const { text } of [lacking, ended]) assert.doesNotMatch(text, operators);
  assert.doesNotMatch(used, operators);
});

test("what is not granted, or not meant so, is no place to sign in", async () => {
  const mine = await sessionOf(app, one);
  await app.config.update((draft) => {
    draft.server_edition!.access = { group_servers: {}, default_servers: [] };
  }, "test");
  for (const route of ["GET /api/v1/user/credentials/crm/connect", "DELETE /api/v1/user/credentials/crm"])
    assert.equal((await ask(mine, route)).status, 404, route);
  assert.deepEqual(JSON.parse((await ask(mine, "GET /api/v1/user/credentials")).text).data.credentials, []);
  await app.config.update((draft) => {
    delete draft.server_edition!.access;
  }, "test");
  assert.equal((await ask(mine, "GET /api/v1/user/credentials/nope/connect")).status, 404);
  const shown = await fetch(`${url}/api/v1/user/credentials/nope/connect`, {
    headers: { ...mine, accept: "text/html" },
  });
  assert.equal(shown.status, 404);
  assert.match(shown.headers.get("content-type") ?? "", /^text\/html/);
  assert.match(await shown.text(), /<h1>Not signed in<\/h1>/);
});

test("without a key nothing is kept, and that is said", async (t) => {
  const own = await testApp({
    servers: [entry()],
    connect: false,
    config: { ...guarded.config, server_edition: editionFor("https://id.example") },
  });
  const listening = await listenTest(own);
  t.after(async () => {
    await listening.close();
    await own.close();
  });
  const headers = await sessionOf(own, await person(own, { email: "one@example.com" }));
  const by: Tier = { name: "", headers, listener: "tcp" };
  assert.match((await send(own, by, "GET /api/v1/user/credentials")).text, /"status":"unavailable"/);
  assert.match((await send(own, by, "GET /api/v1/user/credentials/crm/connect")).text, /credentials_off/);
});
