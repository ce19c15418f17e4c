import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { test } from "node:test";
import type { HttpRequest, ResponseControl } from "#lib/core/upstream/http/plain-http-connection.ts";
import { PlainHttpPool, requestHead } from "#lib/core/upstream/http/plain-http-pool.ts";
import { until } from "#test/kit/upstream.ts";

interface Outcome {
  status: number;
  body: string;
  error: string | undefined;
}

interface Made {
  pool: PlainHttpPool;
  /** The connections to the server, in order, and what each received. */
  sockets: Socket[];
  received: string[];
  post(body: string, options?: { path?: string; onData?: (control: ResponseControl) => void }): Promise<Outcome>;
}

/** A pool to a server that calls `answer` with each request. */
async function withPool(
  { connections = 8, answer }: { connections?: number; answer: (socket: Socket, request: string) => void },
  body: (made: Made) => Promise<void>,
) {
  const sockets: Socket[] = [];
  const received: string[] = [];
  const server = createServer((socket) => {
    const at = sockets.push(socket) - 1;
    received.push("");
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received[at] += chunk.toString();
      answer(socket, chunk.toString());
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const pool = new PlainHttpPool(new URL(`http://127.0.0.1:${port}/mcp`), { connections, connectTimeoutMs: 1000 });
  const post: Made["post"] = (text, { path = "/mcp", onData } = {}) =>
    new Promise((done) => {
      const outcome: Outcome = { status: 0, body: "", error: undefined };
      pool.dispatch(
        { method: "POST", path, headers: HEADERS, body: text },
        {
          onRequestStart() {},
          onResponseStart(_, status) {
            outcome.status = status;
          },
          onResponseData(control, chunk) {
            outcome.body += chunk.toString();
            onData?.(control);
          },
          onResponseEnd: () => done(outcome),
          onResponseError: (_, error) =>
            done({ ...outcome, error: (error as { code?: string }).code ?? error.message }),
        },
      );
    });
  try {
    await body({ pool, sockets, received, post });
  } finally {
    pool.destroy();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

const HEADERS = { accept: "x" };
const response = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const echo = (socket: Socket, request: string) =>
  socket.write(response(request.slice(request.indexOf("\r\n\r\n") + 4)));

test("requests follow each other on one connection, with their length in bytes", () =>
  withPool({ answer: echo }, async ({ sockets, received, post }) => {
    const bodies = ["a", "ü€😀", "b"];

    const outcomes = [];
    for (const body of bodies) outcomes.push(await post(body));

    assert.deepEqual(
      outcomes,
      bodies.map((body) => ({ status: 200, body, error: undefined })),
    );
    assert.equal(sockets.length, 1);
    const { port } = sockets[0]!.address() as AddressInfo;
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: keep-alive\r\naccept: x\r\n`;
    assert.equal(
      received[0],
      `${head}content-length: 1\r\n\r\na${head}content-length: 9\r\n\r\nü€😀${head}content-length: 1\r\n\r\nb`,
    );
  }));

test("concurrent requests take a connection each, up to the limit; others wait for one", () =>
  withPool({ connections: 2, answer: echo }, async ({ sockets, post }) => {
    const outcomes = await Promise.all(["a", "b", "c", "d", "e"].map((body) => post(body)));

    assert.deepEqual(
      outcomes.map(({ body }) => body),
      ["a", "b", "c", "d", "e"],
    );
    assert.equal(sockets.length, 2);
  }));

test("a connection is not used again after bytes that nobody asked for, or after the server closed it", () =>
  withPool({ answer: echo }, async ({ sockets, post }) => {
    await post("a");
    sockets[0]!.write(response("injected"));
    await until("the client hangs up", () => sockets[0]!.destroyed || sockets[0]!.readableEnded);
    const second = await post("b");
    sockets[1]!.end();
    await until("the client hangs up", () => sockets[1]!.destroyed || sockets[1]!.readableEnded);
    const third = await post("c");

    assert.deepEqual([second.body, third.body], ["b", "c"]);
    assert.equal(sockets.length, 3);
  }));

test("a request does not meet a connection that the server has just closed after a rest", () =>
  withPool({ answer: echo }, async ({ sockets, post }) => {
    await post("a");
    await new Promise((done) => setTimeout(done, 60));
    // The end is on its way when the next request begins, in the same turn of the event loop.
    sockets[0]!.destroy();
    const next = await post("b");

    assert.deepEqual(next, { status: 200, body: "b", error: undefined });
    assert.equal(sockets.length, 2);
  }));

test("bytes after a response end the connection and reach no other request", () =>
  withPool(
    { connections: 1, answer: (socket, request) => socket.write(response(request.slice(-1)) + response("injected")) },
    async ({ post }) => {
      const outcomes = await Promise.all([post("a"), post("b")]);

      assert.deepEqual(
        outcomes.map(({ body }) => body),
        ["a", "b"],
      );
    },
  ));

test("a response in many pieces arrives unchanged, also when its reader pauses", () => {
  const body = "0123456789€".repeat(20_000);
  const answer = async (socket: Socket) => {
    const bytes = Buffer.from(response(body));
    for (let at = 0; at < bytes.length; at += 30_011) {
      socket.write(bytes.subarray(at, at + 30_011));
      await new Promise((done) => setImmediate(done));
    }
  };
  return withPool({ answer }, async ({ pool }) => {
    const chunks: Buffer[] = [];
    await new Promise<void>((done, fail) =>
      pool.dispatch(
        { method: "POST", path: "/", headers: {}, body: "x" },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData(control, chunk) {
            chunks.push(Buffer.from(chunk));
            control.pause();
            setTimeout(() => control.resume(), 1);
          },
          onResponseEnd: done,
          onResponseError: (_, error) => fail(error),
        },
      ),
    );

    assert.equal(Buffer.concat(chunks).toString(), body);
  });
});

test("a request whose connection breaks, or whose response is no HTTP, fails, and the next one uses another connection", () =>
  withPool(
    {
      answer(socket, request) {
        if (request.endsWith("cut")) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
        else if (request.endsWith("reset")) socket.resetAndDestroy();
        else if (request.endsWith("other")) socket.write("SSH-2.0-x\r\n\r\n");
        else echo(socket, request);
      },
    },
    async ({ post }) => {
      const outcomes = [];
      for (const body of ["cut", "reset", "other", "fine"]) outcomes.push(await post(body));

      assert.deepEqual(
        outcomes.map(({ error }) => error),
        [
          "UND_ERR_SOCKET",
          "ECONNRESET",
          "its response is not valid HTTP: it does not begin with a status line",
          undefined,
        ],
      );
    },
  ));

test("an aborted request closes its connection, and a waiting request gets another one", () =>
  withPool(
    { connections: 1, answer: (socket, request) => !request.endsWith("late") && echo(socket, request) },
    async ({ pool, sockets, post }) => {
      let control: ResponseControl | undefined;
      const late = new Promise<Error>((done) =>
        pool.dispatch(
          { method: "POST", path: "/", headers: {}, body: "late" },
          {
            onRequestStart(given) {
              control = given;
            },
            onResponseStart() {},
            onResponseData() {},
            onResponseEnd() {},
            onResponseError: (_, error) => done(error),
          },
        ),
      );
      const waiting = post("next");
      await until("the first is sent", () => sockets.length === 1);
      control!.abort(new Error("gone"));

      assert.equal((await late).message, "gone");
      assert.equal((await waiting).body, "next");
      assert.equal(sockets.length, 2);
    },
  ));

test("a closed pool rejects the requests in it and later ones, and a closed port is reported as such", () =>
  withPool({ connections: 1, answer() {} }, async ({ pool, sockets, post }) => {
    const posts = [post("a"), post("b")];
    await until("the first is sent", () => sockets.length === 1);
    pool.destroy();
    posts.push(post("c"));
    const closed = new PlainHttpPool(new URL("http://127.0.0.1:1/"), { connections: 1, connectTimeoutMs: 1000 });
    const refused = new Promise<unknown>((done) =>
      closed.dispatch(
        { method: "POST", path: "/", headers: {}, body: "x" },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData() {},
          onResponseEnd() {},
          onResponseError: (_, error) => done((error as { code?: string }).code),
        },
      ),
    );

    const errors = (await Promise.all(posts)).map(({ error }) => error);

    assert.deepEqual(errors, Array(3).fill("UND_ERR_DESTROYED"));
    assert.equal(await refused, "ECONNREFUSED");
  }));

test("requests without a body, and with a body in pieces, are sent on the same connection", () =>
  withPool({ answer: (socket) => socket.write(response("ok")) }, async ({ pool, received }) => {
    const pieces = ["€uro", "s"].map((text) => Buffer.from(text));
    const requests: HttpRequest[] = [
      { method: "GET", path: "/a", headers: HEADERS },
      { method: "POST", path: "/b", headers: HEADERS, body: { pieces, sizeBytes: 7 } },
      { method: "DELETE", path: "/c", headers: {} },
    ];

    for (const request of requests)
      await new Promise<void>((done, fail) =>
        pool.dispatch(request, {
          onRequestStart() {},
          onResponseStart() {},
          onResponseEnd: done,
          onResponseError: (_, error) => fail(error),
        }),
      );

    const [host] = /host: .*\r\n/.exec(received[0]!)!;
    const common = `${host}connection: keep-alive\r\n`;
    assert.deepEqual(received, [
      `GET /a HTTP/1.1\r\n${common}accept: x\r\n\r\n` +
        `POST /b HTTP/1.1\r\n${common}accept: x\r\ncontent-length: 7\r\n\r\n€uros` +
        `DELETE /c HTTP/1.1\r\n${common}\r\n`,
    ]);
  }));

test("a connection is not used again if the server answered before it had the whole request", () => {
  const body = { pieces: Array.from({ length: 64 }, () => Buffer.alloc(1 << 20)), sizeBytes: 64 << 20 };
  const answer = (socket: Socket) => {
    socket.pause();
    if (socket.bytesWritten === 0) socket.write(response("early"));
  };
  return withPool({ answer }, async ({ pool, sockets }) => {
    const read = () =>
      new Promise<void>((done, fail) =>
        pool.dispatch(
          { method: "POST", path: "/", headers: {}, body },
          {
            onRequestStart() {},
            onResponseStart() {},
            onResponseEnd: done,
            onResponseError: (_, error) => fail(error),
          },
        ),
      );

    await read();
    await read();

    assert.equal(sockets.length, 2);
  });
});

test("a head that would begin another header or request is not sent", () => {
  const BAD: [path: string, headers: Record<string, string>][] = [
    ["/a b", {}],
    ["/a\r\n", {}],
    ["a", {}],
    ["/", { a: "b\r\nc: d" }],
    ["/", { a: "b\n" }],
    ["/", { a: "b\0" }],
    ["/", { a: "€" }],
    ["/", { "a:b": "c" }],
    ["/", { "": "c" }],
  ];

  for (const [path, headers] of BAD)
    assert.throws(() => requestHead("POST", path, "h", headers), /invalid/, JSON.stringify([path, headers]));
  assert.equal(
    requestHead("POST", "/a?b", "h", { host: "other", c: "d é" }),
    "POST /a?b HTTP/1.1\r\nconnection: keep-alive\r\nhost: other\r\nc: d é\r\n",
  );
});
