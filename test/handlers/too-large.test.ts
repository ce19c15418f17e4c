import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { listenTest, withApp } from "#test/kit/app.ts";

/** Sends a whole request before it reads, as simple clients do, and answers what came back. */
function writeThenRead(
  url: string,
  head: string,
  chunk: Uint8Array,
  chunks: number,
  pauseMs?: number,
): Promise<string> {
  return new Promise((answered, failed) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on("error", failed);
    let text = "";
    let left = chunks;
    const write = () => {
      while (left > 0) {
        left--;
        if (!socket.write(chunk)) return void socket.once("drain", write);
        if (pauseMs !== undefined) return void setTimeout(write, pauseMs);
      }
      socket.on("data", (data) => {
        text += data;
      });
      socket.on("close", () => answered(text));
    };
    socket.write(head);
    write();
  });
}

/** Sends the head and a little, pauses for longer than the proxy waits, sends the rest, and then reads. */
function pauseThenRead(url: string, head: string, size: number): Promise<string> {
  return new Promise((answered, failed) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on("error", failed);
    const first = 1000;
    socket.write(head);
    socket.write(Buffer.alloc(first, 120));
    setTimeout(() => {
      socket.write(Buffer.alloc(size - first, 120), () => {
        let text = "";
        socket.on("data", (data) => {
          text += data;
        });
        socket.on("close", () => answered(text));
      });
    }, 2500);
  });
}

test("a client that sends a body that is too large reads the refusal, instead of a broken connection", () =>
  withApp({ connect: false }, async (app) => {
    const { url, key, close } = await listenTest(app);
    const size = 24 << 20;
    const head = [
      "POST /api/v1/tokens HTTP/1.1",
      `Host: ${new URL(url).host}`,
      `X-API-Key: ${key}`,
      "Content-Type: application/json",
      `Content-Length: ${size}`,
      "",
      "",
    ].join("\r\n");

    const text = await writeThenRead(url, head, new Uint8Array(1 << 20).fill(120), 24).finally(close);

    assert.match(text, /^HTTP\/1\.1 413 /);
    assert.match(text, /connection: close/i);
    assert.match(text, /request body is larger than 1048576 bytes/);
  }));

test("a client that still sends a message which the proxy has no room for reads the refusal, however long it sends", () =>
  withApp({ connect: false, config: { max_request_memory_mb: 1 } }, async (app) => {
    const { url, key, close } = await listenTest(app);
    const [chunkBytes, chunks] = [100_000, 28];
    const head = [
      "POST /mcp HTTP/1.1",
      `Host: ${new URL(url).host}`,
      `X-API-Key: ${key}`,
      "Connection: close",
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      `Content-Length: ${chunkBytes * chunks}`,
      "",
      "",
    ].join("\r\n");

    const text = await writeThenRead(url, head, new Uint8Array(chunkBytes).fill(120), chunks, 100).finally(close);

    assert.match(text, /^HTTP\/1\.1 503 /);
    assert.match(text, /retry-after: 1/i);
  }));

for (const [name, path, size, status] of [
  ["a message that is too large", "/mcp", 24 << 20, 413],
  ["a message that the proxy has no room for", "/mcp", 4 << 20, 503],
  ["a REST request that is too large", "/api/v1/tokens", 24 << 20, 413],
  ["a REST request that the proxy has no room for", "/api/v1/tools/call", 4 << 20, 503],
] as const)
  test(`a client that pauses in the middle of ${name}, and sends the rest before it reads, reads the refusal`, () =>
    withApp({ connect: false, config: { max_request_memory_mb: 1 } }, async (app) => {
      const { url, key, close } = await listenTest(app);
      const head = [
        `POST ${path} HTTP/1.1`,
        `Host: ${new URL(url).host}`,
        `X-API-Key: ${key}`,
        "Connection: close",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        `Content-Length: ${size}`,
        "",
        "",
      ].join("\r\n");

      const text = await pauseThenRead(url, head, size).finally(close);

      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(text, /"code":"(server_busy|body_too_large)"|may have at most/);
    }));
