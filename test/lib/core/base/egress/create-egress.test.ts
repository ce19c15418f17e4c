import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createEgress } from "#lib/core/base/egress/create-egress.ts";
import { Fault } from "#lib/core/base/fault.ts";

const signal = AbortSignal.timeout(20_000);

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Names that stand for what the test says, the next answer each time one is asked. */
function names(book: Record<string, string[]>) {
  const lookup = (host: string, _: unknown, done: (error: Error | null, found: unknown) => void) => {
    const known = book[host.replace(/\.$/, "")];
    const address = known?.length === 1 ? known[0] : known?.shift();
    if (address) done(null, [{ address, family: 4 }]);
    else done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }), []);
  };
  return lookup as never;
}

const dialler = (allowed: string[] = [], book: Record<string, string[]> = {}) =>
  createEgress({ agent: "proxy/test", allowed: () => allowed, lookup: names(book) });

const refused = (code: string, text: RegExp) => (error: unknown) =>
  error instanceof Fault && error.code === code && text.test(error.message);

test("what lies inside is refused before a byte is sent, however it is written", async (t) => {
  let asked = 0;
  const port = await serve(t, (_, res) => {
    asked++;
    res.end("secret");
  });
  const dial = dialler([], { "rebind.test": ["127.0.0.1"], "two.test": ["8.8.8.8", "127.0.0.1"] });
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `http://127.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f000001:${port}/`,
    `http://0177.0.0.1:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://rebind.test:${port}/`,
    `http://rebind.test.:${port}/`,
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
    "ftp://example.com/",
    "data:text/plain,hello",
    "gopher://127.0.0.1/",
    `http://user:pass@127.0.0.1:${port}/`,
  ])
    await assert.rejects(dial.fetch(url, { signal }), refused("address_refused", /outbound_allow/), url);
  assert.equal(asked, 0);
});

test("a host that is named is asked, and what it redirects to is checked again", async (t) => {
  const inner = await serve(t, (_, res) => res.end("inner"));
  const outer = await serve(t, (req, res) => {
    if (req.url === "/in") res.writeHead(302, { location: `http://127.0.0.1:${inner}/` }).end();
    else if (req.url === "/loop") res.writeHead(302, { location: "/loop" }).end();
    else if (req.url === "/once") res.writeHead(301, { location: "/here?x=1" }).end();
    else res.end(`${req.method} ${req.url} ${req.headers["user-agent"]}`);
  });
  const dial = dialler([], { "a.test": ["127.0.0.1"] });
  const allow = [`a.test:${outer}`];
  const at = (path: string) => `http://a.test:${outer}${path}`;

  const here = await dial.fetch(at("/once"), { signal, allow });
  assert.deepEqual([here.status, here.text, here.url], [200, "GET /here?x=1 proxy/test", at("/here?x=1")]);
  await assert.rejects(dial.fetch(at("/in"), { signal, allow }), refused("address_refused", /127\.0\.0\.1/));
  await assert.rejects(dial.fetch(at("/loop"), { signal, allow }), refused("fetch_failed", /more than 3 redirects/));
  await assert.rejects(dial.fetch(at("/once"), { signal, allow, redirects: 0 }), refused("fetch_failed", /redirect/));
});

test("a credential and a body stay with the host they were meant for", async (t) => {
  const heard: string[] = [];
  const other = await serve(t, (req, res) => {
    heard.push(`${req.method} ${req.headers.authorization ?? "-"} ${req.headers["x-other"] ?? "-"}`);
    res.end();
  });
  const first = await serve(t, (req, res) => {
    const code = req.url === "/see" ? 303 : 307;
    res.writeHead(code, { location: `http://127.0.0.1:${other}/` }).end();
  });
  const dial = dialler(["127.0.0.0/8"]);
  const headers = { Authorization: "Bearer s3cret", "X-Other": "1" };

  await dial.fetch(`http://127.0.0.1:${first}/see`, { signal, method: "POST", body: "code=1", headers });
  assert.deepEqual(heard, ["GET - 1"]);
  await assert.rejects(
    dial.fetch(`http://127.0.0.1:${first}/again`, { signal, method: "POST", body: "code=1", headers }),
    refused("address_refused", /another host/),
  );
});

test("an answer has a largest size, packed or not, and an end", async (t) => {
  const port = await serve(t, (req, res) => {
    if (req.url === "/bomb") res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1 << 20)));
    else if (req.url === "/packed") res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("hello"));
    else if (req.url === "/long") res.end(Buffer.alloc(5000));
    else if (req.url === "/odd") res.writeHead(200, { "content-encoding": "zstd" }).end("x");
    else res.write("never ");
  });
  const dial = dialler(["127.0.0.1"]);
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;

  assert.equal((await dial.fetch(at("/packed"), { signal })).text, "hello");
  for (const [path, reason, failure] of [
    ["/bomb", /larger than/, "too_large"],
    ["/long", /larger than 4000 bytes/, "too_large"],
    ["/odd", /content encoding zstd/, undefined],
  ] as const)
    await assert.rejects(
      dial.fetch(at(path), { signal, maxBytes: 4000 }),
      (error) => refused("fetch_failed", reason)(error) && (error as Fault).facts.failure === failure,
      path,
    );
  await assert.rejects(dial.fetch(at("/slow"), { signal, timeoutMs: 100 }), refused("fetch_failed", /within 100 ms/));
});

test("one that gives up waiting gets its own reason, and a host that is not there is named without its query", async (t) => {
  const port = await serve(t, (_, res) => res.write("never "));
  const own = new AbortController();
  const waiting = dialler(["127.0.0.1"]).fetch(`http://127.0.0.1:${port}/`, { signal: own.signal });
  own.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
  await assert.rejects(
    dialler().fetch("http://nowhere.test/a?key=s3cret", { signal }),
    (error) => refused("fetch_failed", /nowhere\.test\/a could not be fetched/)(error) && !/s3cret/.test(String(error)),
  );
});

test("a client that keeps its connection open uses it again, not after a failure, nor when another list applies", async (t) => {
  const ports: (number | undefined)[] = [];
  const port = await serve(t, (req, res) => {
    ports.push(req.socket.remotePort);
    if (req.url === "/cut") req.socket.destroy();
    else res.end("ok");
  });
  const allowed = ["127.0.0.1"];
  const book = { "collector.test": ["127.0.0.1"] };
  const kept = createEgress({ agent: "proxy/test", allowed: () => allowed, lookup: names(book) }).keepingOpen();
  t.after(() => kept.close());
  const fetched = (path: string) => kept.fetch(`http://collector.test:${port}${path}`, { signal });

  for (let i = 0; i < 3; i++) assert.equal((await fetched("/")).text, "ok");
  assert.equal(new Set(ports).size, 1, "one connection");
  await assert.rejects(fetched("/cut"), refused("fetch_failed", /closed|reset|socket/));
  assert.equal((await fetched("/")).text, "ok");
  assert.equal(new Set(ports).size, 2, "a new one after the failure");

  allowed[0] = "10.0.0.1";
  await assert.rejects(fetched("/"), refused("address_refused", /127\.0\.0\.1/));
  allowed[0] = "127.0.0.1";
  assert.equal((await fetched("/")).text, "ok");
  await kept.close();
  assert.equal((await fetched("/")).text, "ok", "after the end, each request has a connection of its own");
  assert.equal(new Set(ports).size, 3);
});
