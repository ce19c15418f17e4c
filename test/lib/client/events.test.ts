import assert from "node:assert/strict";
import { test } from "node:test";
import { events, type ReceivedEvent } from "#lib/client/events.ts";
import type { Stream } from "#lib/client/stream.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { whenAborted } from "#lib/core/base/when-aborted.ts";
import { handClock } from "#test/kit/clock.ts";

const lost = () => new Fault("daemon_unreachable", { where: "here", reason: "it broke off" });

/** Connections that give these pieces and then end as they say, one after the other. */
function connections(...given: { pieces: string[]; end?: Error }[]) {
  const asked: Record<string, string>[] = [];
  const stream: Stream = async function* (route, _, { headers = {} }) {
    assert.equal(route, "GET /events");
    asked.push({ ...headers });
    const { pieces, end } = given.shift() ?? { pieces: [], end: new Error("asked once too often") };
    for (const piece of pieces) yield Buffer.from(piece);
    if (end) throw end;
  };
  return { asked, stream };
}

async function follow(stream: Stream, clock = handClock()) {
  const heard: ReceivedEvent[] = [];
  const notes: string[] = [];
  const { signal } = new AbortController();
  const over = (async () => {
    for await (const one of events({ stream, signal, clock, onLost: (reason) => notes.push(reason) })) heard.push(one);
  })().catch((error: unknown) => error);
  for (let i = 0; i < 20; i++) await clock.advance(1000);
  return { heard, notes, over };
}

test("frames are taken apart, wherever the pieces were cut", async () => {
  const text =
    ': connected\nretry: 100\n\nid: a-1\nevent: status\ndata: {"running":true}\n\nid: a-2\nevent: x\ndata: "é"\n\n';
  const bytes = Buffer.from(text);
  const pieces = [...bytes].map((byte) => Buffer.from([byte]).toString("latin1"));
  const stream: Stream = async function* () {
    for (const piece of pieces) yield Buffer.from(piece, "latin1");
    throw new Error("enough");
  };

  const { heard } = await follow(stream);

  assert.deepEqual(heard, [
    { event: "status", id: "a-1", data: { running: true } },
    { event: "x", id: "a-2", data: "é" },
  ]);
});

test("a lost connection is made again where it was, after the time the proxy named", async () => {
  const clock = handClock();
  const { asked, stream } = connections(
    { pieces: ["retry: 7000\n\n", "id: a-1\nevent: x\ndata: 1\n\n"], end: lost() },
    { pieces: [], end: lost() },
    { pieces: ["id: a-2\nevent: x\ndata: 2\n\n"] },
    { pieces: ["event: x\ndata: 3\n\n"], end: new Error("enough") },
  );
  const from = clock.now();

  const { heard, notes, over } = await follow(stream, clock);
  await clock.advance(7000);

  assert.match(String(await over), /enough/);
  assert.deepEqual(
    heard.map((h) => h.data),
    [1, 2, 3],
  );
  assert.deepEqual(asked, [{}, { "last-event-id": "a-1" }, { "last-event-id": "a-1" }, { "last-event-id": "a-2" }]);
  assert.equal(notes.length, 3);
  assert.ok(clock.now() - from >= 21_000);
});

test("what the first connection says ends it", async () => {
  const { over } = await follow(connections({ pieces: [], end: lost() }).stream);

  assert.match(String(await over), /it broke off/);
});

test("a connection on which not even a heartbeat arrives is lost, too, and at the first one that is an error", async () => {
  const clock = handClock();
  let asked = 0;
  const silentAfter = (text: string): Stream =>
    async function* (_, __, { signal }) {
      if (++asked > 1) throw new Error("enough");
      if (text !== "") yield Buffer.from(text);
      await whenAborted(signal);
      throw new DOMException("aborted", "AbortError");
    };

  const later = await follow(silentAfter("id: a-1\nevent: x\ndata: 1\n\n"), clock);
  await clock.advance(120_000);
  asked = 0;
  const first = await follow(silentAfter(""), clock);
  await clock.advance(120_000);

  assert.match(String(await later.over), /enough/);
  assert.deepEqual(later.notes, ["the proxy has sent nothing for a while"]);
  assert.equal(((await first.over) as Fault).code, "client_timeout");
});
