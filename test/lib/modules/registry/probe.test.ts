import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { probe } from "#lib/modules/registry/probe.ts";
import { withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { until } from "#test/kit/until.ts";

const config = { allow_private_registry_fetch: true };

test("all places of a source that says nothing are waited for 12 seconds together", async (t) => {
  const asked: string[] = [];
  const silent = createServer((req) => void asked.push(req.url ?? ""));
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  t.after(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const base = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const clock = handClock();
  await withApp({ config, clock, connect: false }, async (app) => {
    const ended = probe(app, "quiet", new URL(base), new AbortController().signal).catch((error: Error) => error);
    await until("the first place is asked", () => asked.length === 1);
    await clock.advance(12_000);
    const { message } = (await ended) as Error;
    assert.match(message, /registry "quiet" returned no usable data: /);
    assert.ok(message.includes(`${base}/v0.1/servers, ${base}/v0/servers, ${base}/: `), message);
    assert.match(message, /no response within 12 seconds$/);
    assert.equal(asked.length, 1, "what could only be late is not asked");
  });
});

test("what was wrong with several places alike is said once", async (t) => {
  const broken = createServer((req, res) => {
    if (req.url?.startsWith("/v0/")) res.end(`{"a":1}`);
    else res.writeHead(404).end();
  });
  broken.listen(0, "127.0.0.1");
  await once(broken, "listening");
  t.after(() => broken.close());
  const base = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
  await withApp({ config, connect: false }, async (app) => {
    await assert.rejects(probe(app, "odd", new URL(base), new AbortController().signal), (error: Error) => {
      assert.ok(error.message.includes(`${base}/v0.1/servers, ${base}/: it responded with status 404`), error.message);
      assert.ok(
        error.message.includes(`${base}/v0/servers: returns JSON that is not a list of servers`),
        error.message,
      );
      return true;
    });
  });
});
