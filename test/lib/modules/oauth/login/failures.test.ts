import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, type TestContext, test } from "node:test";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { type Answer, ask, call } from "#test/kit/http.ts";
import { asksForSignIn, browse, type Guarded, signedIn, signIn, startGuarded } from "#test/kit/sign-in.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

let guarded: Guarded;
let issuer = "";
const GOOD = { resource: {}, server: {}, token: null, register: null, authorize: null, answer: null };
before(async () => {
  guarded = await startGuarded();
  issuer = (await guarded.control()).issuer;
});
afterEach(() => guarded.control(GOOD));
after(() => guarded.kill());

const params = { name: "guarded" };
const withGuarded = (fn: (app: TestApp) => Promise<void>, more: object = {}) =>
  withApp(
    {
      config: { outbound_allow: [...guarded.config.outbound_allow, "127.0.0.1:1"] },
      servers: [{ name: "guarded", url: guarded.url, ...more }],
      connect: false,
    },
    fn,
  );
const begin = (app: TestApp) => ask(app, "POST /api/v1/servers/guarded/login");
const finish = async (app: TestApp) => {
  const { auth_url } = await call(app, "POST /api/v1/servers/{name}/login", { params });
  const body = { redirect_url: await browse(auth_url) };
  return await ask(app, "POST /api/v1/servers/guarded/login/finish", { body });
};

/** What goes wrong, how the refusal is called, and words it must hold. */
type Case = [what: string, wrong: Record<string, unknown>, type: string, words: RegExp];

const BEGIN: Case[] = [
  ["no metadata anywhere", { resource: false, server: false }, "metadata_discovery_failed", /oauth\.issuer/],
  ["no metadata of the sign-in server", { server: false }, "metadata_discovery_failed", /HTTP 404/],
  [
    "no metadata, and nothing at the usual places",
    { resource: false, server: false },
    "metadata_discovery_failed",
    /register does not register clients: HTTP 404/,
  ],
  [
    "metadata about another server",
    { resource: { resource: "https://elsewhere.example/mcp", authorization_servers: ["https://evil.example"] } },
    "metadata_discovery_failed",
    /no usable metadata/,
  ],
  [
    "metadata that claims another issuer",
    { server: { issuer: "https://bank.example" } },
    "metadata_discovery_failed",
    /another issuer, https:\/\/bank\.example/,
  ],
  ["no PKCE", { server: { code_challenge_methods_supported: ["plain"] } }, "metadata_discovery_failed", /PKCE/],
  [
    "a token endpoint in the clear",
    { server: { token_endpoint: "http://tokens.example/token" } },
    "metadata_discovery_failed",
    /token_endpoint is not https/,
  ],
  [
    "an authorization endpoint that is a script",
    { server: { authorization_endpoint: "javascript:alert(1)" } },
    "metadata_discovery_failed",
    /authorization_endpoint has the scheme javascript:/,
  ],
  [
    "an empty authorization endpoint",
    { server: { authorization_endpoint: "" } },
    "metadata_discovery_failed",
    /authorization_endpoint is empty/,
  ],
  [
    "an empty token endpoint",
    { server: { token_endpoint: "" } },
    "metadata_discovery_failed",
    /token_endpoint is empty/,
  ],
  ["endless metadata", { server: { huge: 1_000_000 } }, "metadata_discovery_failed", /larger than 262144 bytes/],
  [
    "metadata that is no JSON object",
    { server: { issuer: 7 } },
    "metadata_discovery_failed",
    /issuer is missing or invalid/,
  ],
  [
    "a sign-in server on the cloud's own network",
    { resource: { authorization_servers: ["https://169.254.169.254/"] } },
    "metadata_discovery_failed",
    /169\.254\.169\.254/,
  ],
  [
    "a sign-in server within the house",
    { resource: { authorization_servers: ["https://10.0.0.1"] } },
    "metadata_discovery_failed",
    /outbound_allow/,
  ],
  [
    "a sign-in server on another port of this machine",
    { resource: { authorization_servers: ["http://127.0.0.1:2"] } },
    "metadata_discovery_failed",
    /127\.0\.0\.1:2\/ is another program on this machine; to allow it, add 127\.0\.0\.1:2 to outbound_allow/,
  ],
  [
    "a sign-in server that is not there",
    { resource: { authorization_servers: ["http://127.0.0.1:1"] } },
    "metadata_discovery_failed",
    /ECONNREFUSED.* check that this address is correct and reachable, then start again with: proxy upstream login guarded/,
  ],
  [
    "a redirect into the house",
    { server: { redirect: "http://192.168.0.1/secret" } },
    "metadata_discovery_failed",
    /192\.168\.0\.1/,
  ],
  [
    "no registration",
    { server: { registration_endpoint: null } },
    "client_id_required",
    /set oauth\.client_id .* with: proxy upstream patch guarded --oauth client_id=…/,
  ],
  [
    "a registration that is refused",
    { register: { status: 400, body: { error: "invalid_redirect_uri", error_description: "no loopback" } } },
    "dcr_failed",
    /invalid_redirect_uri \(no loopback\)/,
  ],
  [
    "a registration that fails",
    { register: { status: 500, body: "oops", type: "text/plain" } },
    "dcr_failed",
    /HTTP 500/,
  ],
  ["a registration without an id", { register: { status: 201, body: {} } }, "dcr_failed", /no client_id/],
  [
    "a registration that leads elsewhere",
    { register: { status: 307, headers: { location: "http://127.0.0.1:1/" } } },
    "dcr_failed",
    /redirect/,
  ],
  ["a registration that breaks off", { register: "drop" }, "dcr_failed", /did not register/],
];

