import assert from "node:assert/strict";
import { test } from "node:test";
import { ResponseDefect, type ResponseHeaders, ResponseParser } from "#lib/core/upstream/http/response-parser.ts";

interface Read {
  status: number;
  headers: ResponseHeaders;
  body: string;
  ended: boolean;
  keepsAlive: boolean;
  rest: string;
}

/** Parses a text that arrives in pieces of the given size, and then perhaps the end of the connection. */
function parse(text: string, pieceBytes: number, closed = false): Read {
  const read: Read = { status: 0, headers: {}, body: "", ended: false, keepsAlive: false, rest: "" };
  const parser = new ResponseParser({
    onHead(status, headers) {
      read.status = status;
      read.headers = headers;
    },
    onBody(chunk) {
      read.body += chunk.toString("latin1");
    },
    onEnd() {
      read.ended = true;
    },
  });
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    // Each piece is in memory that is used again, as in a connection.
    const piece = Buffer.from(bytes.subarray(at, at + pieceBytes));
    read.rest += parser.feed(piece)?.toString("latin1") ?? "";
    piece.fill("#");
  }
  if (closed) parser.close();
  read.keepsAlive = parser.keepsAlive;
  return read;
}

const OK = "HTTP/1.1 200 OK\r\n";
const SIZES = [1, 2, 3, 7, 64, 100_000];

const VALID: [name: string, text: string, expected: Partial<Read>, closed?: boolean][] = [
  ["a length", `${OK}Content-Length: 5\r\n\r\nhello`, { status: 200, body: "hello", ended: true, keepsAlive: true }],
  ["no body", `${OK}content-length: 0\r\n\r\n`, { body: "", ended: true, keepsAlive: true }],
  ["no reason", "HTTP/1.1 202\r\ncontent-length: 0\r\n\r\n", { status: 202, ended: true }],
  ["a cut body", `${OK}content-length: 6\r\n\r\nhello`, { body: "hello", ended: false }],
  ["a cut body, closed", `${OK}content-length: 6\r\n\r\nhello`, { body: "hello", ended: false }, true],
  ["no length", `${OK}\r\nhello`, { body: "hello", ended: false, keepsAlive: false }],
  ["no length, closed", `${OK}\r\nhello`, { body: "hello", ended: true, keepsAlive: false }, true],
  ["status 204", "HTTP/1.1 204 No Content\r\n\r\n", { status: 204, ended: true, keepsAlive: true }],
  [
    "chunks with an extension and a trailer",
    `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nX-Sum: 1\r\n\r\n`,
    { body: "hello!", ended: true, keepsAlive: true },
  ],
  ["cut chunks", `${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`, { body: "hello", ended: false }, true],
  [
    "an interim response",
    `HTTP/1.1 103 Hints\r\nlink: x\r\n\r\n${OK}content-length: 1\r\n\r\n!`,
    { status: 200, body: "!" },
  ],
  ["connection: close", `${OK}Connection: close\r\ncontent-length: 1\r\n\r\n!`, { ended: true, keepsAlive: false }],
  ["HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\n!", { ended: true, keepsAlive: false }],
  [
    "HTTP/1.0 that stays open",
    "HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 1\r\n\r\n!",
    { ended: true, keepsAlive: true },
  ],
  ["white space around a value", `${OK}a: \t b c \t\r\ncontent-length: 0\r\n\r\n`, { ended: true }],
  ["a second response that nobody asked for", `${OK}content-length: 1\r\n\r\n!HTTP`, { body: "!", rest: "HTTP" }],
];

for (const [name, text, expected, closed] of VALID)
  test(`a response is read however it is cut: ${name}`, () => {
    for (const size of SIZES) {
      const read = parse(text, size, closed);

      for (const [key, value] of Object.entries(expected)) assert.deepEqual(read[key as keyof Read], value, key);
    }
  });

test("headers are read by their lower-case names; a repeated one is a list", () => {
  const { headers } = parse(
    `${OK}Content-Type: a; b\r\nWWW-Authenticate: x\r\nwww-authenticate: y\r\nEmpty:\r\nconstructor: z\r\ncontent-length: 0\r\n\r\n`,
    100,
  );

  assert.deepEqual(
    { ...headers },
    {
      "content-type": "a; b",
      "www-authenticate": ["x", "y"],
      empty: "",
      constructor: "z",
      "content-length": "0",
    },
  );
});

const INVALID: [name: string, text: string][] = [
  ["other text", "SSH-2.0-OpenSSH\r\n\r\n"],
  ["another version", "HTTP/2 200 OK\r\n\r\n"],
  ["a status of two digits", "HTTP/1.1 99 x\r\n\r\n"],
  ["a switch of protocols", "HTTP/1.1 101 x\r\nupgrade: x\r\n\r\n"],
  ["both a length and chunks", `${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`],
  ["two lengths", `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\n`],
  ["a length with a sign", `${OK}content-length: +1\r\n\r\n`],
  ["another encoding", `${OK}transfer-encoding: gzip, chunked\r\n\r\n`],
  ["chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"],
  ["a folded header", `${OK}a: b\r\n c\r\n\r\n`],
  ["a space before the colon", `${OK}content-length : 1\r\n\r\n`],
  ["a bare line feed", `${OK}a: b\ncontent-length: 1\r\n\r\n`],
  ["a header without a colon", `${OK}abc\r\n\r\n`],
  ["a chunk that is longer than its size", `${OK}transfer-encoding: chunked\r\n\r\n1\r\nab\r\n`],
  ["a size that is no number", `${OK}transfer-encoding: chunked\r\n\r\nx\r\n`],
  ["a size that is too large", `${OK}transfer-encoding: chunked\r\n\r\n100000000\r\n`],
  ["a head without an end", `${OK}a: ${"b".repeat(20_000)}`],
  ["a head that is too long", `${OK}a: ${"b".repeat(20_000)}\r\n\r\n`],
  ["a trailer without an end", `${OK}transfer-encoding: chunked\r\n\r\n0\r\n${"a: b\r\n".repeat(5000)}`],
  ["interim responses without an end", "HTTP/1.1 103 x\r\n\r\n".repeat(20)],
];

for (const [name, text] of INVALID)
  test(`a response that violates HTTP is rejected however it is cut: ${name}`, () => {
    for (const size of [7, 1000, 100_000]) assert.throws(() => parse(text, size), ResponseDefect, `pieces of ${size}`);
  });

test("a paused parser reports nothing until it is resumed, not even the end", () => {
  const events: string[] = [];
  const parser = new ResponseParser({
    onHead: () => void events.push("head"),
    onBody(chunk) {
      events.push(chunk.toString());
      parser.isPaused = true;
    },
    onEnd: () => void events.push("end"),
  });

  const rest = parser.feed(Buffer.from(`${OK}transfer-encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n`));
  const before = [...events];
  parser.isPaused = false;
  const more = parser.feed(rest!);
  parser.isPaused = false;
  parser.feed(more!);
  const chunked = [...events];
  parser.next();
  events.length = 0;
  parser.feed(Buffer.from(`${OK}content-length: 1\r\n\r\nc`));
  const fixed = [...events];
  parser.isPaused = false;
  parser.feed(Buffer.alloc(0));

  assert.deepEqual(before, ["head", "a"]);
  assert.deepEqual(chunked, ["head", "a", "b", "end"]);
  assert.deepEqual(fixed, ["head", "c"]);
  assert.deepEqual(events, ["head", "c", "end"]);
});
