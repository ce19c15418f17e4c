import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask, call } from "#test/kit/http.ts";
import { serve } from "#test/kit/mcp.ts";
import { shows } from "#test/kit/token.ts";
import { verifies } from "#test/kit/verifies.ts";

const servers = ["git", "db"].map((name) => ({ name, command: "true", enabled: false }));
const options = { connect: false, servers, config: { profiles: [{ name: "work", servers: ["git"] }] } };
const CREATE = "POST /api/v1/tokens";

const works = async (app: TestApp, token: string) =>
  (await ask(app, "GET /api/v1/servers", { as: shows(token) })).status;

test("a token is issued with its secret once, read-only for all servers and 30 days unless asked otherwise", () => {
  const clock = handClock();
  return withApp({ ...options, clock }, async (app) => {
    const { status, body } = await ask(app, CREATE, { body: { name: "bot" } });
    assert.equal(status, 201);
    const { token, notice, ...shown } = body.data;
    assert.match(notice, /tokens are optional on \/mcp.*proxy config set require_mcp_auth true/);
    assert.deepEqual(shown, {
      name: "bot",
      token_prefix: token.slice(0, 12),
      allowed_servers: ["*"],
      permissions: ["read"],
      created_at: new Date(clock.now()).toISOString(),
      expires_at: new Date(clock.now() + 30 * 86_400_000).toISOString(),
      expired: false,
      revoked: false,
    });
    assert.deepEqual(await call(app, "GET /api/v1/tokens", {}), {
      tokens: [shown],
      total: 1,
      mcp_auth_required: false,
    });
    assert.equal(await works(app, token), 200);
    const { token: again } = await call(app, "GET /api/v1/tokens/{name}", { params: { name: "bot" } });
    assert.deepEqual(again, { ...shown, last_used_at: new Date(clock.now()).toISOString() });
  });
});

test("what cannot be a token is refused, saying why", () =>
  withApp(options, async (app) => {
    const rows: [object, RegExp][] = [
      [{}, /name/],
      [{ name: "" }, /name: must be 1 to 64/],
      [{ name: "-a" }, /name/],
      [{ name: "a b" }, /name/],
      [{ name: "a".repeat(65) }, /name/],
      [{ name: "admin" }, /must not be one of admin/],
      [{ name: "a", permissions: ["write"] }, /permissions: must include read/],
      [{ name: "a", permissions: [] }, /must include read/],
      [{ name: "a", permissions: ["read", "admin"] }, /^permissions\[1\]: must be read, write or destructive$/],
      [{ name: "a", allowed_servers: [] }, /must name a server/],
      [
        { name: "a", allowed_servers: ["git", "none"] },
        /unknown server: "none"; list the servers with: proxy upstream list/,
      ],
      [{ name: "a", allowed_servers: ["gti"] }, /unknown server: "gti"; did you mean git\?/],
      [{ name: "a", expires_in: "0" }, /more than 0/],
      [{ name: "a", expires_in: "366d" }, /at most 365d/],
      [{ name: "a", expires_in: "soon" }, /duration such as/],
      [{ name: "a", profile_pin: "play" }, /unknown profile: "play"/],
      [{ name: "a", allowed_server: ["git"] }, /allowed_server/],
    ];
    for (const [body, wanted] of rows) {
      const { status, body: answer } = await ask(app, CREATE, { body });
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(answer.error, wanted);
    }
    assert.deepEqual(await call(app, "GET /api/v1/tokens", {}), { tokens: [], total: 0, mcp_auth_required: false });
    const most = { name: "A-z_9", permissions: ["read", "write", "destructive"], allowed_servers: ["git", "*"] };
    const { body } = await ask(app, CREATE, { body: { ...most, expires_in: "365d", profile_pin: "work" } });
    assert.deepEqual(body.data.allowed_servers, ["*"]);
    assert.equal(body.data.profile_pin, "work");
  }));

