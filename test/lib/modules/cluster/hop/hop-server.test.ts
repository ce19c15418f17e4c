import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { openHopServer } from "#lib/modules/cluster/hop/hop-server.ts";
import { foreign } from "#test/kit/tls.ts";
import { until } from "#test/kit/until.ts";

test("a connection on which nothing is sent does not delay the end of the listener for replicas", async (t) => {
  const { cert, key } = await foreign("CN=a replica", { from: Date.now() - 1000, days: 1 });
  const pair = { cert, key };
  const server = await openHopServer({
    host: "127.0.0.1",
    port: 0,
    identity: { ca: cert, server: pair, client: pair },
  });
  const silent = connect(server.port, "127.0.0.1");
  t.after(() => silent.destroy());
  await once(silent, "connect");

  let isClosed = false;
  void server.close().then(() => {
    isClosed = true;
  });

  await until("the listener is closed", () => isClosed);
});
