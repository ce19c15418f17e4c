import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import { recordActivity } from "#lib/core/gateway/record-activity.ts";
import { grantedServers, intersectServers } from "#lib/core/policy/grant.ts";
import type { UserRow } from "#lib/core/schema/user.ts";
import { send, type Tier } from "#test/kit/access.ts";
import { listenTest, type TestApp, type TestOptions, testApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { eventFrames } from "#test/kit/frames.ts";
import { INITIALIZE } from "#test/kit/mcp.ts";
import { putUser } from "#test/kit/store.ts";
import { ADMIN_KEY, bearerOf, callerFor, editionFor, person, sessionOf, team, tokenOf } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const ACCESS = { group_servers: { dev: ["git"], ops: "*" }, default_servers: ["wiki"] };
const BROKER = { mode: "oauth_connect" } as const;
const SERVERS = ["git", "db", "wiki"].map((name) => ({ name, command: "true" }));

/** A listening proxy of the edition, without an identity provider. */
async function house(
  t: { after(fn: () => unknown): void },
  { edition = { access: ACCESS }, ...options }: TestOptions & { edition?: Record<string, unknown> } = {},
) {
  const config = { ...options.config, server_edition: editionFor("https://id.example", edition) };
  const app = await testApp({ connect: false, servers: SERVERS, ...options, config });
  const { url, close } = await listenTest(app);
  t.after(async () => {
    await close();
    await app.close();
  });
  const ask = (headers: Record<string, string>, route: string, body?: object) =>
    send(app, { name: "", headers, listener: "tcp" } satisfies Tier, route, body);
  const servers = async (headers: Record<string, string>) => {
    const { status, text } = await ask(headers, "GET /api/v1/servers");
    return status === 200
      ? JSON.parse(text)
          .data.servers.map((s: { name: string }) => s.name)
          .join()
      : status;
  };
  return { app, url, ask, servers };
}

const ways = async (app: TestApp, user: UserRow) => [
  await sessionOf(app, user),
  await bearerOf(app, user),
  await tokenOf(app, user),
];

verifies(
  [
    "edition.group-servers",
    "edition.default-servers",
    "edition.no-access-block",
    "edition.no-group",
    "edition.bare-groups",
  ],
  "groups are granted what access says for them, and nothing else is",
  () => {
    const access = { byGroup: { dev: ["git"], ops: ["*"], "": ["db"] }, forEverybody: ["wiki"] };
    const rows: [typeof access | undefined, string[], string[] | "all"][] = [
      [undefined, [], "all"],
      [access, [], ["wiki"]],
      [access, ["dev"], ["wiki", "git"]],
      [access, ["dev", "ops"], "all"],
      [access, ["/dev", "Dev", "dev ", "team/dev"], ["wiki"]],
      [access, ["constructor", "__proto__", "toString"], ["wiki"]],
      [{ byGroup: {} as never, forEverybody: [] }, ["dev"], []],
      [{ byGroup: {} as never, forEverybody: ["*"] }, [], "all"],
    ];
    for (const [block, groups, wanted] of rows) {
      const got = grantedServers(block, groups);
      assert.deepEqual(got === "all" ? got : [...got].sort(), wanted === "all" ? wanted : [...wanted].sort());
    }
    assert.deepEqual(intersectServers("all", new Set(["a"])), new Set(["a"]));
    assert.deepEqual(intersectServers(new Set(["a", "b"]), new Set(["b", "c"])), new Set(["b"]));
  },
);

verifies(
  ["edition.narrowed"],
  "a narrower grant counts for the very next request of sessions, bearers and owned tokens",
  async (t) => {
    const { app, servers } = await house(t);
    const user = await person(app, { email: "dev@example.com", groups: ["dev"] });
    const all = await ways(app, user);
    const wanted = async (names: string) => {
      for (const headers of all) assert.equal(await servers(headers), names);
    };
    const grant = (group_servers: Record<string, string[]>, default_servers: string[] = []) =>
      app.config.update((draft) => {
        draft.server_edition!.access = { group_servers, default_servers };
      }, "test");

    await wanted("git,wiki");
    await grant({ dev: ["db"] });
    await wanted("db");
    await grant({ other: ["db"] });
    await wanted("");
    await grant({ dev: ["*"] });
    await wanted("git,db,wiki");
    const narrow = await tokenOf(app, user, { name: "narrow", allowed_servers: ["git"] });
    assert.equal(await servers(narrow), "git");
    await grant({ dev: ["db"] });
    assert.equal(await servers(narrow), "", "a token is what it was given and its owner still has");
  },
);

verifies(
  ["edition.disable-enable"],
  "whoever is disabled is out at once, everywhere, and back only as far as a new sign-in says",
  async (t) => {
    const { app, url, ask, servers } = await house(t);
    const user = await person(app, { email: "dev@example.com", groups: ["dev"], admin: true });
    const [session, bearer, token] = (await ways(app, user)) as [
      Record<string, string>,
      Record<string, string>,
      Record<string, string>,
    ];
    const streams = await Promise.all(
      [session, bearer, token].map(async (headers) => {
        const stream = await fetch(`${url}/events`, { headers });
        assert.equal(stream.status, 200);
        return { over: stream.text() };
      }),
    );
    const post = { "content-type": "application/json", accept: "application/json, text/event-stream", ...token };
    const opened = await fetch(`${url}/mcp`, { method: "POST", headers: post, body: JSON.stringify(INITIALIZE) });
    const id = { ...token, "mcp-session-id": opened.headers.get("mcp-session-id")! };
    const mcp = await fetch(`${url}/mcp`, { headers: { ...id, accept: "text/event-stream" } });
    assert.equal(mcp.status, 200);
    const mcpOver = mcp.text();

    const { status, text } = await ask(ADMIN_KEY, `POST /api/v1/admin/users/${user.id}/disable`);

    assert.equal(status, 200, text);
    assert.equal(JSON.parse(text).data.user.disabled, true);
    for (const { over } of streams) assert.match(await over, /event: status/);
    await mcpOver;
    for (const headers of [session, bearer, token]) assert.equal(await servers(headers), 401);
    assert.match((await ask(token, "GET /api/v1/servers")).text, /its owner is not allowed to sign in/);

    assert.equal((await ask(ADMIN_KEY, `POST /api/v1/admin/users/${user.id}/enable`)).status, 200);

    for (const headers of [session, bearer]) assert.equal(await servers(headers), 401, "these are over for good");
    assert.equal(await servers(token), "wiki", "a group that no provider has confirmed since counts for nothing");
    assert.equal((await ask(id, "GET /mcp")).status, 404);
    await putUser(app.store.users, { ...app.store.users.get(user.id)!, groups: ["dev"] });
    assert.equal(await servers(token), "git,wiki");
  },
);

test("nobody disables themselves, or somebody who is not there", async (t) => {
  const { app, ask } = await house(t);
  const chief = await person(app, { email: "carol@example.com", admin: true });
  const headers = await sessionOf(app, chief);
  assert.match((await ask(headers, `POST /api/v1/admin/users/${chief.id}/disable`)).text, /own_account/);
  assert.equal((await ask(headers, "POST /api/v1/admin/users/nobody/disable")).status, 404);
  assert.equal((await ask(ADMIN_KEY, "POST /api/v1/admin/users/nobody/enable")).status, 404);
});

verifies(
  ["edition.refresh-at-login", "edition.admins", "edition.groups-claim"],
  "groups and role are those of the last sign-in; whoever is no longer listed is no administrator at once",
  async (t) => {
    const { app, idp, signedIn } = await team(t, { servers: SERVERS, edition: { access: ACCESS } });
    const names = async (one: Awaited<ReturnType<typeof signedIn>>) =>
      (await one.go("/api/v1/servers")).body.data.servers.map((s: { name: string }) => s.name).join();
    const role = async (one: Awaited<ReturnType<typeof signedIn>>) => (await one.go("/api/v1/auth/me")).body.role;
    const admins = (list: string[]) =>
      app.config.update((draft) => {
        draft.server_edition!.admin_emails = list;
      }, "test");
    const alice = await signedIn("alice");
    assert.equal(await names(alice), "git,wiki");
    assert.equal(await names(await signedIn("bob")), "git,db,wiki");

    await idp.tell({ person: { alice: { groups: [] } } });
    assert.equal(await names(alice), "git,wiki", "not asked again before the next sign-in");
    assert.equal(await names(await signedIn("alice")), "wiki");
    assert.equal(await names(alice), "wiki", "that is the same person");

    await admins(["ALICE@example.com", "carol@example.com"]);
    assert.equal(await role(alice), "user", "not before the next sign-in");
    await signedIn("alice");
    assert.equal(await role(alice), "admin");
    await admins([]);
    assert.equal(await role(alice), "user", "at once");
    assert.equal((await alice.go("/api/v1/admin/users")).status, 403);
  },
);

test("an address that is not verified makes nobody an administrator", async (t) => {
  const { app, browser } = await team(t);
  const mallory = browser();
  const page = await mallory.go(await mallory.toCallback("mallory"));
  assert.deepEqual([page.status, page.body.code], [403, "sign_in_denied"]);
  assert.deepEqual(app.store.users.all(), []);
});

test("an account is issuer and subject: a new address keeps it, the same address elsewhere is somebody else", async (t) => {
  const { app, idp, signedIn } = await team(t);
  await signedIn("alice");
  const [before] = app.store.users.all();
  await idp.tell({ person: { alice: { email: "alice@new.example" }, bob: { email: "alice@example.com" } } });
  await signedIn("alice");
  await signedIn("bob");

  const users = app.store.users.all();
  assert.equal(users.length, 2);
  assert.equal(users.find(({ email }) => email === "alice@new.example")!.id, before!.id);
});

test("everybody hears and sees what they did themselves, and their agents", async (t) => {
  const { app, url, ask } = await house(t, { edition: {} });
  const [one, other] = [
    await person(app, { email: "one@example.com" }),
    await person(app, { email: "other@example.com" }),
  ];
  const [browser, agent] = [await sessionOf(app, one), await tokenOf(app, one)];
  // Who has the head of the answer is subscribed.
  const open = await Promise.all([browser, agent, ADMIN_KEY].map((headers) => fetch(`${url}/events`, { headers })));
  const streams = open.map(async (stream) => {
    const reader = stream.body!.getReader();
    let text = "";
    const heard = new Set<string>();
    while (!heard.has("end")) {
      const { value, done } = await reader.read();
      if (done) break;
      text += Buffer.from(value).toString();
      for (const frame of eventFrames(text.slice(0, text.lastIndexOf("\n\n") + 2)))
        if (frame.event?.startsWith("activity.")) heard.add(String(frame.data.payload.affected_entity));
    }
    await reader.cancel();
    return [...heard].join();
  });
  const act = (user: UserRow, affected_entity: string) =>
    recordActivity(
      app,
      { caller: callerFor(app, user), origin: { source: "api", requestId: "r" } },
      {
        type: "config_change",
        status: "success",
        metadata: { action: "test", affected_entity },
      },
    );
  act(other, "theirs");
  act(one, "mine");
  act(one, "end");

  assert.deepEqual(await Promise.all(streams), ["mine,end", "mine,end", "theirs,mine,end"]);
  const seen = async (headers: Record<string, string>, route: string) => {
    const { data } = JSON.parse((await ask(headers, route)).text);
    return (data.items ?? data.activities).map((row: { actor: string }) => row.actor);
  };
  assert.ok((await seen(browser, "GET /api/v1/activity")).every((actor: string) => actor === "one@example.com"));
  assert.ok((await seen(agent, "GET /api/v1/activity")).every((actor: string) => actor === "one@example.com"));
  assert.ok((await seen(ADMIN_KEY, "GET /api/v1/admin/activity")).includes("other@example.com"));
  assert.deepEqual(
    [...new Set(await seen(ADMIN_KEY, `GET /api/v1/admin/activity?user_id=${other.id}`))],
    ["other@example.com"],
  );
  const chief = await sessionOf(app, await person(app, { email: "carol@example.com", admin: true }));
  assert.deepEqual(await seen(chief, "GET /api/v1/user/activity"), [], "an administrator's own, too");
  const [id] = (await app.store.activity.select({ user_id: other.id }, { limit: 1 })).records;
  assert.equal((await ask(browser, `GET /api/v1/activity/${id!.id}`)).status, 404);
});

verifies(
  ["edition.staleness", "limit.staleness"],
  "nothing made of a sign-in outlasts it by more than the bound, however it is made",
  async (t) => {
    // A year of a hand clock's timers would take hours; only the time of day moves here.
    let passed = 0;
    const begun = Math.floor(Date.now() / 1000) * 1000;
    const advance = (ms: number) => {
      passed += ms;
    };
    const clock = { ...systemClock, now: () => begun + passed };
    const HOUR = 3_600_000;
    const DAY = 24 * HOUR;
    const { app, ask } = await house(t, { clock });
    const user = await person(app, { email: "dev@example.com" });
    const session = await sessionOf(app, user);
    const bearer = async (from: Record<string, string>) => {
      const { token, expires_at } = JSON.parse((await ask(from, "POST /api/v1/auth/token")).text);
      return { headers: { authorization: `Bearer ${token}` }, until: Date.parse(expires_at) };
    };
    const start = clock.now();
    advance(DAY - HOUR);
    const first = await bearer(session);
    assert.equal(first.until, start + 2 * DAY - HOUR);
    advance(HOUR);
    assert.equal((await ask(session, "GET /api/v1/auth/me")).status, 401, "24 hours");
    advance(DAY - 2 * HOUR);
    const second = await bearer(first.headers);
    assert.equal(second.until, start + 2 * DAY, "one made of another lasts no longer than the sign-in allows");
    const issued = JSON.parse(
      (await ask(second.headers, "POST /api/v1/user/tokens", { name: "long", expires_in: "365d" })).text,
    ).data;
    assert.equal(Date.parse(issued.expires_at), start + DAY + 365 * DAY);
    const renewed = JSON.parse((await ask(second.headers, "POST /api/v1/user/tokens/long/regenerate")).text).data;
    assert.ok(Date.parse(renewed.expires_at) <= start + 366 * DAY);
    advance(2 * HOUR);
    assert.equal((await ask(second.headers, "GET /api/v1/auth/me")).status, 401);
    assert.equal((await ask({ "x-api-key": renewed.token }, "GET /api/v1/servers")).status, 200);
    advance(365 * DAY);
    assert.equal((await ask({ "x-api-key": renewed.token }, "GET /api/v1/servers")).status, 401);
  },
);

test("an agent token makes no token, and one's own are listed, renewed and ended under their own names", async (t) => {
  const { app, ask } = await house(t);
  const [one, other] = [
    await person(app, { email: "one@example.com", groups: ["dev"] }),
    await person(app, { email: "other@example.com" }),
  ];
  const headers = await sessionOf(app, one);
  const made = JSON.parse((await ask(headers, "POST /api/v1/user/tokens", { name: "ci" })).text).data;
  assert.equal((await ask(await sessionOf(app, other), "POST /api/v1/user/tokens", { name: "ci" })).status, 201);
  assert.equal((await ask(headers, "POST /api/v1/user/tokens", { name: "ci" })).status, 409);
  assert.match(
    (await ask(headers, "POST /api/v1/user/tokens", { name: "x", allowed_servers: ["db"] })).text,
    /unknown server/,
    "what is not granted does not exist",
  );
  assert.equal((await ask({ "x-api-key": made.token }, "POST /api/v1/user/tokens", { name: "more" })).status, 403);
  const { tokens } = JSON.parse((await ask(headers, "GET /api/v1/user/tokens")).text).data;
  assert.deepEqual(
    tokens.map((token: { name: string; owner: string }) => [token.name, token.owner]),
    [["ci", "one@example.com"]],
  );
  const all = JSON.parse((await ask(ADMIN_KEY, "GET /api/v1/tokens")).text).data.tokens;
  assert.deepEqual(all.map((token: { owner: string }) => token.owner).sort(), ["one@example.com", "other@example.com"]);
  const renewed = JSON.parse((await ask(headers, "POST /api/v1/user/tokens/ci/regenerate")).text).data;
  assert.equal((await ask({ "x-api-key": made.token }, "GET /api/v1/servers")).status, 401);
  assert.equal((await ask({ "x-api-key": renewed.token }, "GET /api/v1/servers")).status, 200);
  assert.equal((await ask(headers, "DELETE /api/v1/user/tokens/ci")).status, 200);
  assert.equal((await ask({ "x-api-key": renewed.token }, "GET /api/v1/servers")).status, 401);
  assert.equal((await ask(headers, "DELETE /api/v1/user/tokens/ci/permanent")).status, 200);
  const theirs = app.store.tokens.all()[0]!;
  const path = `DELETE /api/v1/tokens/${encodeURIComponent(theirs.name)}`;
  assert.equal((await ask(ADMIN_KEY, path)).status, 200, "an administrator ends anybody's");
});

test("a user cannot tell what is not granted from what does not exist, by any question of their own", async (t) => {
  const { app, ask } = await house(t, {
    servers: ["git", "bravo"].map((name) => ({ name, url: "https://up.example/mcp", auth_broker: BROKER })),
    config: { profiles: [{ name: "bravo", servers: ["bravo"] }] },
  });
  const headers = await sessionOf(app, await person(app, { email: "dev@example.com", groups: ["dev"] }));
  const questions: ((name: string) => [route: string, body?: object])[] = [
    (n) => ["POST /api/v1/user/tokens", { name: "x", allowed_servers: [n] }],
    (n) => ["POST /api/v1/user/tokens", { name: "x", profile_pin: n }],
    (n) => [`GET /api/v1/user/servers/${n}`],
    (n) => [`POST /api/v1/user/servers/${n}/enable`, { enabled: false }],
    (n) => [`GET /api/v1/user/activity?server=${n}`],
    (n) => [`GET /api/v1/user/credentials/${n}/connect`],
    (n) => [`GET /api/v1/user/credentials/${n}/callback?state=s&code=c`],
    (n) => [`DELETE /api/v1/user/credentials/${n}`],
    (n) => [`GET /api/v1/servers/${n}/tools`],
    (n) => ["POST /api/v1/preflight", { tools: [{ id: "git:echo" }], profile: n }],
  ];
  for (const question of questions) {
    const [hidden, absent] = await Promise.all(
      ["bravo", "brevo"].map(async (name) => {
        const { status, text } = await ask(headers, ...question(name));
        return `${status} ${text.replaceAll(name, "<name>").replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\S+Z/g, "<mark>")}`;
      }),
    );
    assert.equal(hidden, absent);
  }
});

test("a record of a user's agent names both, and nobody needs an id to read it", async (t) => {
  const { app, ask } = await house(t, { edition: {} });
  const token = await tokenOf(app, await person(app, { email: "dev@example.com" }), { name: "ci" });
  await ask(token, "POST /api/v1/preflight", { tools: [{ id: "git:log" }] });
  await ask(token, "POST /api/v1/code/exec", { code: "1" });
  const { activities } = JSON.parse((await ask(token, "GET /api/v1/activity")).text).data;
  const theirs = activities.filter(({ type }: { type: string }) => type !== "config_change");
  assert.deepEqual(
    theirs.map(({ actor }: { actor: string }) => actor),
    ["dev@example.com/ci", "dev@example.com/ci"],
  );
});

test("a server that one user switches off is gone for that user and their agents alone", async (t) => {
  const { app, ask, servers } = await house(t);
  const [one, other] = [
    await person(app, { email: "one@example.com", groups: ["ops"] }),
    await person(app, { email: "other@example.com", groups: ["ops"] }),
  ];
  const all = await ways(app, one);
  const off = (name: string, enabled: boolean) => ask(all[0]!, `POST /api/v1/user/servers/${name}/enable`, { enabled });

  assert.equal(JSON.parse((await off("db", false)).text).data.server.user_enabled, false);

  for (const headers of all) assert.equal(await servers(headers), "git,wiki");
  assert.equal(await servers(await sessionOf(app, other)), "git,db,wiki");
  const { shared } = JSON.parse((await ask(all[0]!, "GET /api/v1/user/servers")).text).data;
  assert.deepEqual(
    shared.map((s: { name: string; user_enabled: boolean }) => [s.name, s.user_enabled]),
    [
      ["git", true],
      ["db", false],
      ["wiki", true],
    ],
  );
  assert.equal((await off("nope", false)).status, 404);
  await off("db", true);
  assert.equal(await servers(all[2]!), "git,db,wiki");
});

test("a user neither adds nor changes a server, by any way", async (t) => {
  const { app, ask } = await house(t, { edition: {} });
  const user = await person(app, { email: "dev@example.com" });
  const command = { name: "mine", command: "sh", args: ["-c", "id"] };
  for (const headers of await ways(app, user)) {
    assert.equal((await ask(headers, "POST /api/v1/servers", command)).status, 403);
    assert.equal((await ask(headers, "PATCH /api/v1/servers/git", { command: "sh" })).status, 403);
    assert.equal((await ask(headers, "PATCH /api/v1/config", { mcpServers: [command] })).status, 403);
    assert.equal((await ask(headers, "POST /api/v1/config/apply", { mcpServers: [command] })).status, 403);
    assert.ok([404, 405].includes((await ask(headers, "POST /api/v1/user/servers", command)).status));
  }
  const add = { name: "upstream_servers", arguments: { operation: "add", ...command } };
  const { text } = await ask(await tokenOf(app, user, { name: "two" }), "POST /mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: add,
  });
  assert.match(text, /admin_required/);
  assert.deepEqual(
    app.config.current().mcpServers.map(({ name }) => name),
    ["git", "db", "wiki"],
  );
});