test("a name is taken once, also by a revoked token, and 100 tokens are the most", () =>
  withApp(options, async (app) => {
    for (let i = 0; i < 100; i++) assert.equal((await ask(app, CREATE, { body: { name: `t${i}` } })).status, 201);
    assert.equal((await ask(app, "DELETE /api/v1/tokens/t1")).status, 200);
    for (const [name, code] of [
      ["t1", "already_exists"],
      ["one-more", "token_limit"],
    ]) {
      const { status, body } = await ask(app, CREATE, { body: { name } });
      assert.deepEqual([status, body.code], [409, code]);
    }
    assert.equal((await ask(app, "DELETE /api/v1/tokens/t1/permanent")).status, 200);
    assert.equal((await ask(app, CREATE, { body: { name: "t1" } })).status, 201);
  }));

verifies(
  "rest.auth.401",
  "a token that is expired, revoked, deleted or replaced gets 401 at once, with the reason",
  () => {
    const clock = handClock();
    return withApp({ ...options, clock }, async (app) => {
      const issue = async (name: string, own = {}) => (await call(app, CREATE, { body: { name, ...own } })).token;
      const refused = async (token: string) => {
        const { status, body } = await ask(app, "GET /api/v1/servers", { as: shows(token) });
        assert.equal(status, 401);
        return body.error;
      };
      const [expired, revoked, deleted, replaced] = [
        await issue("expired", { expires_in: "1h" }),
        await issue("revoked"),
        await issue("deleted"),
        await issue("replaced"),
      ];
      for (const token of [expired, revoked, deleted, replaced]) assert.equal(await works(app, token), 200);
      await clock.advance(3_600_000);
      assert.match(await refused(expired), /^invalid agent token: expired/);
      await call(app, "DELETE /api/v1/tokens/{name}", { params: { name: "revoked" } });
      assert.match(await refused(revoked), /revoked/);
      await call(app, "DELETE /api/v1/tokens/{name}/permanent", { params: { name: "deleted" } });
      assert.match(await refused(deleted), /^missing or invalid/);
      const fresh = await call(app, "POST /api/v1/tokens/{name}/regenerate", { params: { name: "replaced" } });
      assert.match(await refused(replaced), /^missing or invalid/);
      assert.equal(await works(app, fresh.token), 200);
      const { tokens } = await call(app, "GET /api/v1/tokens", {});
      assert.deepEqual(
        tokens.map(({ name, expired, revoked }) => [name, expired, revoked]),
        [
          ["expired", true, false],
          ["replaced", false, false],
          ["revoked", false, true],
        ],
      );
      const renewed = await call(app, "POST /api/v1/tokens/{name}/regenerate", { params: { name: "expired" } });
      assert.equal(await works(app, renewed.token), 200);
      const { status, body } = await ask(app, "POST /api/v1/tokens/revoked/regenerate");
      assert.deepEqual([status, body.code], [409, "token_revoked"]);
    });
  },
);

verifies(
  ["rest.auth.token-prefix", "rest.auth.events-query"],
  "a token is shown as X-API-Key, as Bearer or as ?apikey=",
  () =>
    withApp(options, async (app) => {
      const { token } = await call(app, CREATE, { body: { name: "bot", allowed_servers: ["git"] } });
      assert.match(token, /^mcp_agt_/);
      for (const [headers, query] of [
        [{ "x-api-key": token }, ""],
        [{ authorization: `Bearer ${token}` }, ""],
        [{}, `?apikey=${token}`],
      ] as const) {
        const { status, body } = await ask(app, `GET /api/v1/servers${query}`, { as: headers });
        assert.equal(status, 200);
        assert.deepEqual(
          body.data.servers.map((s: { name: string }) => s.name),
          ["git"],
        );
      }
    }),
);

verifies("rest.auth.gate-text", "tokens are for administrators only; an agent is told so", () =>
  withApp(options, async (app) => {
    const { token } = await call(app, CREATE, { body: { name: "bot" } });
    for (const route of [
      "GET /api/v1/tokens",
      "POST /api/v1/tokens",
      "GET /api/v1/tokens/bot",
      "DELETE /api/v1/tokens/bot",
      "DELETE /api/v1/tokens/bot/permanent",
      "POST /api/v1/tokens/bot/regenerate",
    ]) {
      const { status, body } = await ask(app, route, { as: shows(token) });
      assert.deepEqual([status, body.error], [403, "operation requires admin access"], route);
    }
  }),
);

