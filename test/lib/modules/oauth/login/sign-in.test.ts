import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { runChecks } from "#lib/modules/doctor/run-checks.ts";
import { manageServers } from "#lib/modules/manage/manage.ts";
import { oauth } from "#lib/modules/oauth/state.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { asksForSignIn, browse, type Guarded, signedIn, signIn, startGuarded } from "#test/kit/sign-in.ts";
import { until } from "#test/kit/until.ts";
import { textOf } from "#test/kit/upstream.ts";
import { verifies } from "#test/kit/verifies.ts";

let guarded: Guarded;
before(async () => {
  guarded = await startGuarded();
});
after(() => guarded.kill());

const params = { name: "guarded" };
const servers = (more: object = {}) => [{ name: "guarded", url: guarded.url, ...more }];
const state = (app: TestApp) => app.upstreams.get("guarded")?.status().state;
const tool = async (app: TestApp, name: string) =>
  textOf(await app.upstreams.get("guarded")!.request("tools/call", { name, arguments: {} }, { timeoutMs: 10_000 }));
const status = (app: TestApp) => call(app, "GET /api/v1/servers/{name}/login", { params });

verifies(
  ["rest.servers.login", "rest.login.start", "upstream.state.authenticating"],
  "a sign-in is begun at once and finished by the browser that comes back; the server is connected with it",
  () =>
    withApp({ config: guarded.config, servers: servers() }, async (app) => {
      await asksForSignIn(app, "guarded");
      const finding = (await runChecks(app, INTERNAL_CALLER)).find(({ code }) => code === "server_sign_in");
      assert.equal(finding?.remedy?.command, "proxy upstream login guarded");

      await call(app, "POST /api/v1/servers/{name}/quarantine", { params });
      const both = (await runChecks(app, INTERNAL_CALLER)).filter(({ server }) => server === "guarded");
      assert.deepEqual(
        both.map(({ code, remedy }) => [code, remedy?.command]),
        [["server_sign_in", "proxy upstream login guarded"]],
      );
      await call(app, "POST /api/v1/servers/{name}/unquarantine", { params });

      const started = await call(app, "POST /api/v1/servers/{name}/login", { params });
      assert.deepEqual([started.success, started.server_name, started.browser_opened], [true, "guarded", false]);
      assert.equal(started.browser_error, "not requested");
      assert.match(started.correlation_id, /^[0-9a-f-]{36}$/);
      const asked = new URL(started.auth_url).searchParams;
      assert.deepEqual(
        [asked.get("response_type"), asked.get("code_challenge_method"), asked.get("resource"), asked.get("scope")],
        ["code", "S256", guarded.url, "tools:read offline_access"],
      );
      assert.equal(state(app), "Authenticating");
      const waiting = await call(app, "GET /api/v1/servers", {});
      assert.deepEqual(
        [waiting.servers[0]?.status, waiting.servers[0]?.health.action, waiting.servers[0]?.oauth_status],
        ["authenticating", "login", "pending"],
      );

      const page = await fetch(await browse(started.auth_url));
      assert.equal(page.status, 200);
      assert.match(await page.text(), /Signed in/);
      await until("it is connected", () => state(app) === "Ready");
      assert.equal(await tool(app, "read"), "read");
      const now = await status(app);
      assert.deepEqual([now.state, now.renewable, now.scopes], ["signed_in", true, ["tools:read"]]);
      const { activities } = await call(app, "GET /api/v1/activity", { query: { server: "guarded" } });
      assert.ok(activities.some(({ metadata }) => metadata?.action === "login"));
    }),
);

test("a configured metadata document is the client where the sign-in server supports such documents, and nowhere else", async (t) => {
  const url = "https://example.com/proxy-client.json";
  const config = { ...guarded.config, oauth_client_metadata_url: url };
  t.after(() => guarded.control({ server: {} }));
  const clientIn = async (supported: boolean) => {
    await guarded.control({ server: supported ? { client_id_metadata_document_supported: true } : {} });
    return withApp({ config, servers: servers() }, async (app) => {
      await asksForSignIn(app, "guarded");
      const { auth_url } = await call(app, "POST /api/v1/servers/{name}/login", { params });
      return new URL(auth_url).searchParams.get("client_id");
    });
  };

  assert.equal(await clientIn(true), url);
  assert.notEqual(await clientIn(false), url);
});