function isRefusal({ status, body }: Answer, type: string, words: RegExp): void {
  assert.equal(status, 400, JSON.stringify(body));
  assert.deepEqual([body.success, body.error_type, body.server_name], [false, type, "guarded"]);
  assert.match(`${body.message} ${body.suggestion} ${JSON.stringify(body.details)}`, words);
  assert.ok(body.suggestion.length > 10);
  assert.match(body.correlation_id, /^[0-9a-f-]{36}$/);
  assert.match(body.request_id, /^[0-9a-f-]{36}$/);
  assert.ok(body.debug_hint.includes(body.correlation_id));
  assert.equal(body.details.server_url, guarded.url);
}

verifies(
  ["rest.error.oauth", "rest.error.oauth-types"],
  "a sign-in that cannot begin says which step failed, what was looked at and what to do",
  (t) =>
    withGuarded(async (app) => {
      for (const [what, wrong, type, words] of BEGIN)
        await t.test(what, async () => {
          await guarded.control({ ...GOOD, ...wrong });
          isRefusal(await begin(app), type, words);
          const { state, failure } = await call(app, "GET /api/v1/servers/{name}/login", { params });
          assert.deepEqual([state, failure?.error_type], ["failed", type]);
          const { oauth_issues } = await call(app, "GET /api/v1/diagnostics", {});
          assert.equal(oauth_issues[0]?.issue, type);
        });
    }),
);

const FINISH: Case[] = [
  [
    "a person who says no",
    { authorize: { error: "access_denied" } },
    "code_flow_failed",
    /access_denied.*denied the sign-in/,
  ],
  ["a scope nobody knows", { authorize: { error: "invalid_scope" } }, "code_flow_failed", /oauth\.scopes/],
  [
    "an answer of another issuer",
    { authorize: { code: "stolen-code", iss: "https://evil.example" } },
    "code_flow_failed",
    /issuer.*is from another sign-in server/,
  ],
  ["an answer without its issuer", { authorize: { code: "stolen-code" } }, "code_flow_failed", /"iss".*missing/],
  [
    "a code that is not accepted",
    { token: { status: 400, body: { error: "invalid_grant" } } },
    "code_flow_failed",
    /invalid_grant/,
  ],
  [
    "a client that is not known any more",
    { token: { status: 401, body: { error: "invalid_client" }, headers: { "www-authenticate": "Basic" } } },
    "code_flow_failed",
    /registers again/,
  ],
  [
    "a token endpoint that fails",
    { token: { status: 503, body: "x", type: "text/plain" } },
    "code_flow_failed",
    /returned HTTP 503.*start again/,
  ],
  ["a token endpoint that breaks off", { token: "drop" }, "code_flow_failed", /start again/],
  ["an answer without a token", { token: { status: 200, body: { scope: "x" } } }, "code_flow_failed", /start again/],
  ["a token of another type", { answer: { token_type: "mac" } }, "code_flow_failed", /start again/],
  ["a token that is no header", { answer: { access_token: "a\r\nb" } }, "code_flow_failed", /header/],
];

