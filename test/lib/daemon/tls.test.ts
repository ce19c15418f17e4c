import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { requestRoute as askClient } from "#lib/client/client.ts";
import { http } from "#lib/client/http.ts";
import type { Clock } from "#lib/core/base/clock.ts";
import { newClient, serverPair } from "#lib/modules/tls/pair.ts";
import { listenTest, TEST_KEY, type TestApp, testApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { folder } from "#test/kit/program.ts";
import { ask, cert, foreign, pem } from "#test/kit/tls.ts";
import { until } from "#test/kit/until.ts";

const DAY_MS = 86_400_000;

interface Options {
  tls?: Record<string, unknown>;
  config?: Record<string, unknown>;
  clock?: Clock;
  dir?: string;
}

/** An instance whose listener speaks TLS, with what a client that trusts its authority is given. */
async function secure(t: TestContext, { tls, config, ...rest }: Options = {}) {
  const app = await testApp({ connect: false, config: { tls: { enabled: true, ...tls }, ...config }, ...rest });
  t.after(() => app.close());
  const { url, close } = await listenTest(app);
  t.after(close);
  const certs = join(app.config.dataDir, "certs");
  return { app, url, certs, ca: pem(certs, "ca.pem"), key: { "x-api-key": TEST_KEY } };
}

test("the listener speaks HTTPS to who trusts its authority, by name and by address", async (t) => {
  const { url, ca, key, certs } = await secure(t);
  const port = new URL(url).port;

  const status = await ask(`${url}/api/v1/status`, { ca, headers: key });
  const byName = await ask(`https://localhost:${port}/healthz`, { ca });
  const again = await ask(`${url}/healthz`, { ca, minVersion: "TLSv1.2", maxVersion: "TLSv1.2" });

  assert.deepEqual([status.status, byName.status, again.status], [200, 200, 200]);
  assert.equal(status.serial, cert(certs, "server.pem").serialNumber);
});

test("MCP is spoken by TLS, too", async (t) => {
  const { url, ca } = await secure(t);
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const { status, body } = await ask(`${url}/mcp`, { ca, method: "POST", headers }, message);

  assert.equal(status, 200);
  assert.match(body, /"protocolVersion":"2025-06-18"/);
});

test("who does not trust the authority is not served, nor who trusts another one", async (t) => {
  const { url } = await secure(t);
  const other = await foreign("CN=proxy local authority (else)", { from: Date.now() - 1000, days: 1, authority: true });

  await assert.rejects(ask(`${url}/healthz`), { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
  await assert.rejects(ask(`${url}/healthz`, { ca: other.cert }), /certificate/);
});

test("old versions of TLS, and no TLS at all, get nothing", async (t) => {
  const { url, ca } = await secure(t);
  const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  const plain = () =>
    new Promise((done, fail) => {
      request(url.replace("https:", "http:"), { agent: false }, done).on("error", fail).end();
    });

  await assert.rejects(ask(`${url}/healthz`, { ca, ...old }));
  await assert.rejects(plain(), { code: "ECONNRESET" });
});

test("with require_client_cert only clients of the own authority are let in", async (t) => {
  const { app, url, ca, certs, key } = await secure(t, { tls: { require_client_cert: true } });
  const log = app.log;
  const now = Date.now();
  const made = await newClient({ dir: certs, name: "laptop", days: 30, now, log });
  const over = await newClient({ dir: certs, name: "old", days: 1, now: now - 3 * DAY_MS, log });
  const stranger = await foreign("CN=laptop (proxy client)", { from: now - 1000, days: 1 });
  const files = ({ cert, key }: { cert: string; key: string }) => ({ cert: pem(cert), key: pem(key) });

  const { status } = await ask(`${url}/api/v1/status`, { ca, headers: key, ...files(made) });
  assert.equal(status, 200);
  const without = await ask(`${url}/api/v1/status`, { ca, ...files(made) });
  assert.equal(without.status, 401, "the certificate opens the listener and nothing behind it");
  for (const client of [{}, { cert: stranger.cert, key: stranger.key }, files(over)])
    await assert.rejects(ask(`${url}/api/v1/status`, { ca, headers: key, ...client }), /alert|ECONNRESET|hang up/);
  // A server's certificate, though signed by the same authority, is no client's.
  const server = { cert: pem(certs, "server.pem"), key: pem(certs, "server-key.pem") };
  await assert.rejects(ask(`${url}/api/v1/status`, { ca, headers: key, ...server }), /alert|ECONNRESET|hang up/);
});

test("the command line's own client verifies the listener, and is let in where certificates are asked for", async (t) => {
  const { url, certs } = await secure(t, { tls: { require_client_cert: true } });
  const file = (...path: string[]) => ({ path: join(certs, ...path) });
  const own = { ca: file("ca.pem"), cert: file("clients/cli.pem"), key: file("clients/cli-key.pem") };
  const nothing = { path: join(certs, "none.pem") };
  const probe = (trust: typeof own) =>
    askClient(http({ url: new URL(url), trust }, "test/1"), "GET /healthz", {}, { signal: t.signal });

  assert.equal((await probe(own)).status, 200);
  await assert.rejects(probe({ ...own, ca: nothing }), {
    message: /set SERVICE_CA_CERT to the file of the proxy's authority/,
  });
  await assert.rejects(probe({ ...own, cert: nothing }), { message: /cannot be reached/ });
  const named = { path: join(certs, "none.pem"), named: "SERVICE_CA_CERT" };
  await assert.rejects(probe({ ...own, ca: named }), {
    code: "invalid_args",
    message: /SERVICE_CA_CERT: .*none\.pem does not exist/,
  });
});

test("a certificate is renewed while the listener is open, which shows the new one from then on", async (t) => {
  // A few days ago for the proxy, since TLS goes by the real time, in which the new certificate must be valid, too.
  const start = Date.now() - 3 * DAY_MS;
  const clock = handClock(start);
  const dir = folder(t);
  const seed = { dir: join(dir, "certs"), names: ["127.0.0.1", "::1", "localhost"], clients: false };
  await serverPair({ ...seed, now: start - 366 * DAY_MS, log: { info() {}, warn() {} } });
  const { url, ca, certs } = await secure(t, { clock, dir });
  const first = cert(certs, "server.pem").serialNumber;
  assert.equal((await ask(`${url}/healthz`, { ca })).serial, first);

  await clock.advance(2 * DAY_MS);
  await until("the new certificate", () => cert(certs, "server.pem").serialNumber !== first);
  await until("it is shown", async () => (await ask(`${url}/healthz`, { ca })).serial !== first);

  assert.equal((await ask(`${url}/healthz`, { ca })).serial, cert(certs, "server.pem").serialNumber);
});

test("files that somebody puts there are taken up within the hour; what cannot be used is not", async (t) => {
  const clock = handClock(Date.now());
  const { url, certs } = await secure(t, { clock });
  const shows = async (ca: string) =>
    (await ask(`https://localhost:${new URL(url).port}/healthz`, { ca }).catch(() => undefined))?.status === 200;
  const theirs = await foreign("CN=Theirs", { from: Date.now() - 1000, days: 90 });
  const put = (key: string) => {
    writeFileSync(join(certs, "server.pem"), theirs.cert);
    writeFileSync(join(certs, "server-key.pem"), key);
  };

  put("half of it is there");
  await clock.advance(3_600_000);
  assert.ok(await shows(pem(certs, "ca.pem")));
  put(theirs.key);
  await until(
    "theirs",
    () => shows(theirs.cert),
    () => clock.advance(3_600_000),
  );

  assert.ok(!(await shows(pem(certs, "ca.pem"))));
});

test("a host that is trusted from now on is in the certificate at once", async (t) => {
  const { app, certs } = await secure(t);

  await app.config.update((draft) => {
    draft.trusted_hosts = ["box.test"];
  }, "test");

  await until("the name", () => cert(certs, "server.pem").checkHost("box.test") !== undefined);
});

test("what browsers are told fits: Secure cookies, https addresses, and HSTS for names alone", async (t) => {
  const { app, url, ca, key } = await secure(t, { config: { trusted_hosts: ["box.test"] } });
  const { port } = new URL(url);
  const hsts = async (host: string) =>
    (await ask(`${url}/healthz`, { ca, headers: { host }, servername: "localhost" })).headers[
      "strict-transport-security"
    ];
  const page = { "content-type": "application/json", "x-proxy-panel": "1", "sec-fetch-site": "same-origin" };

  const signedIn = await ask(
    `${url}/ui/session`,
    { ca, method: "POST", headers: page },
    JSON.stringify({ key: TEST_KEY }),
  );
  const info = await ask(`${url}/api/v1/info`, { ca, headers: key });
  const code = await ask(`${url}/ui/code`, { ca, method: "POST", headers: key });
  const described = await ask(`${url}/docs/spec.json`, { ca });
  const panel = await ask(`${url}/ui/`, { ca });

  assert.match(String(signedIn.headers["set-cookie"]), /; Secure$/);
  assert.equal(JSON.parse(info.body).data.web_ui_url, `https://127.0.0.1:${port}/ui/`);
  assert.match(JSON.parse(code.body).data.url, /^https:\/\/127\.0\.0\.1:\d+\/ui\/#code=/);
  assert.deepEqual(JSON.parse(described.body).servers, [{ url }]);
  assert.equal(panel.status, 200);
  assert.deepEqual(await Promise.all(["box.test", "localhost", "127.0.0.1", "[::1]", "a.localhost"].map(hsts)), [
    "max-age=31536000",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(app.config.current().tls.hsts, true);
});

test("hsts: false says nothing of it", async (t) => {
  const { url, ca } = await secure(t, { tls: { hsts: false }, config: { trusted_hosts: ["box.test"] } });

  const { headers } = await ask(`${url}/healthz`, { ca, headers: { host: "box.test" } });

  assert.equal(headers["strict-transport-security"], undefined);
});

test("a listener that cannot speak TLS as wanted does not open, with what to do", async (t) => {
  const dir = folder(t);
  mkdirSync(join(dir, "keys"));
  writeFileSync(join(dir, "keys", "server.pem"), "nonsense");
  const config = { tls: { enabled: true, certs_dir: "keys" } };
  const app: TestApp = await testApp({ connect: false, config, dir });
  t.after(() => app.close());

  await assert.rejects(listenTest(app), {
    code: "tls_unusable",
    message: /^the proxy cannot serve TLS: .*keys.server\.pem exists without its key/,
  });
});

test("a client that connects and sends nothing does not delay the end of the listener", async (t) => {
  const app = await testApp({ connect: false, config: { tls: { enabled: true } } });
  t.after(() => app.close());
  const { url, close } = await listenTest(app);
  const silent = connect(Number(new URL(url).port), "127.0.0.1");
  t.after(() => silent.destroy());
  await once(silent, "connect");
  await ask(`${url}/healthz`, { ca: pem(join(app.config.dataDir, "certs"), "ca.pem") });

  let isClosed = false;
  void close().then(() => {
    isClosed = true;
  });

  await until("the listener is closed", () => isClosed);
});

test("tls waits for the next start", async (t) => {
  const { app } = await secure(t);

  await app.config.update((draft) => {
    draft.tls = { ...draft.tls, enabled: false };
  }, "test");

  assert.deepEqual([app.config.pendingRestart(), app.config.current().tls.enabled], [["tls"], true]);
});
