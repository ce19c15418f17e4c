import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { router } from "#handlers/router.ts";
import { type Listeners, listen } from "#lib/daemon/listen.ts";
import { TEST_KEY, type TestApp, testApp } from "#test/kit/app.ts";
import { INITIALIZE } from "#test/kit/mcp.ts";
import { type Random, seeded } from "#test/kit/random.ts";

/** Other ways to cut the bytes: PROXY_TEST_SEED=7 npm test -- test/lib/daemon/posts */
const SEED = Number(process.env.PROXY_TEST_SEED ?? 1);
const CUTS = 6;

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const USUAL = {
  Host: "127.0.0.1",
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "X-Request-Id": "r-1",
};

interface Parts {
  line?: string;
  /** In place of the usual headers of the same names; undefined removes one. */
  headers?: Record<string, string | undefined>;
  /** Further lines, each with its line end. */
  lines?: string;
  body?: string | Buffer;
}

/** A POST to an MCP endpoint, usual except for what the parts say. */
function post({ line = "POST /mcp HTTP/1.1", headers = {}, lines = "", body = PING }: Parts = {}): Buffer {
  const all = { ...USUAL, "Content-Length": String(Buffer.byteLength(body)), ...headers };
  const fields = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  return Buffer.concat([
    Buffer.from(`${line}\r\n${fields.join("")}${lines}\r\n`, "latin1"),
    Buffer.isBuffer(body) ? body : Buffer.from(body),
  ]);
}

const all = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));

/** Follows each row, so that the server closes the connection. */
const LAST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: last\r\nConnection: close\r\n\r\n";
const NEWER = {
  jsonrpc: "2.0",
  id: 4,
  method: "tools/list",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};
const NEWER_HEADERS = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" };

