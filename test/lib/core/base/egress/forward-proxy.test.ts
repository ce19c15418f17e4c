import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createPlain, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createEgress } from "#lib/core/base/egress/create-egress.ts";
import { forwardProxy } from "#test/kit/forward-proxy.ts";
import { foreign } from "#test/kit/tls.ts";

const signal = AbortSignal.timeout(20_000);

/** The names that the machine itself knows. Those of the internet are known to the proxy alone. */
const NAMES: Record<string, string> = { "inside.test": "10.0.0.7", "outside.test": "93.184.216.34" };
const lookup = ((host: string, _: unknown, done: (error: Error | null, found: unknown) => void) =>
  NAMES[host]
    ? done(null, [{ address: NAMES[host], family: 4 }])
    : done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }), [])) as never;

const dialler = (env: Record<string, string>) => createEgress({ agent: "proxy/test", allowed: () => [], env, lookup });

async function listen(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const echo: RequestListener = (req, res) => {
  res.end(`${req.method} ${req.url} at ${req.headers.host}`);
};

test("plain requests are handed to the proxy whole, with its password, and https goes through a tunnel", async (t) => {
  const pair = await foreign("CN=secure.test", { from: Date.now() - 60_000, days: 5, hosts: ["secure.test"] });
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, "ca.pem"), pair.cert);
  const plain = await listen(t, createPlain(echo));
  const secure = await listen(t, createServer(pair, echo));
  const hosts = { "outside.test": plain, "unknown-here.test": plain, "secure.test": secure };
  const proxy = await forwardProxy(t, { hosts, password: "me:p@ss" });
  const address = `http://me:p%40ss@127.0.0.1:${proxy.port}`;
  const env = { HTTP_PROXY: address, HTTPS_PROXY: address, SSL_CERT_FILE: join(dir, "ca.pem") };
  const text = async (url: string) => (await dialler(env).fetch(url, { signal })).text;

  assert.equal(await text("http://outside.test/a?b=1"), "GET /a?b=1 at outside.test");
  assert.equal(await text("http://unknown-here.test/"), "GET / at unknown-here.test");
  assert.equal(await text("https://secure.test/c"), "GET /c at secure.test");

  assert.deepEqual(proxy.seen, [
    "GET http://outside.test/a?b=1",
    "GET http://unknown-here.test/",
    "CONNECT secure.test:443",
  ]);
});

test("behind a proxy, too, what lies inside is refused before the proxy hears of it", async (t) => {
  const proxy = await forwardProxy(t, { hosts: {} });
  const address = `http://127.0.0.1:${proxy.port}`;
  const dial = dialler({ HTTP_PROXY: address, HTTPS_PROXY: address });
  for (const url of [
    "http://169.254.169.254/latest/meta-data/",
    "https://10.1.2.3/",
    "http://127.0.0.1:1/",
    "http://inside.test/",
    "https://metadata.google.internal/",
    "http://intranet/",
    "http://wiki.corp/",
    "http://printer.local/",
  ])
    await assert.rejects(dial.fetch(url, { signal }), { code: "address_refused" }, url);

  assert.deepEqual(proxy.seen, []);
});

test("a proxy that asks for another password is named, and the password is not", async (t) => {
  const proxy = await forwardProxy(t, { hosts: {}, password: "me:right" });
  const address = `http://me:wr0ng-secret@127.0.0.1:${proxy.port}`;
  const dial = dialler({ HTTP_PROXY: address, HTTPS_PROXY: address });

  for (const [url, variable] of [
    ["http://outside.test/", "HTTP_PROXY"],
    ["https://outside.test/", "HTTPS_PROXY"],
  ] as const)
    await assert.rejects(dial.fetch(url, { signal }), (error: Error) => {
      assert.match(error.message, new RegExp(`the proxy \\S+ requires a password .*set ${variable} as`));
      assert.doesNotMatch(error.message, /wr0ng-secret/);
      return true;
    });
});

test("an authority that nobody trusts is named with its remedy", async (t) => {
  const pair = await foreign("CN=secure.test", { from: Date.now() - 60_000, days: 5, hosts: ["secure.test"] });
  const secure = await listen(t, createServer(pair, echo));
  const proxy = await forwardProxy(t, { hosts: { "secure.test": secure } });

  await assert.rejects(dialler({ HTTPS_PROXY: `127.0.0.1:${proxy.port}` }).fetch("https://secure.test/", { signal }), {
    code: "fetch_failed",
    message: /certificate of secure\.test is signed by an authority that this machine does not trust.*SSL_CERT_FILE/,
  });
});

test("a resolver that does not answer costs no more than the time limit, with a proxy and without one", async (t) => {
  // As long as a real resolver is asked, it keeps the process alive.
  const asking = setInterval(() => {}, 1000);
  t.after(() => clearInterval(asking));

  for (const env of [{}, { HTTP_PROXY: "http://127.0.0.1:9" }]) {
    const egress = createEgress({ agent: "proxy/test", allowed: () => [], env, lookup: (() => {}) as never });
    const given = AbortSignal.timeout(10_000);
    const answer = egress.fetch("http://outside.test/", { signal: given, timeoutMs: 50 });
    await assert.rejects(answer, /no response within 50 ms/);
    assert.equal(given.aborted, false);
  }
});