test("sessions are listed and ended, by their owner and by an administrator, with the streams they hold", async (t) => {
  const { app, url, ask } = await house(t);
  const user = await person(app, { email: "dev@example.com" });
  const [here, there] = [await sessionOf(app, user), await sessionOf(app, user)];
  const list = async () => JSON.parse((await ask(here, "GET /api/v1/user/sessions")).text).data.sessions;
  const other = (await list()).find((row: { current: boolean }) => !row.current);
  const stream = (await fetch(`${url}/events`, { headers: there })).text();

  assert.equal((await ask(here, `DELETE /api/v1/user/sessions/${other.id}`)).status, 200);

  await stream;
  assert.equal((await ask(there, "GET /api/v1/auth/me")).status, 401);
  assert.equal((await list()).length, 1);
  const { sessions } = JSON.parse((await ask(ADMIN_KEY, "GET /api/v1/admin/sessions")).text).data;
  const mine = (await fetch(`${url}/events`, { headers: here })).text();
  assert.equal((await ask(ADMIN_KEY, `DELETE /api/v1/admin/sessions/${sessions[0].id}`)).status, 200);
  await mine;
  assert.equal((await ask(here, "GET /api/v1/auth/me")).status, 401);
});

test("a stream ends with the session's own end, to within a heartbeat", async (t) => {
  const clock = handClock();
  const { app, url } = await house(t, { clock, edition: { session_ttl: "1m" } });
  const stream = await fetch(`${url}/events`, { headers: await sessionOf(app, await person(app, { email: "a@b.c" })) });
  assert.equal(stream.status, 200);
  const over = stream.text();
  await clock.advance(90_000);
  await over;
});

