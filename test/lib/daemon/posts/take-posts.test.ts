import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { type TestContext, test } from "node:test";
import type { ReceivedPost } from "#lib/core/mcp/received-post.ts";
import { sendJson } from "#lib/core/mcp/send-json.ts";
import { PostConnection, type PostConnectionOwner } from "#lib/daemon/posts/post-connection.ts";
import { takePosts } from "#lib/daemon/posts/take-posts.ts";
import { until } from "#test/kit/until.ts";

const post = (body = "{}") => `POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** A server that keeps the POSTs unanswered, in order of their arrival; `node:http` answers "node". */
async function serve(t: TestContext) {
  const server = createServer((req, res) => void req.resume().on("end", () => res.end("node")));
  const posts: ReceivedPost[] = [];
  const state = { isRetired: false, closed: 0 };
  const taken = takePosts(server, {
    takes: (target) => target.startsWith("/mcp"),
    answer: (one) => void posts.push(one),
    isRetired: () => state.isRetired,
    closed: () => void state.closed++,
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  t.after(() => {
    taken.closeAll();
    server.closeAllConnections();
    server.close();
  });
  const open = async (text = "") => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const client = { socket, received: "", isClosed: false };
    socket.setEncoding("utf8").on("data", (chunk) => {
      client.received += chunk;
    });
    socket
      .on("error", () => undefined)
      .on("close", () => {
        client.isClosed = true;
      });
    await once(socket, "connect");
    if (text !== "") socket.write(text);
    return client;
  };
  const arrived = async (count: number) => {
    await until(`${count} requests`, () => posts.length === count);
    return posts;
  };
  return { server, taken, state, posts, open, arrived };
}

test("responses are sent in the order of their requests", async (t) => {
  const { open, arrived } = await serve(t);
  const client = await open(post() + post() + post());
  const [first, second, third] = await arrived(3);

  sendJson(third!.response, 200, "3", []);
  sendJson(second!.response, 200, "2", []);
  sendJson(first!.response, 200, "1", []);

  await until("all are answered", () => client.received.split("HTTP/1.1 200").length === 4);
  assert.deepEqual(client.received.match(/\d(?=HTTP|$)/g), ["1", "2", "3"]);
});

test("a request for node:http behind others is answered after them", async (t) => {
  const { open, arrived } = await serve(t);
  const client = await open(`${post()}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const [first] = await arrived(1);
  sendJson(first!.response, 200, "mine", []);

  await until("the connection is closed", () => client.isClosed);
  assert.match(client.received, /^HTTP.*\r\n\r\nmineHTTP.*\r\n\r\nnode$/s);
});

test("a connection that is upgraded after a POST delivers its bytes to the listener of upgrades", async (t) => {
  const { server, open, arrived } = await serve(t);
  server.on("upgrade", (_, socket: Duplex) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    socket.on("data", (chunk: Buffer) => socket.write(`<${chunk}>`)).on("end", () => socket.end());
  });
  const client = await open(post());
  const [first] = await arrived(1);
  sendJson(first!.response, 200, "mine", []);
  client.socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");

  await until("the switch", () => client.received.includes("101 Switching"));
  for (const text of ["one", "two"]) {
    client.socket.write(text);
    await until("its echo", () => client.received.endsWith(`<${text}>`));
  }
  client.socket.end();
});

test("a client that leaves closes the responses that it does not have yet", async (t) => {
  const { open, arrived, state, taken } = await serve(t);
  for (const leaves of [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.end()]) {
    const client = await open(post() + post());
    const [first, second] = await arrived(2);
    const closed: boolean[] = [];
    for (const { response } of [first!, second!]) response.on("close", () => closed.push(response.writableFinished));

    leaves(client.socket);

    await until("both are closed", () => closed.length === 2);
    assert.deepEqual(closed, [false, false]);
    assert.equal(taken.isAnswering(), false);
    assert.equal(state.closed, 2);
    // What is written too late goes nowhere.
    sendJson(first!.response, 200, "late", []);
    state.closed = 0;
    (await arrived(2)).length = 0;
  }
});

test("a response counts as pending until it is sent, but not a stream that stays open", async (t) => {
  const { open, arrived, taken } = await serve(t);
  await open(post());
  const [first] = await arrived(1);
  assert.equal(taken.isAnswering(), true);

  first!.response.setHeader("content-type", "text/event-stream");
  assert.equal(taken.isAnswering(), false);
});

