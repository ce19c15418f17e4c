import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, connect, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { endWhenSilent } from "#lib/modules/cluster/hop/hop-session.ts";
import { until } from "#test/kit/until.ts";

/** Opens a connection that ends when the program at the other end is silent. */
async function open(t: TestContext, listener: Server): Promise<ClientHttp2Session> {
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const session = connect(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  session.on("error", () => {});
  t.after(() => {
    session.destroy();
    listener.close();
  });
  await once(session, "connect");
  endWhenSilent(session);
  return session;
}

const answer = (session: ClientHttp2Session) =>
  new Promise<void>((done, fail) => session.ping((error) => (error ? fail(error) : done())));

test("a connection outlasts a time in which its own replica stood still", async (t) => {
  const session = await open(t, createHttp2Server());

  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
  await answer(session);

  assert.equal(session.destroyed, false);
});

test("a connection to a replica that does not answer ends", async (t) => {
  const sockets: Socket[] = [];
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  const session = await open(
    t,
    createServer((socket) => void sockets.push(socket)),
  );

  await until("it has ended", () => session.destroyed);
});