test("a sign-in that does not end well says why, and the next one works", (t) =>
  withGuarded(async (app) => {
    for (const [what, wrong, type, words] of FINISH)
      await t.test(what, async () => {
        await guarded.control({ ...GOOD, ...issuerOf(wrong) });
        isRefusal(await finish(app), type, words);
        assert.equal((await call(app, "GET /api/v1/servers/{name}/login", { params })).state, "failed");
        await guarded.control(GOOD);
        assert.equal((await signIn(app, "guarded")).status, 200);
        await call(app, "POST /api/v1/servers/{name}/logout", { params });
      });
  }));

/** Errors of the sign-in server name their issuer, too. */
function issuerOf(wrong: Record<string, unknown>): Record<string, unknown> {
  const { authorize } = wrong as { authorize?: Record<string, string> };
  return authorize?.error ? { authorize: { ...authorize, iss: issuer } } : wrong;
}
test("what deviates without harm is taken: status 201, no type, no lifetime, nulls, an id_token of another time", () =>
  withGuarded(async (app) => {
    await guarded.control({
      answer: { status: 201, token_type: null, expires_in: null, scope: null, id_token: "not.for.us" },
    });
    assert.equal((await signIn(app, "guarded")).status, 200);
    const { state, expires_at } = await call(app, "GET /api/v1/servers/{name}/login", { params });
    assert.deepEqual([state, expires_at], ["signed_in", undefined]);
  }));

test("a lifetime beyond any date counts as one hundred years", () =>
  withGuarded(async (app) => {
    await guarded.control({ answer: { expires_in: 1e300 } });
    assert.equal((await signIn(app, "guarded")).status, 200);
    const { state, expires_at } = await call(app, "GET /api/v1/servers/{name}/login", { params });
    assert.equal(state, "signed_in");
    assert.equal(Math.round((Date.parse(expires_at!) - Date.now()) / 31_536_000_000), 100);
  }));

test("metadata of a server that has too much to do is asked for again, three times", () =>
  withGuarded(async (app) => {
    await guarded.control({ resource: { busy: 3 }, server: { busy: 2 } });
    assert.equal((await signIn(app, "guarded")).status, 200);
  }));

test("nothing is sent for a server that was changed over MCP before a person has looked at it", () =>
  withGuarded(
    async (app) => {
      const before = await guarded.control();
      const answer = await begin(app);
      isRefusal(answer, "oauth_not_supported", /changed over MCP.*proxy upstream confirm guarded/);
      assert.deepEqual((await guarded.control()).counts, before.counts);
    },
    { held: true, quarantined: true },
  ));

test("a sign-in server that says nothing is not waited for without end", async () => {
  const clock = handClock();
  await withApp(
    { config: guarded.config, servers: [{ name: "guarded", url: guarded.url }], connect: false, clock },
    async (app) => {
      await guarded.control({ server: { slow: true } });
      let answer: Awaited<ReturnType<typeof begin>> | undefined;
      const asked = begin(app).then((it) => {
        answer = it;
      });
      await until(
        "it is given up",
        () => answer !== undefined,
        () => clock.advance(5000),
      );
      await asked;
      isRefusal(answer!, "metadata_discovery_failed", /in time/);
    },
  );
});

test("a sign-in nobody finishes ends after ten minutes, and its answer is refused then", async () => {
  const clock = handClock();
  await withApp(
    { config: guarded.config, servers: [{ name: "guarded", url: guarded.url }], connect: false, clock },
    async (app) => {
      const { auth_url } = await call(app, "POST /api/v1/servers/{name}/login", { params });
      const body = { redirect_url: await browse(auth_url) };
      await clock.advance(600_001);
      const late = await ask(app, "POST /api/v1/servers/guarded/login/finish", { body });
      assert.equal(late.status, 400);
      const status = () => call(app, "GET /api/v1/servers/{name}/login", { params });
      await until("its end to be noted", async () => (await status()).state === "failed");
      assert.match((await status()).failure?.message ?? "", /was not finished in the browser/);
    },
  );
});

