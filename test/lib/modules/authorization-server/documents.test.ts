import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { serve } from "#test/kit/mcp.ts";
import { HandClient, TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";
import { folder } from "#test/kit/program.ts";
import { foreign } from "#test/kit/tls.ts";

/** Metadata documents over a real network: a server with TLS, fetched through the guarded fetch. */

type Host = (write: (text: string) => void, end: () => void, id: string) => void;

const document = (id: string, more: object = {}) =>
  JSON.stringify({
    client_id: id,
    client_name: "Hosted Client",
    redirect_uris: ["https://client.example/callback"],
    ...more,
  });

/** Starts a host of metadata documents, and a proxy that trusts its certificate and may reach it. */
async function world(t: TestContext) {
  let behaviour: Host = (write, end, id) => {
    write(document(id));
    end();
  };
  let closed = 0;
  const dir = folder(t);
  const made = await foreign("CN=localhost", { from: Date.now() - 86_400_000, days: 2, authority: true });
  writeFileSync(join(dir, "ca.pem"), made.cert);
  const host = createServer(made, (req, res) => {
    res.on("close", () => closed++);
    res.writeHead(200, { "content-type": "application/json" });
    behaviour(
      (text) => void res.write(text),
      () => void res.end(),
      `https://${req.headers.host}${req.url}`,
    );
  });
  await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
  t.after(() => {
    host.closeAllConnections();
    host.close();
  });
  const at = `localhost:${(host.address() as AddressInfo).port}`;
  const { app, url } = await serve(t, {
    ...WITH_SIGN_IN,
    config: { ...WITH_SIGN_IN.config, outbound_allow: [at] },
    env: { SSL_CERT_FILE: join(dir, "ca.pem") },
  });
  return {
    app,
    closed: () => closed,
    /** Asks for access as the client whose document is at this path. */
    async ask(path: string, next?: Host) {
      if (next) behaviour = next;
      const client = new HandClient(url, "https://client.example/callback");
      client.clientId = `https://${at}${path}`;
      const begun = performance.now();
      const response = await new TestBrowser(url).send(client.authorizationUrl());
      const { records } = await app.store.activity.select({ type: ["policy_decision"] }, { limit: 1 });
      return {
        status: response.status,
        ms: performance.now() - begun,
        message: records[0]?.error_message ?? "",
        cause: records[0]?.metadata?.cause,
      };
    },
  };
}

test("a document is fetched from its host, and only until it is too large or too slow", async (t) => {
  const { ask, closed } = await world(t);
  assert.equal((await ask("/client.json")).status, 303, "a good document");

  const large = await ask("/large.json", (write, end, id) => {
    write(document(id, { padding: "x".repeat(64 * 1024) }));
    end();
  });
  assert.deepEqual([large.status, large.cause], [400, "fetch_failed"], large.message);

  const endless = await ask("/endless.json", (write) => {
    const more = setInterval(() => write("x".repeat(16 * 1024)), 1);
    t.after(() => clearInterval(more));
  });
  assert.deepEqual([endless.status, endless.cause], [400, "fetch_failed"], endless.message);

  const before = closed();
  for (const [path, behaviour] of [
    ["/silent.json", () => undefined],
    [
      "/dripping.json",
      (write) => {
        const drops = setInterval(() => write(" "), 100);
        t.after(() => clearInterval(drops));
      },
    ],
  ] as const satisfies readonly (readonly [string, Host])[]) {
    const slow = await ask(path, behaviour);
    assert.deepEqual([slow.status, slow.cause], [400, "fetch_failed"], `${path}: ${slow.message}`);
    assert.ok(slow.ms < 10_000, `${path} took ${slow.ms} ms`);
  }
  assert.ok(closed() > before, "the proxy closed the connections");
});
