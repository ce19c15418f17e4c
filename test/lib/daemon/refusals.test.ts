import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { refuseUnreadable, unreadableMessage, unsupportedMessage } from "#lib/daemon/refusals.ts";

const HOST = { host: "localhost" };

for (const [what, httpVersion, headers, status] of [
  ["a request", "1.1", HOST, undefined],
  ["a request in chunks", "1.1", { ...HOST, "transfer-encoding": "Chunked" }, undefined],
  ["a request of HTTP/1.0 without Host", "1.0", {}, undefined],
  ["a request without Host", "1.1", {}, 400],
  ["a request with an unknown transfer coding", "1.1", { ...HOST, "transfer-encoding": "gzip" }, 501],
  ["a request with two transfer codings", "1.1", { ...HOST, "transfer-encoding": "gzip, chunked" }, 501],
  ["a request with an empty transfer coding", "1.1", { ...HOST, "transfer-encoding": "" }, 501],
] as const)
  test(`${what} is ${status === undefined ? "read" : `refused with ${status}`}`, () => {
    assert.equal(unsupportedMessage({ httpVersion, headers })?.[0], status);
  });

for (const [code, status] of [
  ["HPE_HEADER_OVERFLOW", 431],
  ["ERR_HTTP_REQUEST_TIMEOUT", 408],
  ["HPE_INVALID_METHOD", 400],
  [undefined, 400],
] as const)
  test(`data that is no request is refused with ${status} after the error ${code}`, () => {
    assert.equal(unreadableMessage(code)[0], status);
  });

test("a connection that the client has reset gets no answer", () => {
  const written: string[] = [];
  const socket = () =>
    new Writable({
      write(chunk, _encoding, done) {
        written.push(String(chunk));
        done();
      },
    }) as never;

  refuseUnreadable(Object.assign(new Error(), { code: "ECONNRESET" }), socket());
  assert.deepEqual(written, []);
  refuseUnreadable(Object.assign(new Error(), { code: "HPE_INVALID_METHOD" }), socket());

  const [head = "", body = ""] = written.join("").split("\r\n\r\n");
  assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(head, new RegExp(`Content-Length: ${body.length}\\b`));
  assert.equal(JSON.parse(body).success, false);
});