test("a registration that a browser never came back from is not used again", () =>
  withGuarded(async (app) => {
    const before = (await guarded.control()).counts.register ?? 0;
    assert.equal((await signIn(app, "guarded")).status, 200);
    await begin(app);
    await begin(app);
    assert.equal((await guarded.control()).counts.register, before + 2);
  }));

test("a configured sign-in server takes the place of the one the server names", () =>
  withGuarded(
    async (app) => {
      await guarded.control({ resource: { authorization_servers: ["https://evil.example"] } });
      assert.equal((await signIn(app, "guarded")).status, 200);
    },
    { oauth: { issuer } },
  ));

test("a return address that another program has is not used", () =>
  withGuarded(
    async (app) => {
      const answer = await begin(app);
      isRefusal(answer, "code_flow_failed", /cannot listen at the redirect URI.*oauth\.redirect_uri/);
    },
    { oauth: { redirect_uri: new URL("/oauth/callback", guarded.url).href } },
  ));

test("nothing secret of a sign-in is in a log, an event, a record, an error or an answer", async () => {
  const told: string[] = [];
  await withApp({ config: guarded.config, servers: [{ name: "guarded", url: guarded.url }] }, async (app) => {
    app.events.subscribe((event) => void told.push(JSON.stringify(event)));
    await asksForSignIn(app, "guarded");
    await guarded.control({ token: { echo: "invalid_grant" } });
    const refused = await finish(app);
    told.push(JSON.stringify(refused.body));
    await guarded.control({ token: null });
    const { auth_url } = await call(app, "POST /api/v1/servers/{name}/login", { params });
    const state = new URL(auth_url).searchParams.get("state") ?? "";
    const page = await fetch(await browse(auth_url));
    told.push(await page.text());
    await signedIn(app, "guarded");
    for (const route of [
      "servers",
      "servers/guarded/login",
      "diagnostics",
      "activity?limit=100",
      "config",
      "servers/guarded/logs",
    ])
      told.push(JSON.stringify((await ask(app, `GET /api/v1/${route}`)).body));
    await call(app, "POST /api/v1/servers/{name}/logout", { params });
    told.push(JSON.stringify((await ask(app, "GET /api/v1/diagnostics")).body));
    const { tokens } = await guarded.control();
    assert.ok(tokens.length >= 6);
    const { readdirSync, readFileSync, statSync } = await import("node:fs");
    const { join } = await import("node:path");
    for (const name of readdirSync(app.dir, { recursive: true }).map(String)) {
      const path = join(app.dir, name);
      if (statSync(path).isFile()) told.push(readFileSync(path, "latin1"));
    }
    for (const text of told)
      for (const secret of [...tokens, state]) assert.ok(!text.includes(secret), `told: ${text.slice(0, 500)}`);
  });
});

test("a server on loopback makes the proxy ask no other port of this machine, unless the operator lists it", async (t) => {
  const asked: string[] = [];
  const inner = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    res.writeHead(404).end();
  });
  const inside = await port(t, inner);
  const metadata = `http://localhost:${inside}/x?admin=delete`;
  const outer = createServer((_, res) => {
    res.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }).end();
  });
  const server = { name: "guarded", url: `http://127.0.0.1:${await port(t, outer)}/mcp` };

  await withApp({ servers: [server] }, async (app) => {
    await asksForSignIn(app, "guarded");
    const { body } = await begin(app);
    assert.match(JSON.stringify(body), /outbound_allow/);
  });
  assert.deepEqual(asked, []);

  await withApp({ config: { outbound_allow: [`localhost:${inside}`] }, servers: [server] }, async (app) => {
    await asksForSignIn(app, "guarded");
    await begin(app);
  });
  assert.deepEqual(asked[0], "GET /x?admin=delete");
});

async function port(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => void server.close());
  return (server.address() as AddressInfo).port;
}
