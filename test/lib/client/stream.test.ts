import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { ProxyTarget } from "#lib/client/open-request.ts";
import { stream } from "#lib/client/stream.ts";
import { listenTest, withApp } from "#test/kit/app.ts";

async function read(to: ProxyTarget, route = "GET /events", signal = new AbortController().signal): Promise<string> {
  let text = "";
  for await (const piece of stream(to, "test")(route, {}, { signal })) {
    text += piece;
    if (text.includes("event: status")) break;
  }
  return text;
}

test("a long answer is read piece by piece, and left when the reader has enough", () =>
  withApp({ connect: false }, async (app) => {
    const served = await listenTest(app);
    const to = { url: new URL(served.url), key: served.key };

    assert.match(await read(to), /^: connected\n/);
    assert.equal(await read(to, "GET /api/v1/activity/export"), "");

    await assert.rejects(read({ url: to.url }), { name: "RestError", status: 401 });
    await assert.rejects(read({ url: to.url, key: "wrong" }), { code: "unauthenticated" });
    await served.close();
    await assert.rejects(read(to), { code: "daemon_not_running" });
    await assert.rejects(read(to, "GET /events", AbortSignal.abort()), { name: "AbortError" });
  }));

test("an answer that breaks off is no whole one", async (t) => {
  const server = createServer((_, res) => {
    res.write("half");
    setTimeout(() => res.destroy(), 20);
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  await assert.rejects(read({ url }), { code: "daemon_unreachable" });
});
