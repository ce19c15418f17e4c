import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import { test } from "node:test";
import { router } from "#handlers/router.ts";
import { eventStreams } from "#lib/core/api/event-stream/open-event-stream.ts";
import { listen } from "#lib/daemon/listen.ts";
import { stop } from "#lib/daemon/stop.ts";
import { listenTest, TEST_KEY, testApp, withApp } from "#test/kit/app.ts";
import { eventFrames } from "#test/kit/frames.ts";
import { ask } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

interface Stream {
  response: IncomingMessage;
  /** All that came. */
  text: string;
  end(): void;
}

/** Opens a stream as a client would; `paused` does not read it. */
function open(
  url: string,
  {
    method = "GET",
    headers = {},
    paused = false,
  }: { method?: string; headers?: Record<string, string>; paused?: boolean } = {},
): Promise<Stream> {
  return new Promise((done, fail) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const stream: Stream = { response, text: "", end: () => void sent.destroy() };
      if (!paused) response.on("data", (chunk: Buffer) => (stream.text += chunk.toString()));
      response.on("error", () => {});
      done(stream);
    });
    sent.on("error", fail).end();
  });
}

const call = { server_name: "git", tool_name: "log", request_id: "r1", source: "mcp" };

verifies(
  ["rest.events.get", "rest.events.sse", "rest.auth.events-query"],
  "events are streamed as they happen, with the key in header or address, until the reader leaves",
  () =>
    withApp({ connect: false }, async (app) => {
      const served = await listenTest(app);
      const stream = await open(`${served.url}/events?apikey=${TEST_KEY}`, { headers: { "x-request-id": "e-1" } });
      const second = await open(`${served.url}/events`, { headers: { "x-api-key": TEST_KEY } });

      await until("the state", () => stream.text.includes("event: status"));
      app.events.publish("activity.tool_call.started", call);
      await until("the event", () => [stream, second].every((s) => s.text.includes("tool_call.started")));

      const { statusCode, headers } = stream.response;
      assert.deepEqual(
        [statusCode, headers["content-type"], headers["cache-control"], headers["x-accel-buffering"]],
        [200, "text/event-stream", "no-cache, no-transform", "no"],
      );
      assert.equal(headers["x-request-id"], "e-1");
      assert.deepEqual(eventFrames(stream.text).at(-1)?.data.payload, call);
      assert.equal(app.part(eventStreams).slots.taken, 2);
      stream.end();
      second.end();
      await until("the places to be free", () => app.part(eventStreams).slots.taken === 0);
      await served.close();
    }),
);

verifies("rest.auth.401", "nobody reads events without a credential", () =>
  withApp({ connect: false }, async (app) => {
    for (const as of ["nobody", { "x-api-key": "wrong" }] as const)
      assert.equal((await ask(app, "GET /events", { as })).status, 401);
    assert.equal((await ask(app, "GET /events?apikey=wrong", { as: "nobody" })).status, 401);
    assert.equal(app.part(eventStreams).slots.taken, 0);
  }),
);

test("HEAD answers the headers and opens nothing", () =>
  withApp({ connect: false }, async (app) => {
    const { status, headers, body } = await ask(app, "HEAD /events");

    assert.deepEqual([status, headers.get("content-type"), body], [200, "text/event-stream", ""]);
    assert.equal(app.part(eventStreams).slots.taken, 0);
  }));

test("a returning reader names its last event in the header or in the address", () =>
  withApp({ connect: false }, async (app) => {
    const served = await listenTest(app);
    const key = { "x-api-key": TEST_KEY };
    const before = await open(`${served.url}/events`, { headers: key });
    await until("the state", () => before.text.includes("event: status"));
    const id = eventFrames(before.text).at(-1)!.id!;
    before.end();
    app.events.publish("activity.tool_call.started", call);

    const ways = [
      await open(`${served.url}/events`, { headers: { ...key, "last-event-id": id } }),
      await open(`${served.url}/events?last_event_id=${id}`, { headers: key }),
    ];

    for (const way of ways) {
      await until("what was missed", () => way.text.includes("tool_call.started"));
      way.end();
    }
    await served.close();
  }));

test("a reader that does not read holds up nothing, and what waits for it stays small", () =>
  withApp({ connect: false }, async (app) => {
    const handlers = router(app);
    const waiting: (() => number)[] = [];
    const listeners = await listen(app, {
      node(req, res, listener) {
        waiting.push(() => res.writableLength);
        handlers.node(req, res, listener);
      },
    });
    const slow = await open(`http://${app.boot.listenAddr}/events?apikey=${TEST_KEY}`, { paused: true });

    // Far more than the socket buffers of both sides hold.
    for (let i = 0; i < 200; i++) {
      for (let n = 0; n < 500; n++)
        app.events.publish("activity.tool_call.started", { ...call, request_id: "r".repeat(200) });
      await new Promise<void>((go) => setImmediate(go));
    }

    assert.ok(waiting[0]!() < 256 * 1024, `${waiting[0]!()} bytes wait`);
    slow.response.on("data", (chunk: Buffer) => (slow.text += chunk.toString()));
    await until("the gap to be told", () => slow.text.includes("event: gap"));
    slow.end();
    await handlers.close();
    await listeners.close();
  }));

verifies(
  "rest.events.further",
  "streams end in order when the program stops, with the event that says so",
  async () => {
    const app = await testApp({ connect: false });
    const handlers = router(app);
    const listeners = await listen(app, handlers);
    const stream = await open(`http://${app.boot.listenAddr}/events?apikey=${TEST_KEY}`);
    await until("the state", () => stream.text.includes("event: status"));
    const ended = new Promise((done) => stream.response.once("end", done));

    await stop({ app, router: handlers, listeners }, "SIGTERM");

    await ended;
    const last = eventFrames(stream.text).at(-1);
    assert.deepEqual([last?.event, last?.data.payload.reason], ["activity.system.stop", "SIGTERM"]);
  },
);

test("an unknown type of event is refused with the nearest one", () =>
  withApp({ connect: false }, async (app) => {
    const { status, body } = await ask(app, "GET /events?types=activity,server.changed");
    assert.equal(status, 400);
    assert.match(body.error, /^types: each must be one of .*, not "server.changed"; did you mean "servers.changed"\?$/);
    assert.equal((await ask(app, "GET /events?types=activity,servers.changed&server=git")).status, 200);
  }));
