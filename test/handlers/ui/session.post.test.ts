import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { panelCookieName, SIGN_IN_CODE_TIMEOUT_MS } from "#lib/core/api/authenticate/panel-session.ts";
import { systemClock } from "#lib/core/base/clock.ts";
import { TEST_KEY, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask, call } from "#test/kit/http.ts";
import { INITIALIZE, serve } from "#test/kit/mcp.ts";
import { browse, PAGE, signedIn } from "#test/kit/panel-session.ts";
import { verifies } from "#test/kit/verifies.ts";

const DAY = 24 * 3_600_000;

test("the key becomes a cookie that no script reads and no other site sends; then the cookie is enough", async () => {
  await withApp({ connect: false }, async (app) => {
    const { status, headers } = await ask(app, "POST /ui/session", { as: PAGE, body: { key: TEST_KEY } });
    assert.equal(status, 200);
    const set = headers.get("set-cookie")!;
    assert.match(set, /^proxy_panel_0=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    const cookie = set.split(";", 1)[0]!;
    assert.equal((await browse(app, "GET /api/v1/status", cookie)).status, 200);
    assert.equal((await browse(app, "GET /events", cookie)).status, 200);
    assert.deepEqual((await browse(app, "GET /ui/session", cookie)).body.data, {
      signed_in: true,
      name: "admin",
      tier: "admin",
      passkeys: false,
    });
    assert.equal((await browse(app, "POST /api/v1/servers/enable_all", cookie, {})).status, 200);
  });
});

test("the cookie is Secure where a trusted proxy says that the browser came by https", async () => {
  await withApp({ connect: false, config: { trusted_proxies: ["127.0.0.1"] } }, async (app) => {
    const as = { ...PAGE, "x-forwarded-proto": "https", "x-forwarded-host": "panel.example" };
    const { headers } = await ask(app, "POST /ui/session", { as, body: { key: TEST_KEY } });
    assert.match(headers.get("set-cookie")!, /; Secure$/);
  });
});

test("a wrong key, an agent token and a code that nobody gave out sign nobody in", async () => {
  await withApp({ connect: false }, async (app) => {
    for (const body of [{ key: "wrong" }, { key: "" }, { key: "mcp_agt_00" }, { code: "x" }, { code: "" }]) {
      const answer = await ask(app, "POST /ui/session", { as: PAGE, body });
      assert.equal(answer.body.code, "sign_in_refused", JSON.stringify(body));
      assert.equal(answer.headers.get("set-cookie"), null);
    }
    for (const body of [{}, { key: TEST_KEY, code: "x" }])
      assert.equal((await ask(app, "POST /ui/session", { as: PAGE, body })).status, 400);
  });
});

test("another site signs no browser in, nor out", async () => {
  await withApp({ connect: false }, async (app) => {
    const cookie = await signedIn(app, { key: TEST_KEY });
    for (const other of [{}, { "sec-fetch-site": "same-site", "x-proxy-panel": "1" }]) {
      const as = { ...other, cookie };
      assert.equal((await ask(app, "POST /ui/session", { as, body: { key: TEST_KEY } })).body.code, "other_origin");
      assert.equal((await ask(app, "DELETE /ui/session", { as })).body.code, "other_origin");
    }
    assert.equal((await browse(app, "GET /ui/session", cookie)).body.data.signed_in, true);
  });
});

test("a link signs in once, within a minute", async () => {
  const clock = handClock();
  await withApp({ connect: false, clock }, async (app) => {
    app.boot.listenAddr = "127.0.0.1:8080";
    const link = async () => new URL((await call(app, "POST /ui/code", {})).url).hash.slice("#code=".length);
    const code = await link();
    await signedIn(app, { code });
    assert.equal((await ask(app, "POST /ui/session", { as: PAGE, body: { code } })).body.code, "sign_in_refused");
    const late = await link();
    await clock.advance(SIGN_IN_CODE_TIMEOUT_MS);
    assert.equal((await ask(app, "POST /ui/session", { as: PAGE, body: { code: late } })).status, 401);
  });
});

test("a page elsewhere on this machine gets nothing by the cookie, and changes nothing", async () => {
  await withApp({ connect: false }, async (app) => {
    const cookie = await signedIn(app, { key: TEST_KEY });
    const asked = (line: string, headers: Record<string, string>) =>
      ask(app, line, { as: { cookie, ...headers }, ...(!line.startsWith("GET") && { body: {} }) });
    const site = { "sec-fetch-site": "same-site", origin: "http://localhost:3000" };
    assert.equal((await asked("GET /api/v1/status", site)).status, 401);
    assert.equal((await asked("POST /api/v1/servers/enable_all", { ...site, "x-proxy-panel": "1" })).status, 401);
    const ours = { "sec-fetch-site": "same-origin" };
    assert.equal((await asked("POST /api/v1/servers/enable_all", ours)).status, 401);
  });
});

test("a credential that is shown outweighs the cookie", async () => {
  await withApp({ connect: false }, async (app) => {
    const cookie = await signedIn(app, { key: TEST_KEY });
    const as = { ...PAGE, cookie, "x-api-key": "wrong" };
    assert.equal((await ask(app, "GET /api/v1/status", { as })).status, 401);
  });
});

test("signing out ends the session and its event streams", async (t) => {
  const { app, url } = await serve(t);
  const { fetch: page, cookie } = await pageOf(url, TEST_KEY);
  const stream = await page("/events");
  assert.equal(stream.status, 200);
  const over = stream.text();
  const out = await page("/ui/session", { method: "DELETE" });
  assert.match(out.headers.get("set-cookie")!, /=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
  assert.match(await over, /event: status/);
  assert.equal((await page("/api/v1/status")).status, 401);
  assert.equal(app.store.signIns.all().length, 0);
  assert.ok(cookie.startsWith(panelCookieName(app)));
});

verifies("mcp.auth.no-cookie", "on the MCP endpoints the cookie is no credential", async (t) => {
  const { app, url } = await serve(t, { config: { require_mcp_auth: true } });
  const { fetch: page } = await pageOf(url, TEST_KEY);
  assert.equal((await page("/api/v1/status")).status, 200);
  for (const path of ["/mcp", "/mcp/", "/mcp/call", "/mcp/all", "/mcp/code", "/all/mcp", "/p/front/mcp"]) {
    const init = { method: "POST", body: JSON.stringify(INITIALIZE), headers: { "content-type": "application/json" } };
    assert.equal((await page(path, init)).status, 401, path);
  }
  assert.equal(app.store.signIns.all().length, 1);
});

/** A browser that is signed in, over the wire. */
async function pageOf(url: string, key: string) {
  const headers = { ...PAGE, "content-type": "application/json" };
  const answer = await fetch(`${url}/ui/session`, { method: "POST", headers, body: JSON.stringify({ key }) });
  const cookie = answer.headers.get("set-cookie")!.split(";", 1)[0]!;
  return {
    cookie,
    fetch: (path: string, init: RequestInit = {}) =>
      fetch(url + path, { ...init, headers: { ...PAGE, cookie, ...(init.headers as object) } }),
  };
}

test("a session ends three days after its last use, and thirty days after its beginning", async () => {
  let now = Date.now();
  await withApp({ connect: false, clock: { ...systemClock, now: () => now } }, async (app) => {
    const cookie = await signedIn(app, { key: TEST_KEY });
    const status = async () => (await browse(app, "GET /api/v1/status", cookie)).status;
    for (let day = 2; day < 30; day += 2) {
      now += 2 * DAY;
      assert.equal(await status(), 200, `day ${day}`);
    }
    now += 2 * DAY;
    assert.equal(await status(), 401);
    const idle = await signedIn(app, { key: TEST_KEY });
    now += 3 * DAY;
    assert.equal((await browse(app, "GET /api/v1/status", idle)).status, 401);
  });
});

test("a session outlives the program, and ends with the key it was exchanged for", async () => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  try {
    const cookie = await withApp({ connect: false, dir }, (first) => signedIn(first, { key: TEST_KEY }));
    await withApp({ connect: false, dir }, async (again) => {
      assert.equal((await browse(again, "GET /api/v1/status", cookie)).status, 200);
    });
    await withApp({ connect: false, dir, config: { api_key: "another-key-0123456789" } }, async (changed) => {
      assert.equal((await browse(changed, "GET /api/v1/status", cookie)).status, 401);
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("of fifty-one browsers the one unused for longest is signed out", async () => {
  let now = Date.now();
  await withApp({ connect: false, clock: { ...systemClock, now: () => now } }, async (app) => {
    const first = await signedIn(app, { key: TEST_KEY });
    for (let i = 0; i < 50; i++) {
      now += 1000;
      await signedIn(app, { key: TEST_KEY });
    }
    assert.equal(app.store.signIns.all().length, 50);
    assert.equal((await browse(app, "GET /api/v1/status", first)).status, 401);
  });
});