test("what does not exist is 404, and each change is on record without the secret", () =>
  withApp(options, async (app) => {
    for (const route of ["GET /api/v1/tokens/x", "DELETE /api/v1/tokens/x", "DELETE /api/v1/tokens/x/permanent"])
      assert.equal((await ask(app, route)).status, 404, route);
    assert.equal((await ask(app, "POST /api/v1/tokens/x/regenerate")).status, 404);
    const first = await call(app, CREATE, { body: { name: "bot" } });
    const second = await call(app, "POST /api/v1/tokens/{name}/regenerate", { params: { name: "bot" } });
    await call(app, "DELETE /api/v1/tokens/{name}", { params: { name: "bot" } });
    await call(app, "DELETE /api/v1/tokens/{name}/permanent", { params: { name: "bot" } });
    const { activities } = await call(app, "GET /api/v1/activity", { query: { type: "config_change" } });
    assert.deepEqual(
      activities.map(({ metadata }) => metadata),
      ["token_delete", "token_revoke", "token_regenerate", "token_create"].map((action) => ({ action, token: "bot" })),
    );
    await app.store.meta.set("flush", true);
    const onDisk = readdirSync(app.dir).filter((file) => file.startsWith("proxy.db"));
    const bytes = Buffer.concat(onDisk.map((file) => readFileSync(join(app.dir, file))));
    for (const { token } of [first, second]) assert.ok(!bytes.includes(token.slice(12)), "the secret is on disk");
  }));

const requires = (app: TestApp) => ask(app, CREATE, { body: { name: "bot", require_auth: true } });

test("a token made with require_auth closes /mcp to clients without a credential, and says nothing of optional tokens", async (t) => {
  const { app, url } = await serve(t, options);
  const onMcp = async (headers = {}) => (await fetch(`${url}/mcp`, { method: "POST", headers, body: "{}" })).status;
  assert.notEqual(await onMcp(), 401);

  const { status, body } = await requires(app);

  assert.deepEqual([status, body.data.notice], [201, undefined]);
  assert.equal(await onMcp(), 401);
  assert.notEqual(await onMcp(shows(body.data.token)), 401);
  assert.equal(JSON.parse(readFileSync(app.config.path, "utf8")).require_mcp_auth, true);
  assert.equal((await call(app, "GET /api/v1/tokens", {})).mcp_auth_required, true);
  assert.equal((await call(app, CREATE, { body: { name: "next" } })).notice, undefined);
});

test("require_auth leaves no token where anything fails, and a token that cannot be stored leaves /mcp closed", async () => {
  const rows: [what: string, own: object, make: (app: TestApp) => unknown, code: string, closed: boolean][] = [
    ["read-only", { config: { ...options.config, read_only_mode: true } }, () => {}, "management_disabled", false],
    [
      "overridden",
      { config: { ...options.config }, env: { SERVICE_REQUIRE_MCP_AUTH: "false" } },
      () => {},
      "invalid_request",
      false,
    ],
    [
      "not writable",
      {},
      (app) => Object.assign(app.config, { update: () => Promise.reject(new Fault("config_broken", { reason: "x" })) }),
      "config_broken",
      false,
    ],
    ["name taken", {}, (app) => ask(app, CREATE, { body: { name: "bot" } }), "already_exists", false],
    [
      "store refuses",
      {},
      (app) => Object.assign(app.store.tokens, { change: () => Promise.reject(new Error("disk full")) }),
      "internal",
      true,
    ],
  ];
  for (const [what, own, make, code, closed] of rows)
    await withApp({ ...options, ...own }, async (app) => {
      await make(app);
      const before = app.store.tokens.all().length;

      const { body } = await requires(app);

      assert.equal(body.code, code, what);
      assert.equal(app.store.tokens.all().length, before, what);
      assert.equal(app.config.current().require_mcp_auth, closed, what);
    });
});
