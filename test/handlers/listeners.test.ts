import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { router } from "#handlers/router.ts";
import { authenticateRequest } from "#lib/core/api/authenticate/authenticate.ts";
import { TEST_KEY, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { serve } from "#test/kit/mcp.ts";
import { issue } from "#test/kit/token.ts";
import { verifies } from "#test/kit/verifies.ts";

/** Bytes as sent, and the whole answer; nothing in between tidies them up. */
function bytes(url: string, head: readonly string[], body = ""): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (part) => {
      text += part;
    });
    socket.on("close", () => done(text));
    socket.on("error", fail);
    socket.write(`${[...head, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
  });
}

const statusOf = (answer: string) => Number(answer.split(" ")[1]);

verifies(
  ["host.loopback", "host.case"],
  "through the real listener, too, only names of this machine get in",
  async (t) => {
    const { url } = await serve(t);
    const { port } = new URL(url);
    const ours = `Host: 127.0.0.1:${port}`;
    const rows: [string[], number][] = [
      [[ours], 200],
      [["Host: localhost"], 200],
      [["Host: LocalHost:1"], 200],
      [["Host: localhost."], 403],
      [["Host: [::1]:8080"], 200],
      [["Host: [::ffff:127.0.0.1]"], 200],
      [["Host: 127.9.9.9"], 200],
      [["Host: evil.example"], 403],
      [["Host: localhost.evil.example"], 403],
      [["Host: evil.example:80"], 403],
      [["Host: localhost@evil.example"], 403],
      [["Host: evil.example@localhost"], 403],
      [["Host: 127.0.0.1.evil.example"], 403],
      [["Host: 0.0.0.0"], 403],
      [["Host: [::]"], 403],
      [["Host: 192.168.0.1"], 403],
      [["Host: localhost:99999"], 403],
      [["Host: localhost:8080:80"], 403],
      [["Host: localhost/"], 403],
      [["Host: local host"], 403],
      [["Host: "], 403],
      [["Host: null"], 403],
      [[ours, "Host: evil.example"], 403],
      [["Host: evil.example", ours], 403],
      [[], 400],
      [[ours, "Origin: http://localhost:3000"], 200],
      [[ours, "Origin: http://127.0.0.1"], 200],
      [[ours, "Origin: HTTP://LOCALHOST:3000"], 200],
      [[ours, "Origin: http://[::1]:5173"], 200],
      [[ours, "Origin: null"], 403],
      [[ours, "Origin: "], 403],
      [[ours, "Origin: http://evil.example"], 403],
      [[ours, "Origin: http://localhost.evil.example"], 403],
      [[ours, "Origin: http://localhost:80@evil.example"], 403],
      [[ours, "Origin: http://evil.example:8080"], 403],
      [[ours, "Origin: https://127.0.0.1.nip.example"], 403],
      [[ours, "Origin: http://localhost, http://evil.example"], 403],
      [[ours, "Origin: http://localhost/path"], 403],
      [[ours, "Origin: localhost"], 403],
      [[ours, "Origin: file://"], 403],
      [[ours, "Origin: http://localhost", "Origin: http://evil.example"], 403],
      [[ours, "X-Forwarded-Host: evil.example"], 200],
      [["Host: evil.example", `X-Forwarded-Host: 127.0.0.1:${port}`], 403],
      [["Host: evil.example", "Forwarded: host=localhost"], 403],
      [["Host: evil.example", "X-Forwarded-For: 127.0.0.1"], 403],
      [["Host: evil.example", "X-Real-IP: 127.0.0.1"], 403],
    ];
    const wrong: string[] = [];
    for (const [headers, status] of rows) {
      const answer = await bytes(url, ["GET /api/v1/status HTTP/1.1", ...headers, `X-API-Key: ${TEST_KEY}`]);
      if (statusOf(answer) !== status) wrong.push(`${JSON.stringify(headers)} ${statusOf(answer)}`);
    }
    assert.deepEqual(wrong, []);
    assert.equal(rows.length, 46);
  },
);

test("a page of another origin changes nothing, whatever it sends along", async (t) => {
  const { app, url } = await serve(t, { servers: [{ name: "git", command: "x" }] });
  const { host } = new URL(url);
  const before = JSON.stringify(app.config.file());
  const routes = [
    "POST /api/v1/servers/git/disable",
    "DELETE /api/v1/servers/git",
    "PATCH /api/v1/config",
    "POST /api/v1/tools/call",
    "POST /mcp",
    "POST /ui/session",
  ];
  for (const route of routes)
    for (const origin of ["http://evil.example", "null", "https://localhost.evil.example"])
      for (const type of ["text/plain", "application/json", "application/x-www-form-urlencoded"]) {
        const head = [`${route} HTTP/1.1`, `Host: ${host}`, `Origin: ${origin}`, `Content-Type: ${type}`];
        const answer = await bytes(url, [...head, `X-API-Key: ${TEST_KEY}`, "Content-Length: 2"], "{}");
        assert.equal(statusOf(answer), 403, `${route} ${origin} ${type}`);
        assert.ok(!/access-control-allow-origin/i.test(answer));
      }
  assert.equal(JSON.stringify(app.config.file()), before);
});

test("every answer forbids to sniff it, and none of the API's may be framed, run or kept", async (t) => {
  const { url, key } = await serve(t);
  const headers = { "x-api-key": key };
  for (const path of ["/api/v1/status", "/api/v1/servers", "/api/v1/nope", "/nope", "/api/v1/config", "/events"]) {
    const response = await fetch(url + path, { headers });
    await response.body?.cancel();
    for (const [name, wanted] of [
      ["x-content-type-options", /^nosniff$/],
      ["x-frame-options", /^DENY$/],
      ["content-security-policy", /default-src 'none'.*frame-ancestors 'none'/],
      ["referrer-policy", /^no-referrer$/],
      ["cache-control", /no-(store|cache)/],
    ] as const)
      assert.match(response.headers.get(name) ?? "", wanted, `${path} ${name}`);
  }
  for (const path of ["/healthz", "/readyz", "/mcp", "/docs/", "/ui/", "/api/v1/status?apikey=wrong"]) {
    const response = await fetch(url + path);
    await response.body?.cancel();
    assert.equal(response.headers.get("x-content-type-options"), "nosniff", path);
  }
});

test("who guesses keys from elsewhere is soon not listened to, and other addresses are", () =>
  withApp({ connect: false, clock: handClock(1_700_000_000_000) }, async (app) => {
    const { fetch, close } = router(app);
    const ask = (key: string, remote: string, path = "/api/v1/status") =>
      fetch(new Request(`http://localhost${path}`, { headers: { "x-api-key": key } }), { listener: "tcp", remote });
    for (let i = 0; i < 20; i++) assert.equal((await ask(`guess-${i}`, "203.0.113.9")).status, 401);

    const refused = await ask("guess-21", "203.0.113.9");
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal(((await refused.json()) as { code: string }).code, "too_many_attempts");
    assert.equal((await ask(TEST_KEY, "203.0.113.9")).status, 429);
    assert.equal((await ask(TEST_KEY, "203.0.113.10")).status, 200);
    assert.equal((await ask("", "203.0.113.9", "/healthz")).status, 200);
    await (app.clock as ReturnType<typeof handClock>).advance(60_000);
    assert.equal((await ask(TEST_KEY, "203.0.113.9")).status, 200);
    await close();
  }));