test("what comes back is taken once: the same answer again, in any form, is refused", () =>
  withApp({ config: guarded.config, servers: servers() }, async (app) => {
    await asksForSignIn(app, "guarded");
    const { auth_url } = await call(app, "POST /api/v1/servers/{name}/login", { params });
    const back = await browse(auth_url);
    const all = await Promise.all(
      Array.from({ length: 5 }, () =>
        call(app, "POST /api/v1/servers/{name}/login/finish", { params, body: { redirect_url: back } }).then(
          () => 200,
          (error: { status: number }) => error.status,
        ),
      ),
    );
    assert.deepEqual(all.sort(), [200, 400, 400, 400, 400]);
    const again = await ask(app, `GET /oauth/callback${new URL(back).search}`);
    assert.equal(again.status, 400);
    assert.match(again.body, /already used/);
    assert.equal((await status(app)).state, "signed_in");
  }));

test("the answer of another server's sign-in is refused, and that sign-in goes on", () =>
  withApp({ config: guarded.config, servers: [...servers(), { name: "other", url: guarded.url }] }, async (app) => {
    const { auth_url } = await call(app, "POST /api/v1/servers/{name}/login", { params });
    const body = { redirect_url: await browse(auth_url) };
    const wrong = await ask(app, "POST /api/v1/servers/other/login/finish", { body });
    assert.deepEqual([wrong.status, wrong.body.error_type], [400, "code_flow_failed"]);
    const { state: right } = await call(app, "POST /api/v1/servers/{name}/login/finish", { params, body });
    assert.equal(right, "signed_in");
  }));

test("of two sign-ins begun at one server the later counts", () =>
  withApp({ config: guarded.config, servers: servers() }, async (app) => {
    const begin = () => call(app, "POST /api/v1/servers/{name}/login", { params });
    const [first, second] = [await begin(), await begin()];
    const old = await ask(app, "POST /api/v1/servers/guarded/login/finish", {
      body: { redirect_url: await browse(first.auth_url) },
    });
    assert.equal(old.status, 400);
    assert.match(old.body.message, /newer sign-in/);
    await fetch(await browse(second.auth_url));
    assert.equal((await status(app)).state, "signed_in");
  }));

test("the page a browser ends at runs nothing, loads nothing and repeats nothing of its address", () =>
  withApp({ config: guarded.config, servers: servers() }, async (app) => {
    const evil = "<script>alert(1)</script>";
    const query = new URLSearchParams({ state: evil, code: evil, error: evil, error_description: evil, iss: evil });
    const { status: code, headers, body } = await ask(app, `GET /oauth/callback?${query}`, { as: "nobody" });
    assert.equal(code, 400);
    assert.ok(!String(body).includes("alert"));
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(
      policy,
      /default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-/,
    );
    assert.deepEqual(
      ["x-content-type-options", "referrer-policy", "cache-control"].map((name) => headers.get(name)),
      ["nosniff", "no-referrer", "no-store"],
    );
  }));

