import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { readIntoBuffer } from "#lib/daemon/posts/read-into-buffer.ts";
import { until } from "#test/kit/until.ts";

test("all accepted sockets read into one buffer, and emit no data, but their end", async (t) => {
  const reads: { text: string; memory: ArrayBufferLike }[] = [];
  const events: string[] = [];
  const take = (socket: Socket) => {
    const takes = readIntoBuffer(socket, (bytes) => {
      reads.push({ text: bytes.toString(), memory: bytes.buffer });
      return true;
    });
    events.push(String(takes));
    socket.on("end", () => events.push("end"));
  };
  const server = createServer(take).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  for (const [i, text] of ["first", "second"].entries()) {
    connect(port, "127.0.0.1").end(text);
    await until(`the end after ${text}`, () => events.length === 2 * i + 2);
  }

  assert.deepEqual(events, ["true", "end", "true", "end"]);
  assert.deepEqual(
    reads.map(({ text }) => text),
    ["first", "second"],
  );
  assert.equal(reads[0]!.memory, reads[1]!.memory);
});

test("a socket that reads otherwise is left as it is", () => {
  assert.equal(
    readIntoBuffer({} as Socket, () => true),
    false,
  );
});
