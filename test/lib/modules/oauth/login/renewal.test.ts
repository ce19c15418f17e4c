import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";
import { call } from "#test/kit/http.ts";
import { asksForSignIn, type Guarded, signedIn, startGuarded } from "#test/kit/sign-in.ts";
import { until } from "#test/kit/until.ts";

let guarded: Guarded;
before(async () => {
  guarded = await startGuarded();
});
afterEach(() => guarded.control({ token: null, tokenDelay: 0, refuse: false }));
after(() => guarded.kill());

const params = { name: "guarded" };
const state = (app: TestApp) => app.upstreams.get("guarded")?.status().state;
const status = (app: TestApp) => call(app, "GET /api/v1/servers/{name}/login", { params });
const health = async (app: TestApp) => (await call(app, "GET /api/v1/servers", {})).servers[0]?.health;
const read = (app: TestApp) =>
  app.upstreams.get("guarded")!.request("tools/call", { name: "read", arguments: {} }, { timeoutMs: 60_000 });
const renewals = async () => (await guarded.control()).counts.refresh_token ?? 0;

/** An app that is signed in and connected, on a clock moved by hand. */
async function withSignedIn(
  fn: (app: TestApp, clock: HandClock) => Promise<void>,
  more: { dir?: string } = {},
): Promise<void> {
  // No pings and no listings by time, which would be renewals' competitors.
  const quiet = { health_check_interval: "0", tool_discovery_interval: "0" };
  const clock = handClock(Date.now());
  await withApp(
    { config: guarded.config, servers: [{ name: "guarded", url: guarded.url, ...quiet }], clock, ...more },
    async (app) => {
      await asksForSignIn(app, "guarded");
      await signedIn(app, "guarded");
      await fn(app, clock);
    },
  );
}