test("tokens outlive a restart, sealed, and so does a sign-in in the middle", async () => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  try {
    let back = "";
    await withApp({ dir, config: guarded.config, servers: servers() }, async (app) => {
      const { auth_url } = await call(app, "POST /api/v1/servers/{name}/login", { params });
      back = await browse(auth_url);
    });
    await withApp({ dir, config: guarded.config, servers: servers() }, async (app) => {
      await asksForSignIn(app, "guarded");
      assert.equal(state(app), "Authenticating");
      const body = { redirect_url: back };
      await call(app, "POST /api/v1/servers/{name}/login/finish", { params, body });
      await until("it is connected", () => state(app) === "Ready");
    });
    const { tokens } = await guarded.control();
    for (const name of readdirSync(dir, { recursive: true }).map(String)) {
      const text = readFile(join(dir, name));
      for (const token of tokens) assert.ok(!text.includes(token), `${name} holds a token`);
    }
    await withApp({ dir, config: guarded.config, servers: servers() }, async (app) => {
      await until("it is connected", () => state(app) === "Ready");
      assert.equal(await tool(app, "read"), "read");
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

verifies(
  "rest.servers.logout",
  "signing out forgets the tokens, has them ended and disconnects; nothing is tried before the next sign-in",
  () =>
    withApp({ config: guarded.config, servers: servers() }, async (app) => {
      await asksForSignIn(app, "guarded");
      await signedIn(app, "guarded");
      const before = await guarded.control();

      const out = await call(app, "POST /api/v1/servers/{name}/logout", { params });

      assert.deepEqual([out.was_signed_in, out.revoked], [true, true]);
      assert.deepEqual([state(app), (await status(app)).state], ["Error", "signed_out"]);
      const { servers: records } = await call(app, "GET /api/v1/servers", {});
      assert.deepEqual([records[0]?.health.summary, records[0]?.health.action], ["Logged out", "login"]);
      const settled = await guarded.control();
      await call(app, "POST /api/v1/servers/{name}/restart", { params });
      const later = await guarded.control();
      assert.equal(later.counts.revoke, (before.counts.revoke ?? 0) + 2);
      assert.deepEqual([later.counts.bare, later.counts.shown], [settled.counts.bare, settled.counts.shown]);
      await signedIn(app, "guarded");
      // The registration was kept.
      assert.equal((await guarded.control()).counts.register, before.counts.register);
      const twice = await call(app, "POST /api/v1/servers/{name}/logout", { params });
      assert.equal(twice.was_signed_in, true);
      assert.equal((await call(app, "POST /api/v1/servers/{name}/logout", { params })).was_signed_in, false);
    }),
);

test("a provider that does not end tokens keeps nobody signed in here", () =>
  withApp({ config: guarded.config, servers: servers() }, async (app) => {
    await asksForSignIn(app, "guarded");
    await signedIn(app, "guarded");
    await guarded.control({ revocation: { status: 503 } });
    const out = await call(app, "POST /api/v1/servers/{name}/logout", { params });
    await guarded.control({ revocation: null });
    assert.deepEqual([out.was_signed_in, out.revoked, (await status(app)).state], [true, false, "signed_out"]);
  }));

test("a call that needs a wider scope says so, the rest goes on, and the next sign-in asks for it", () =>
  withApp({ config: guarded.config, servers: servers() }, async (app) => {
    await asksForSignIn(app, "guarded");
    await signedIn(app, "guarded");
    await assert.rejects(tool(app, "write"), /scope tools:write.*proxy upstream login guarded/);
    assert.equal(await tool(app, "read"), "read");
    assert.equal(state(app), "Ready");
    await until("it is known", async () => (await status(app)).missing_scopes?.includes("tools:write") === true);
    const { servers: records } = await call(app, "GET /api/v1/servers", {});
    assert.deepEqual([records[0]?.health.level, records[0]?.health.action], ["degraded", "login"]);
    const page = await signIn(app, "guarded");
    assert.equal(page.status, 200, page.text);
    assert.equal(await tool(app, "write"), "wrote");
    assert.equal((await status(app)).missing_scopes, undefined);
  }));

test("a client registered by hand signs in at its own return address, with its secret from the keyring", () =>
  withApp({ config: guarded.config, connect: false }, async (app) => {
    await app.secrets.set("client-secret", "static-secret-static-secret");
    const oauth = {
      client_id: "static-client",
      client_secret: "${keyring:client-secret}",
      redirect_uri: "http://127.0.0.1:3118/oauth/callback",
      scopes: ["tools:read", "tools:write"],
      extra_params: { audience: "people" },
    };
    await call(app, "POST /api/v1/servers", { body: { name: "guarded", url: guarded.url, oauth } as never });
    const { register = 0 } = (await guarded.control()).counts;
    const { back, status: code } = await signIn(app, "guarded");
    assert.deepEqual([new URL(back).port, code], ["3118", 200]);
    const { counts, seen } = await guarded.control();
    assert.equal(counts.register ?? 0, register);
    const last = seen.at(-1);
    assert.deepEqual([last?.audience, last?.resource, last?.client_secret], ["people", guarded.url, undefined]);
    assert.match(last?.authorization ?? "", /^Basic /);
    assert.equal((await status(app)).state, "signed_in");
  }));

test("two proxies sign in at one server side by side", async () => {
  await withApp({ config: guarded.config, servers: servers() }, (one) =>
    withApp({ config: guarded.config, servers: servers() }, async (other) => {
      await Promise.all([one, other].map((app) => signedIn(app, "guarded")));
      assert.deepEqual([await tool(one, "read"), await tool(other, "read")], ["read", "read"]);
      await call(one, "POST /api/v1/servers/{name}/logout", { params });
      assert.equal(await tool(other, "read"), "read");
    }),
  );
});

test("a server with an Authorization of its own is never signed in to, and a program cannot be", () =>
  withApp(
    {
      servers: [
        { name: "guarded", url: guarded.url, headers: { authorization: "Bearer own" } },
        { name: "program", command: "x" },
        { name: "named", url: guarded.url.replace("//", "//me:pw@") },
      ],
    },
    async (app) => {
      for (const [name, says] of [
        ["guarded", /with: proxy upstream patch guarded --header-remove authorization$/],
        ["program", /credentials in env or args/],
        ["named", /without a user name and password, with: proxy upstream patch named --address/],
      ] as const) {
        const { status: code, body } = await ask(app, `POST /api/v1/servers/${name}/login`);
        assert.deepEqual([code, body.error_type, body.server_name], [400, "oauth_not_supported", name]);
        assert.match(body.suggestion, says);
        // The attempt is no failure of the server, so the doctor proposes no other one.
        assert.equal(app.part(oauth).status(name)?.failure, undefined);
      }
    },
  ));

test("a server that is removed takes its sign-in along; one that moved does not show its tokens elsewhere", () =>
  withApp({ config: guarded.config, servers: servers() }, async (app) => {
    await asksForSignIn(app, "guarded");
    await signedIn(app, "guarded");
    const elsewhere = guarded.url.replace("/mcp", "/other");
    await call(app, "PATCH /api/v1/servers/{name}", { params, body: { url: elsewhere } });
    const bearer = app.part(oauth).bearer("guarded", new URL(elsewhere));
    assert.equal(await bearer.header(), undefined);
    await call(app, "PATCH /api/v1/servers/{name}", { params, body: { url: guarded.url } });
    await until("it is connected", () => state(app) === "Ready");

    await call(app, "DELETE /api/v1/servers/{name}", { params });
    await call(app, "POST /api/v1/servers", { body: { name: "guarded", url: guarded.url } });
    await asksForSignIn(app, "guarded");
    assert.equal((await status(app)).state, "none");
  }));

test("an agent hears that a person must sign in, and how", () =>
  withApp({ config: guarded.config, servers: servers(), tools: { "guarded:read": "approved" } }, async (app) => {
    await asksForSignIn(app, "guarded");
    const called = await ask(app, "POST /api/v1/tools/call", { body: { tool_name: "guarded:read", arguments: {} } });
    assert.match(JSON.stringify(called.body), /proxy upstream login guarded/);
    const by = { caller: INTERNAL_CALLER, origin: { source: "mcp" as const, requestId: "r" } };
    const listed = JSON.stringify(await manageServers(app, by, "list", {}, new AbortController().signal));
    assert.match(listed, /"hint":"a person can sign in to it with: proxy upstream login guarded"/);
  }));

test("a sign-in whose key is lost is said, and replaced by the next one", async () => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  try {
    await withApp({ dir, config: guarded.config, servers: servers() }, async (app) => {
      await asksForSignIn(app, "guarded");
      await signedIn(app, "guarded");
    });
    rmSync(join(dir, "credentials.key"));
    await withApp({ dir, config: guarded.config, servers: servers() }, async (app) => {
      await until("it cannot connect", () => state(app) === "Error");
      const { lastError } = app.upstreams.get("guarded")!.status();
      assert.match(lastError ?? "", /stored sign-in cannot be read/);
      const now = await status(app);
      assert.deepEqual([now.state, now.failure?.error_type], ["failed", "code_flow_failed"]);
      await signedIn(app, "guarded");
      assert.equal((await status(app)).state, "signed_in");
    });
    rmSync(join(dir, "credentials.key"));
    await withApp({ dir, config: guarded.config, servers: servers() }, async (app) => {
      await call(app, "POST /api/v1/servers/{name}/logout", { params });
      assert.equal((await status(app)).state, "none");
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("this machine's browser is opened for whoever asks for it and sits there", async (t) => {
  const tools = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(tools, { recursive: true, force: true }));
  if (process.platform !== "linux") return t.skip("needs xdg-open");
  writeFileSync(join(tools, "xdg-open"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  const open = (env: Record<string, string>) =>
    withApp({ config: guarded.config, servers: servers(), connect: false, env }, (app) =>
      call(app, "POST /api/v1/servers/{name}/login", { params, query: { open: "true" } }),
    );
  const opened = await open({ DISPLAY: ":0", PATH: `${tools}:${process.env.PATH}` });
  assert.deepEqual([opened.browser_opened, opened.browser_error], [true, undefined]);
  const closed = await open({ DISPLAY: ":0", SSH_CONNECTION: "x" });
  assert.deepEqual([closed.browser_opened, closed.browser_error], [false, "this is an SSH session"]);
});

test("where signing in is switched off, nobody can", () =>
  withApp({ config: guarded.config, servers: servers(), env: { SERVICE_DISABLE_OAUTH: "yes" } }, async (app) => {
    await asksForSignIn(app, "guarded");
    const { status: code, body } = await ask(app, "POST /api/v1/servers/guarded/login");
    assert.deepEqual([code, body.error_type], [400, "oauth_not_supported"]);
  }));

/** What a file holds, as bytes; a folder nothing. */
function readFile(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
