import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { connect as connectPlain, createServer as createPlainServer } from "node:net";
import { type TestContext, test } from "node:test";
import { connect, createServer, type TLSSocket } from "node:tls";
import { unsentTlsBytes } from "#lib/daemon/unsent-tls-bytes.ts";
import { foreign } from "#test/kit/tls.ts";
import { until } from "#test/kit/until.ts";

async function port(t: TestContext, server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test("over TLS, the unsent bytes of one long write become fewer while the client reads, and only then", async (t) => {
  const server = createServer(await foreign("CN=localhost", { from: Date.now() - 60_000, days: 1 }));
  const client = connect({ port: await port(t, server), host: "127.0.0.1", rejectUnauthorized: false }).pause();
  const [socket] = (await once(server, "secureConnection")) as [TLSSocket];
  socket.write(Buffer.alloc(32 << 20));
  const bytes = () => unsentTlsBytes(socket) ?? assert.fail();
  let before = 0;
  await until("the buffers of the operating system are full", async () => {
    before = bytes();
    await new Promise((later) => setTimeout(later, 50));
    return bytes() === before;
  });
  assert.ok(before > 1 << 20);

  client.resume();
  await until("fewer are unsent", () => bytes() < before);

  client.destroy();
  socket.destroy();
});

test("without TLS, the unsent bytes are unknown", async (t) => {
  const server = createPlainServer();
  const client = connectPlain(await port(t, server), "127.0.0.1");
  const [socket] = await once(server, "connection");

  assert.equal(unsentTlsBytes(socket), undefined);

  client.destroy();
  socket.destroy();
});