test("a server's log, which is about everybody's calls, is for administrators", async (t) => {
  const { app, ask } = await house(t, { edition: {} });
  const user = await person(app, { email: "dev@example.com" });
  for (const headers of await ways(app, user)) {
    assert.equal((await ask(headers, "GET /api/v1/servers/git/logs")).status, 403);
    assert.equal((await ask(headers, "GET /api/v1/servers/none/logs")).status, 404);
  }
  const chief = await sessionOf(app, await person(app, { email: "carol@example.com", admin: true }));
  assert.equal((await ask(chief, "GET /api/v1/servers/git/logs")).status, 200);
});

test("one person cannot take all event streams", async (t) => {
  const { app, url } = await house(t);
  const one = await sessionOf(app, await person(app, { email: "one@example.com" }));
  const other = await sessionOf(app, await person(app, { email: "other@example.com" }));
  const open = async (headers: Record<string, string>) => {
    const stream = await fetch(`${url}/events`, { headers });
    return { status: stream.status, leave: () => stream.body?.cancel() };
  };
  const held = [];
  for (let n = 0; n < 20; n++) held.push(await open(one));
  assert.ok(held.every(({ status }) => status === 200));
  const more = await open(one);
  assert.notEqual(more.status, 200);
  const theirs = await open(other);
  assert.equal(theirs.status, 200);
  await Promise.all([more, theirs, ...held].map(({ leave }) => leave()));
  await until("a place is free again", async () => {
    const again = await open(one);
    await again.leave();
    return again.status === 200;
  });
});