test("a retired listener answers with Connection: close and closes", async (t) => {
  const { open, arrived, state } = await serve(t);
  const client = await open(post());
  const [first] = await arrived(1);
  state.isRetired = true;
  sendJson(first!.response, 200, "bye", []);

  await until("it is closed", () => client.isClosed);
  assert.match(client.received, /\r\nConnection: close\r\n(?!Keep-Alive).*bye$/s);
});

test("draining closes connections that wait for their next request, and no others", async (t) => {
  const { open, arrived, taken } = await serve(t);
  const idle = await open(post());
  const unused = await open();
  const begun = await open(`${post()}POST /mcp HT`);
  const [first, third] = await arrived(2);
  const busy = await open(post());
  await arrived(3);
  sendJson(first!.response, 200, "1", []);
  sendJson(third!.response, 200, "3", []);
  await until("both are answered", () => idle.received !== "" && begun.received !== "");

  taken.closeIdle();

  await until("it is closed", () => idle.isClosed);
  assert.deepEqual([unused.isClosed, begun.isClosed, busy.isClosed], [false, false, false]);
});

test("a large response waits for its reader", async (t) => {
  const { open, arrived } = await serve(t);
  const client = await open(post());
  const [first] = await arrived(1);
  client.socket.pause();
  const text = "é".repeat(4_000_000);
  sendJson(first!.response, 200, text, []);
  await until("the buffers are full", () => first!.response.writableLength > 0);
  const waiting = first!.response.writableLength;
  assert.ok(waiting < 2_000_000, String(waiting));
  assert.equal(first!.response.writableFinished, false);

  client.socket.resume();

  await until("it is sent", () => first!.response.writableFinished);
  await until("it is read", () => client.received.endsWith(text));
});

test("an event stream is sent in chunks", async (t) => {
  const { open, arrived } = await serve(t);
  const client = await open(post());
  const [{ response }] = (await arrived(1)) as [ReceivedPost];
  response.writeHead(200, ["content-type", "text/event-stream"]);
  response.flushHeaders();
  await until("the head is there", () => client.received.endsWith("Transfer-Encoding: chunked\r\n\r\n"));
  response.write("data: é\n\n");
  await until("the first event is there", () => client.received.endsWith("\r\na\r\ndata: é\n\n\r\n"));
  response.write(Buffer.from("data: 2\n\n"));
  response.end();

  await until("the end is there", () => client.received.endsWith("\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n"));
  client.socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  await until("the connection is closed", () => client.received.endsWith("node"));
});

test("a header that would begin another header is not sent", async (t) => {
  const { open, arrived } = await serve(t);
  await open(post());
  const [{ response }] = (await arrived(1)) as [ReceivedPost];
  assert.throws(() => response.writeHead(200, ["x-a", "1\r\nx-b: 2"]), /invalid character/);
});

test("node:http reads a request whose rest does not come soon", async (t) => {
  const { open, posts } = await serve(t);
  const client = await open("POST /mcp HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{");
  await new Promise((later) => setTimeout(later, 1200));
  client.socket.write("}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

  await until("it is answered", () => client.isClosed);
  assert.deepEqual([client.received.match(/node/g)?.length, posts.length], [2, 0]);
});

test("a connection without a request is refused after the time for headers, and closed after the keep-alive time", () => {
  const refused: string[] = [];
  const answered: ReceivedPost[] = [];
  const owner: PostConnectionOwner = {
    isRetired: false,
    stallTimeoutMs: 1000,
    takes: () => true,
    answer: (one) => void answered.push(one),
    date: () => "now",
    opened: () => undefined,
    closed: () => undefined,
    handOver: () => undefined,
    refuse: (_, code) => void refused.push(code),
    stalled: () => undefined,
    left: () => undefined,
  };
  const duplex = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const socket = Object.assign(duplex, { setTimeout: () => duplex }) as unknown as Socket;
  const connection = new PostConnection(owner, socket);
  const now = performance.now();

  connection.checkWait(now + 59_000);
  assert.deepEqual(refused, []);
  connection.checkWait(now + 61_000);
  assert.deepEqual(refused, ["ERR_HTTP_REQUEST_TIMEOUT"]);
  socket.emit("data", Buffer.from(post()));
  connection.checkWait(now + 1_000_000);
  assert.equal(socket.destroyed, false);
  sendJson(answered[0]!.response, 200, "1", []);
  connection.checkWait(now + 179_000);
  assert.equal(socket.destroyed, false);
  connection.checkWait(now + 200_000);
  assert.equal(socket.destroyed, true);
});