test("a stale key in one program of this machine locks out no other", () =>
  withApp({ connect: false, clock: handClock(1_700_000_000_000) }, async (app) => {
    const { fetch, close } = router(app);
    const ask = (key: string) =>
      fetch(new Request("http://localhost/api/v1/status", { headers: { "x-api-key": key } }), {
        listener: "tcp",
        remote: "127.0.0.1",
      });
    for (let i = 0; i < 300; i++) assert.equal((await ask("stale")).status, 401);
    assert.equal((await ask("stale")).status, 429);
    assert.equal((await ask(TEST_KEY)).status, 200);
    await close();
  }));

verifies("host.only", "a trusted host makes no forwarded header believed and no cookie secure", async (t) => {
  const { app, url } = await serve(t, { config: { trusted_hosts: ["proxy.example.com"] } });
  const metadata = { method: "GET", target: "/", remote: "10.0.0.9", listener: "tcp" as const };
  const forwarded: Record<string, string> = {
    host: "proxy.example.com",
    "x-forwarded-for": "203.0.113.1",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "other.example.com",
  };
  const admission = authenticateRequest(app, { ...metadata, header: (name) => forwarded[name] });
  assert.deepEqual(
    [admission.refusal, admission.clientIp, admission.proto, admission.host],
    [undefined, "10.0.0.9", undefined, undefined],
  );

  const body = JSON.stringify({ key: TEST_KEY });
  const head = [
    "POST /ui/session HTTP/1.1",
    "Host: proxy.example.com",
    "Origin: http://proxy.example.com",
    "X-Proxy-Panel: 1",
  ];
  const more = ["X-Forwarded-Proto: https", "Content-Type: application/json", `Content-Length: ${body.length}`];
  const answer = await bytes(url, [...head, ...more], body);
  assert.equal(statusOf(answer), 200);
  assert.match(answer, /set-cookie: [^\r]*HttpOnly/i);
  assert.doesNotMatch(answer, /set-cookie: [^\r]*Secure/i);
});

verifies("peer.no-buffering", "streams ask the proxies in between not to hold them back", async (t) => {
  const { url, key } = await serve(t);
  const response = await fetch(`${url}/events`, { headers: { "x-api-key": key } });
  await response.body?.cancel();
  assert.equal(response.headers.get("x-accel-buffering"), "no");
});

test("a stale key in one program shuts nobody out who shows something else from the same address", () =>
  withApp({ connect: false, clock: handClock(1_700_000_000_000) }, async (app) => {
    const { fetch, close } = router(app);
    const ask = async (key: string) =>
      (
        await fetch(new Request("http://localhost/api/v1/status", { headers: { "x-api-key": key } }), {
          listener: "tcp",
          remote: "203.0.113.9",
        })
      ).status;
    const token = await issue(app);
    for (let i = 0; i < 25; i++) await ask("stale");
    assert.equal(await ask("stale"), 429);
    assert.equal(await ask(TEST_KEY), 429, "the key might have been guessed");
    assert.equal(await ask(token), 200);
    await close();
  }));