/** What is sent, and how many POSTs of it are read without `node:http`; `closes` if it makes the server close. */
const ROWS: Record<string, [bytes: Buffer, taken: number, closes?: "closes"]> = {
  "a ping": [post(), 1],
  "three pings at once": [all(post(), post(), post()), 3],
  "more pings at once than are answered at once": [all(...Array.from({ length: 40 }, () => post())), 40],
  "another request behind a call that takes a while": [
    all(post({ body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' }), post()),
    2,
  ],
  initialize: [post({ body: JSON.stringify(INITIALIZE) }), 1],
  "a request of 2026-07-28": [post({ headers: NEWER_HEADERS, body: JSON.stringify(NEWER) }), 1],
  "a request of 2026-07-28 whose headers differ": [
    post({ headers: { ...NEWER_HEADERS, "Mcp-Method": "ping" }, body: JSON.stringify(NEWER) }),
    1,
  ],
  "a notification": [post({ body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }), 1],
  "a batch": [post({ body: `[${PING},${PING}]` }), 1],
  "a client that accepts only event streams": [post({ headers: { Accept: "text/event-stream" } }), 1],
  "two event streams and a ping": [
    all(
      post({ headers: { Accept: "text/event-stream" } }),
      post({ headers: { Accept: "text/event-stream" }, body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' }),
      post(),
    ),
    3,
  ],
  "text that is not ASCII": [post({ body: '{"jsonrpc":"2.0","id":"é🦊\ufffd","method":"ping"}' }), 1],
  "a body that is not UTF-8": [post({ body: Buffer.from([0x22, 0xc3, 0x28, 0x22]) }), 1],
  "a body that is not JSON": [post({ body: "{" }), 1],
  "an empty body": [post({ body: "" }), 1],
  "an unknown session": [post({ headers: { "Mcp-Session-Id": "nope" } }), 1],
  "an unknown protocol version": [post({ headers: { "MCP-Protocol-Version": "1999-01-01" } }), 1],
  "no Content-Type": [post({ headers: { "Content-Type": undefined } }), 1],
  "another Content-Type": [post({ headers: { "Content-Type": "text/plain" } }), 1],
  "an Accept that no response matches": [post({ headers: { Accept: "text/html" } }), 1],
  "no Accept": [post({ headers: { Accept: undefined } }), 1],
  "a key": [post({ headers: { "X-API-Key": TEST_KEY } }), 1],
  "a wrong key": [post({ headers: { "X-API-Key": "wrong" } }), 1],
  "a wrong bearer token": [post({ headers: { Authorization: "Bearer eyJhbGciOiJub25lIn0.e30." } }), 1],
  "a cookie": [post({ headers: { Cookie: "a=b; c=d" } }), 1],
  "a wrong key in the query": [post({ line: "POST /mcp?apikey=wrong HTTP/1.1" }), 1],
  "other endpoints": [
    all(...["/mcp/", "/mcp/all", "/mcp/call", "/all/mcp"].map((path) => post({ line: `POST ${path} HTTP/1.1` }))),
    4,
  ],
  "an unknown profile": [post({ line: "POST /mcp/p/nope HTTP/1.1" }), 1],
  "an unknown profile in a header": [post({ headers: { "X-MCP-Profile": "nope" } }), 1],
  "a foreign Host": [post({ headers: { Host: "evil.example" } }), 1],
  "Connection: keep-alive": [post({ headers: { Connection: "Keep-Alive" } }), 1],
  "forwarding headers": [post({ headers: { "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https" } }), 1],
  "a trace context": [post({ headers: { Traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` } }), 1],

  "Connection: close": [post({ headers: { Connection: "close" } }), 0, "closes"],
  "a foreign Origin": [post({ headers: { Origin: "http://evil.example" } }), 0],
  "its own Origin": [post({ headers: { Origin: "http://127.0.0.1" } }), 0],
  "no Host": [post({ headers: { Host: undefined } }), 0],
  "two Hosts": [post({ lines: "Host: 127.0.0.1\r\n" }), 0],
  "a header twice": [post({ lines: "Accept: */*\r\n" }), 0],
  "Content-Length twice, equal": [post({ lines: `Content-Length: ${PING.length}\r\n` }), 0],
  "Content-Length twice, different": [post({ lines: "Content-Length: 1\r\n" }), 0],
  "Content-Length as a list": [post({ headers: { "Content-Length": `${PING.length}, ${PING.length}` } }), 0],
  "Content-Length with a sign": [post({ headers: { "Content-Length": `+${PING.length}` } }), 0],
  "Content-Length in hexadecimal digits": [post({ headers: { "Content-Length": "0x28" } }), 0],
  "Content-Length with a zero before it": [post({ headers: { "Content-Length": `0${PING.length}` } }), 0],
  "Content-Length that is negative": [post({ headers: { "Content-Length": "-1" } }), 0],
  "Content-Length that is empty": [post({ headers: { "Content-Length": "" } }), 0],
  "Content-Length with a decimal point": [post({ headers: { "Content-Length": `${PING.length}.0` } }), 0],
  "Content-Length that is too long for a number": [post({ headers: { "Content-Length": "9".repeat(30) } }), 0],
  "no Content-Length": [post({ headers: { "Content-Length": undefined }, body: "" }), 0],
  chunks: [
    post({
      headers: { "Content-Length": undefined, "Transfer-Encoding": "chunked" },
      body: `${PING.length.toString(16)}\r\n${PING}\r\n0\r\n\r\n`,
    }),
    0,
  ],
  "chunks and Content-Length": [post({ headers: { "Transfer-Encoding": "chunked" }, body: "0\r\n\r\n" }), 0],
  "Transfer-Encoding: identity": [post({ headers: { "Transfer-Encoding": "identity" } }), 0],
  "Transfer-Encoding with a space before the colon": [post({ lines: "Transfer-Encoding : chunked\r\n" }), 0],
  "a folded header": [post({ lines: "X-A: 1\r\n 2\r\n" }), 0],
  "a folded Transfer-Encoding": [post({ lines: "Transfer-Encoding:\r\n chunked\r\n" }), 0],
  "a header line that ends with LF": [post({ lines: "X-A: 1\nTransfer-Encoding: chunked\r\n" }), 0],
  "a header line with a lone CR": [post({ lines: "X-A: 1\rTransfer-Encoding: chunked\r\n" }), 0],
  "only LF": [all(post().toString("latin1").replaceAll("\r\n", "\n")), 0],
  "NUL in a header": [post({ headers: { "X-A": "a\0b" } }), 0],
  "a header that is not ASCII": [post({ headers: { "X-A": "é" } }), 0],
  "a tab in a header": [post({ headers: { "X-A": "a\tb" } }), 0],
  "spaces around a header": [post({ headers: { "X-A": "  a  " } }), 0],
  "an empty header": [post({ headers: { "X-A": "" } }), 0],
  "no space after the colon": [post({ lines: "X-A:1\r\n" }), 0],
  "a header without a name": [post({ lines: ": 1\r\n" }), 0],
  "a header without a colon": [post({ lines: "X-A\r\n" }), 0],
  "a header named __proto__": [post({ lines: "__proto__: 1\r\n" }), 0],
  "Expect: 100-continue": [post({ headers: { Expect: "100-continue" } }), 0],
  "another Expect": [post({ headers: { Expect: "200-ok" } }), 0],
  Upgrade: [post({ headers: { Connection: "Upgrade, close", Upgrade: "websocket" } }), 0, "closes"],
  "Upgrade to HTTP/2": [post({ headers: { Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" } }), 0],
  "a trailer": [post({ headers: { Trailer: "X-A" } }), 0],
  "a large head": [post({ headers: { "X-A": "a".repeat(9000) } }), 0],
  "a head that is too large": [post({ headers: { "X-A": "a".repeat(70_000) } }), 0],
  "a large body": [post({ body: JSON.stringify({ jsonrpc: "2.0", id: "x".repeat(70_000), method: "ping" }) }), 0],
  "HTTP/1.0": [post({ line: "POST /mcp HTTP/1.0" }), 0, "closes"],
  "HTTP/1.2": [post({ line: "POST /mcp HTTP/1.2" }), 0],
  "HTTP/2": [all("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 0],
  "a method in lower case": [post({ line: "post /mcp HTTP/1.1" }), 0],
  "an empty line before it": [all("\r\n", post()), 0],
  "two spaces in the first line": [post({ line: "POST  /mcp HTTP/1.1" }), 0],
  "a complete URL": [post({ line: "POST http://127.0.0.1/mcp HTTP/1.1" }), 0],
  "a backslash": [post({ line: "POST \\mcp HTTP/1.1" }), 0],
  "an encoded path": [post({ line: "POST /%6dcp HTTP/1.1" }), 0],
  "a path with two slashes": [post({ line: "POST //mcp HTTP/1.1" }), 0],
  "a path that leads elsewhere": [post({ line: "POST /mcp/../api/v1/status HTTP/1.1" }), 0],
  "a fragment": [post({ line: "POST /mcp#x HTTP/1.1" }), 0],
  "another path": [post({ line: "POST /api/v1/servers HTTP/1.1", headers: { "X-API-Key": TEST_KEY } }), 0],
  "an unknown path": [post({ line: "POST /mcp/nope HTTP/1.1" }), 0],
  "no HTTP": [all("this is no HTTP\r\n\r\n"), 0],
  TLS: [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]), 0],
  "a ping, then a GET": [all(post(), "GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: r-2\r\n\r\n"), 1],
  "a ping, then chunks, then a ping": [
    all(
      post(),
      post({ headers: { "Content-Length": undefined, "Transfer-Encoding": "chunked" }, body: "0\r\n\r\n" }),
      post(),
    ),
    1,
  ],
  "a call, then OPTIONS": [
    all(
      post({ body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' }),
      "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: r-2\r\n\r\n",
    ),
    1,
  ],
};

/** The same App behind a listener that reads POSTs itself, and one that does not. */
let app: TestApp;
let close: () => Promise<void>;
const ports: Record<"posts" | "node", number> = { posts: 0, node: 0 };
let taken = 0;

before(async () => {
  app = await testApp({ connect: false });
  const { node, posts, close: closeRouter } = router(app);
  const listeners: Listeners[] = [];
  const open = async (handlers: Parameters<typeof listen>[1]) => {
    listeners.push(await listen(app, handlers));
    return Number(new URL(`http://${app.boot.listenAddr}`).port);
  };
  ports.node = await open({ node });
  const answer: typeof posts.answer = (...one) => {
    taken++;
    posts.answer(...one);
  };
  ports.posts = await open({ node, posts: { ...posts, answer } });
  close = async () => {
    await closeRouter();
    for (const one of listeners) await one.close();
    await app.close();
  };
});
after(() => close());

for (const [what, [bytes, wanted, closes]] of Object.entries(ROWS))
  test(`the answer is that of node:http, however the bytes are cut: ${what}`, async () => {
    const sent = closes ? bytes : all(bytes, LAST);
    const random = seeded(SEED);
    const expected = await exchange(ports.node, [sent]);
    assert.match(expected, /^HTTP\/1\.1 /);

    taken = 0;
    assert.equal(await exchange(ports.posts, [sent]), expected);
    assert.equal(taken, wanted);
    for (let i = 0; i < CUTS; i++) {
      const pieces = cut(sent, random, i % 2 === 0 ? 3 : 12);
      assert.equal(await exchange(ports.posts, pieces), expected, String(pieces.map(({ length }) => length)));
    }
  });

test("a request that is cut off is answered as by node:http", async () => {
  const whole = all(post(), post());
  for (const length of [0, 3, 60, post().length - 1, post().length, post().length + 1, whole.length - 1]) {
    const cutOff = whole.subarray(0, length);
    const expected = await exchange(ports.node, [cutOff], { ends: true });
    assert.equal(await exchange(ports.posts, [cutOff], { ends: true }), expected, String(length));
  }
});

test("what follows an answered request is read as by node:http", async () => {
  const rest = {
    "no HTTP": "\0\0\0\0",
    "the rest of a body that is longer than its Content-Length": PING,
    "the rest, which looks like a request": "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "a request with Connection: close": post({ headers: { Connection: "close" } }),
  };
  for (const [what, next] of Object.entries(rest)) {
    const pieces = [post(), all(next)];
    const expected = await exchange(ports.node, pieces, { waits: true });
    assert.equal(await exchange(ports.posts, pieces, { waits: true }), expected, what);
  }
});

/** Sends pieces in separate turns of the event loop. Returns what comes until the server closes, without what differs each time. */
function exchange(port: number, pieces: readonly Buffer[], { ends = false, waits = false } = {}): Promise<string> {
  return new Promise((done, fail) => {
    const received: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        await new Promise((sent) => socket.write(piece, sent));
        await new Promise((turn) => (waits ? socket.once("data", turn) : setImmediate(turn)));
      }
      if (ends) socket.end();
    });
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    // The server may close the connection while more is sent to it.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") fail(error);
    });
    socket.on("close", () => done(comparable(Buffer.concat(received).toString())));
    socket.setTimeout(10_000, () => socket.destroy(new Error("no end")));
  });
}

const comparable = (text: string) =>
  text
    .replace(/^Date: .*$/gm, "Date: …")
    .replace(/^mcp-session-id: .*$/gim, "mcp-session-id: …")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…");

function cut(bytes: Buffer, random: Random, most: number): Buffer[] {
  const at = Array.from({ length: 1 + random.below(most) }, () => random.below(bytes.length));
  const cuts = [0, ...at, bytes.length].sort((a, b) => a - b);
  return cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end));
}