test("users, sessions, bearers and tokens outlive a restart", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const first = await house(t, { dir });
  const user = await person(first.app, { email: "dev@example.com", groups: ["dev"], displayName: "Dev", off: ["db"] });
  const [session, bearer, token] = await ways(first.app, user);
  const row = first.app.store.userSessions.all()[0]!;
  await first.app.close();
  const again = await house(t, { dir });
  // Hooks run in the order they were made: once nobody holds it any more.
  t.after(() => rmSync(dir, { recursive: true, force: true }));

  assert.deepEqual(again.app.store.users.get(user.id), user);
  assert.deepEqual(again.app.store.userSessions.get(row.id), row);
  // The port, and so the cookie's name, is another one.
  const moved = { ...session!, cookie: `proxy_session_${again.url.split(":")[2]}=${session!.cookie!.split("=")[1]}` };
  for (const headers of [moved, bearer!, token!]) assert.equal(await again.servers(headers), "git,wiki");
});

test("with the edition switched off nobody of it comes in", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const first = await house(t, { dir });
  const user = await person(first.app, { email: "carol@example.com", admin: true });
  const [, bearer, token] = await ways(first.app, user);
  await first.app.close();
  const app = await testApp({ connect: false, servers: SERVERS, dir });
  const { close } = await listenTest(app);
  t.after(async () => {
    await close();
    await app.close();
    rmSync(dir, { recursive: true, force: true });
  });
  for (const headers of [bearer!, token!])
    assert.equal((await send(app, { name: "", headers, listener: "tcp" }, "GET /api/v1/servers")).status, 401);
  for (const route of ["GET /api/v1/auth/provider", "GET /api/v1/auth/login", "GET /api/v1/auth/callback?state=x"])
    assert.match((await send(app, { name: "", headers: {}, listener: "tcp" }, route)).text, /edition_off/, route);
});