test("a token is renewed ahead of its end, and the renewed one outlives a restart", async () => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  try {
    const before = await renewals();
    await withSignedIn(
      async (app, clock) => {
        const told: unknown[] = [];
        app.events.subscribe(({ kind, data }) => kind === "oauth.token_refreshed" && told.push(data));
        await clock.advance(2_600_000);
        assert.equal(await renewals(), before);
        await clock.advance(200_000);
        await until("it was renewed", () => told.length === 1);
        assert.equal(await renewals(), before + 1);
        assert.equal(state(app), "Ready");
        await read(app);
      },
      { dir },
    );
    const clock = handClock(Date.now() + 3_000_000);
    await withApp(
      { dir, config: guarded.config, servers: [{ name: "guarded", url: guarded.url }], clock },
      async (app) => {
        await until("it is connected", () => state(app) === "Ready");
        // The provider takes each refresh token once, so only the latest helps now.
        await guarded.control({ forget: "access" });
        await read(app);
        assert.equal(await renewals(), before + 2);
      },
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("fifty requests at a token that has ended wait for one renewal", () =>
  withSignedIn(async (app, clock) => {
    const before = await renewals();
    await guarded.control({ tokenDelay: 200 });
    await clock.advance(3_700_000);
    const all = await Promise.all(Array.from({ length: 50 }, () => read(app)));
    assert.equal(all.length, 50);
    assert.equal(await renewals(), before + 1);
    assert.equal(state(app), "Ready");
  }));

test("fifty requests whose token is refused before its time, as by another clock, are repeated after one renewal", () =>
  withSignedIn(async (app, clock) => {
    const before = await renewals();
    await clock.advance(60_000);
    await guarded.control({ forget: "access", tokenDelay: 100 });
    const all = await Promise.all(Array.from({ length: 50 }, () => read(app)));
    assert.equal(all.length, 50);
    assert.equal(await renewals(), before + 1);
    assert.equal(state(app), "Ready");
  }));

test("a grant that was taken back is not renewed again: the server needs a sign-in, and health says so", () =>
  withSignedIn(async (app, clock) => {
    const before = await renewals();
    await clock.advance(60_000);
    await guarded.control({ forget: "grants" });
    await assert.rejects(read(app), /requires a sign-in \(HTTP 401\); sign in with: proxy upstream login guarded/);
    await until("it needs a sign-in", () => app.upstreams.get("guarded")?.status().authRequired === true);
    const { level, summary, action, detail } = (await health(app))!;
    assert.deepEqual([level, summary, action], ["unhealthy", "Sign-in expired", "login"]);
    assert.match(detail ?? "", /invalid_grant/);
    assert.equal((await status(app)).renewable, false);
    await clock.advance(3_600_000);
    assert.equal(await renewals(), before + 1);
    await signedIn(app, "guarded");
    assert.equal((await health(app))?.level, "healthy");
  }));

for (const { how, answer } of [
  { how: "no refresh token", answer: { refresh_token: null } },
  { how: "a renewal that was refused for good", answer: undefined },
])
  test(`with ${how}, a token that has ended is told at once: health, preflight and calls ask for a sign-in`, async (t) => {
    t.after(() => guarded.control({ answer: null }));
    if (answer) await guarded.control({ answer });
    await withSignedIn(async (app, clock) => {
      await until("its tools are listed", () => app.catalog.of("guarded").length > 0);
      const told: unknown[] = [];
      app.events.subscribe(({ kind, data }) => kind === "servers.changed" && told.push(data));
      if (!answer) {
        const refused = { status: 400, type: "application/json", body: '{"error":"invalid_grant"}' };
        await guarded.control({ token: refused });
        await clock.advance(2_800_000);
        await until("the renewal was refused", async () => (await health(app))?.summary === "Sign-in ends");
        await clock.advance(900_000);
      } else await clock.advance(3_700_000);

      const { level, summary, action } = (await health(app))!;
      assert.deepEqual([level, summary, action], ["unhealthy", "Token expired", "login"]);
      assert.ok(told.length > 0, "whoever watches hears of it");
      const checked = await call(app, "POST /api/v1/preflight", { body: { tools: [{ id: "guarded:read" }] } });
      assert.deepEqual([checked.verdict, checked.tools[0]?.reason], ["blocked", "oauth_required"]);
      await assert.rejects(
        call(app, "POST /api/v1/tools/call", { body: { tool_name: "guarded:read", arguments: {} } }),
        /sign-in/,
      );
      await guarded.control({ token: null, answer: null });
      await signedIn(app, "guarded");
      await until("it is well again", async () => (await health(app))?.level === "healthy");
      await read(app);
    });
  });

test("a renewal that fails in passing is tried again, later each time, and loses nothing", () =>
  withSignedIn(async (app, clock) => {
    const failures: string[] = [];
    app.events.subscribe(({ kind, data }) => kind === "oauth.refresh_failed" && failures.push(data.error));
    const { renewable, expires_at } = await status(app);
    for (const token of [
      { status: 503, body: "busy", type: "text/plain" },
      "drop",
      { status: 400, body: { error: "invalid_request" } },
    ]) {
      await guarded.control({ token });
      const tried = failures.length;
      await clock.advance(tried === 0 ? 2_750_000 : 10_000 * 2 ** tried);
      await until("it failed", () => failures.length > tried);
    }
    assert.deepEqual([(await status(app)).renewable, (await status(app)).expires_at], [renewable, expires_at]);
    const { summary, action } = (await health(app))!;
    assert.deepEqual([state(app), summary, action], ["Ready", "Token refresh pending", "view_logs"]);
    await read(app);

    await clock.advance(900_000);
    await assert.rejects(read(app), /could not be renewed/);
    await guarded.control({ token: null });
    await clock.advance(300_000);
    await until("it was renewed", async () => (await status(app)).retry === undefined);
    await read(app);
    assert.equal((await health(app))?.level, "healthy");
  }));

test("a client the provider has forgotten ends the sign-in, and the next one registers anew", () =>
  withSignedIn(async (app, clock) => {
    await guarded.control({ forget: "clients" });
    const before = (await guarded.control()).counts.register ?? 0;
    await clock.advance(2_750_000);
    await until("it ended", async () => (await status(app)).ended !== undefined);
    assert.match((await status(app)).ended ?? "", /invalid_client/);
    await signedIn(app, "guarded");
    assert.equal((await guarded.control()).counts.register, before + 1);
  }));
