import assert from "node:assert/strict";
import { test } from "node:test";
import { EventStreamReader } from "#lib/core/upstream/http/event-stream-reader.ts";
import { LineSplitter } from "#lib/core/upstream/stdio/line-splitter.ts";
import { effortMs } from "#test/kit/effort.ts";

/** Feeds a text in pieces of `size` bytes and collects what comes out. */
function split(text: string | Buffer, size: number, maxBytes?: number) {
  const out: string[] = [];
  const lines = new LineSplitter(
    {
      line: (l) => out.push(l),
      tooLong: (head, tail, bytes) => out.push(`too long: ${head.slice(0, 3)}…${tail.slice(-3)} ${bytes}`),
    },
    maxBytes,
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) lines.feed(bytes.subarray(at, at + size));
  lines.end();
  return out;
}

test("lines come out the same however the stream is cut into chunks", () => {
  const text = 'one\r\n\n{"größe":"日本🚀"}\nlast without end';

  for (const size of [1, 2, 3, 5, 7, 64]) assert.deepEqual(split(text, size), text.split(/\r?\n/), `${size} bytes`);
});

test("an overlong line is passed over with its ends kept, and the next line is whole", () => {
  const text = `abc${"x".repeat(3000)}xyz\nnext\n`;

  for (const size of [1, 100, 999, 5000]) assert.deepEqual(split(text, size, 1000), ["too long: abc…xyz 3006", "next"]);
});

test("a line of many chunks costs linear work", () => {
  const piece = Buffer.alloc(1024, "x");
  let length = 0;
  const lines = new LineSplitter({ line: (l) => (length = l.length), tooLong: () => assert.fail() });

  const effort = effortMs(() => {
    for (let i = 0; i < 32 * 1024; i++) lines.feed(piece);
    lines.feed(Buffer.from("\n"));
  });

  assert.equal(length, 32 << 20);
  assert.ok(effort < 5000, `32 MiB in 32,768 chunks took ${effort} ms`);
});

test("a line that dribbles in byte by byte comes out whole", () => {
  const text = `${"0123456789".repeat(20_000)}\nend`;

  assert.deepEqual(split(text, 1), text.split("\n"));
});

function events(text: string, size: number, maxBytes?: number) {
  const out: string[] = [];
  const stream = new EventStreamReader(
    {
      event: (name, data) => out.push(`${name}=${data}`),
      tooLong: (_head, _tail, bytes) => out.push(`too long ${bytes > (maxBytes ?? 0)}`),
    },
    maxBytes,
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) stream.feed(bytes.subarray(at, at + size));
  return { out, stream };
}

test("server-sent events: names, several data lines, comments, ids and retry", () => {
  const text =
    ": hello\n\nevent: endpoint\ndata: /messages\n\nid: 7\r\nretry: 250\r\ndata:a\r\ndata: b\r\n\r\ndata\n\nid: 8\ndata: end\n\n";

  for (const size of [1, 3, 1000]) {
    const { out, stream } = events(text, size);

    assert.deepEqual(out, ["endpoint=/messages", "message=a\nb", "message=end"]);
    assert.equal(stream.lastEventId, "8");
    assert.equal(stream.retryMs, 250);
  }
});

test("an event that is too long is passed over whole, in one line or in many", () => {
  const one = `data: ${"x".repeat(500)}\n\ndata: ok\n\n`;
  const many = `${"data: xxxxxxxxxx\n".repeat(50)}data: tail\n\ndata: ok\n\n`;

  for (const text of [one, many])
    assert.deepEqual(events(text, 64, 200).out, ["too long true", "message=ok"], text.slice(0, 20));
});
