import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Pool } from "undici";
import { OnDemandPool } from "#lib/core/upstream/http/on-demand-pool.ts";
import { until } from "#test/kit/upstream.ts";

/** A pool to a server that answers each request, except `/late`, which it never answers. */
async function withPool(body: (made: Made) => Promise<void>) {
  const server = createServer((req, res) => req.url !== "/late" && res.end("yes"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const opened: Pool[] = [];
  const pool = new OnDemandPool(() => {
    const made = new Pool(`http://127.0.0.1:${port}`, { connections: 1 });
    opened.push(made);
    return made;
  });
  const get = (path = "/") =>
    new Promise<string>((done) =>
      pool.dispatch(
        { method: "GET", path },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseEnd: () => done("answered"),
          onResponseError: (_, error) => done((error as Error & { code: string }).code),
        },
      ),
    );
  try {
    await body({ pool, opened, get, hangUp: () => server.closeAllConnections() });
  } finally {
    await pool.destroy();
    server.closeAllConnections();
    server.close();
  }
}

interface Made {
  pool: OnDemandPool;
  opened: Pool[];
  get(path?: string): Promise<string>;
  hangUp(): void;
}

test("a pool whose connections are closed is dropped, and the next request opens another", () =>
  withPool(async ({ opened, get, hangUp }) => {
    const before = opened.length;
    const answers = [await get(), await get()];
    const whileOpen = opened.length;
    hangUp();
    await until("the connection is closed", () => opened[0]!.stats.connected === 0);
    answers.push(await get());

    assert.deepEqual(answers, ["answered", "answered", "answered"]);
    assert.deepEqual([before, whileOpen, opened.length], [0, 1, 2]);
  }));

test("a pool is not dropped while requests wait for its only connection", () =>
  withPool(async ({ opened, get, hangUp }) => {
    const late = get("/late");
    const waiting = [get(), get()];
    await until("the first is sent", () => opened[0]!.stats.running === 1);
    hangUp();

    assert.notEqual(await late, "answered");
    assert.deepEqual(await Promise.all(waiting), ["answered", "answered"]);
    assert.equal(opened.length, 1);
  }));

for (const used of [true, false])
  test(`after its end no connection is opened${used ? "" : ", even if there never was one"}`, () =>
    withPool(async ({ pool, opened, get }) => {
      if (used) await get();
      await pool.destroy();

      assert.equal(await get(), "UND_ERR_DESTROYED");
      assert.equal(opened.length, 1);
      assert.equal(opened[0]!.stats.connected, 0);
    }));
