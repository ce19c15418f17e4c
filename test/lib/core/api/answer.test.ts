import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { endpoints } from "#handlers/routes.gen.ts";
import { acceptsGzip, answerText, matchesEtag } from "#lib/core/api/answer.ts";
import { isConditional } from "#lib/core/api/endpoint.ts";
import { listenTest, TEST_KEY, type TestApp, withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { seeded } from "#test/kit/random.ts";

const TOOLS = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`git:tool_${n}`, "approved" as const]));
const started = (fn: (app: TestApp) => Promise<void>) =>
  withApp({ connect: false, servers: [{ name: "git", command: "x" }], tools: TOOLS }, fn);
const having = (tag: string) => ({ as: { "x-api-key": TEST_KEY, "if-none-match": tag } });

test("an If-None-Match names an entity tag weakly; an Accept-Encoding takes gzip unless it weighs nothing", () => {
  for (const [header, wanted] of [
    ['W/"a"', true],
    ['"a"', true],
    ['"b", W/"a"', true],
    ["*", true],
    ['"b"', false],
    ["a", false],
    [undefined, false],
  ] as const)
    assert.equal(matchesEtag(header, 'W/"a"'), wanted, header);
  for (const [header, wanted] of [
    ["gzip", true],
    ["br, GZIP;q=0.5", true],
    ["gzip;q=0", false],
    ["gzip;q=0.0 , br", false],
    ["br", false],
    [undefined, false],
  ] as const)
    assert.equal(acceptsGzip(header), wanted, header);
});

test("every GET of JSON that is no probe has an ETag, answers 304 to whoever has it, and 200 otherwise", () =>
  started(async (app) => {
    let seen = 0;
    for (const e of endpoints.filter(isConditional)) {
      const route = `GET ${e.path.replaceAll("{name}", "git").replaceAll(/\{\w+\}/g, "x")}`;
      const first = await ask(app, route);
      if (first.status !== 200) continue;
      seen++;
      const tag = first.headers.get("etag") ?? "";
      assert.match(tag, /^(W\/)?"[\w.-]{22,}"$/, route);
      assert.match(first.headers.get("vary") ?? "", /Accept-Encoding/, route);
      assert.equal((await ask(app, route, having('"other"'))).status, 200, route);
    }
    assert.ok(seen > 25, String(seen));

    for (const route of [
      "GET /api/v1/servers",
      "GET /api/v1/servers/git",
      "GET /docs/spec.json",
      "GET /api/v1/config",
    ]) {
      const tag = (await ask(app, route)).headers.get("etag")!;
      const again = await ask(app, route, having(tag));
      assert.deepEqual([again.status, again.body, again.headers.get("etag")], [304, "", tag], route);
      assert.equal((await ask(app, route.replace("GET", "HEAD"), having(tag))).status, 304, route);
    }
    assert.equal((await ask(app, "GET /healthz")).headers.get("etag"), null);
  }));

test("an ETag that changes with the answer still names the revision that a change is meant for", () =>
  started(async (app) => {
    const before = (await ask(app, "GET /api/v1/servers/git")).headers.get("etag")!;
    await ask(app, "POST /api/v1/servers/git/tools/block", { body: { tools: ["tool_1"] } });

    assert.equal((await ask(app, "GET /api/v1/servers/git", having(before))).status, 200);
    const patch = (tag: string) =>
      ask(app, "PATCH /api/v1/servers/git", {
        body: { command: "y" },
        as: { "x-api-key": TEST_KEY, "if-match": tag },
      });
    assert.equal((await patch(before)).status, 200);
    assert.equal((await patch(before)).status, 412);
  }));

test("over a listener a large body is gzipped for whoever accepts that, a small one and an event stream never", () =>
  started(async (app) => {
    const { url, close } = await listenTest(app);
    try {
      const get = (path: string, headers: Record<string, string>) =>
        fetch(url + path, { headers: { "x-api-key": TEST_KEY, ...headers } });
      const raw = async (path: string, headers: Record<string, string>) => {
        const { request } = await import("node:http");
        return await new Promise<{ headers: Record<string, unknown>; body: Buffer }>((done, fail) => {
          const sent = request(url + path, { headers: { "x-api-key": TEST_KEY, ...headers } }, (res) => {
            const chunks: Buffer[] = [];
            res.on("data", (chunk: Buffer) => chunks.push(chunk));
            res.on("end", () => done({ headers: res.headers, body: Buffer.concat(chunks) }));
          });
          sent.on("error", fail);
          sent.end();
        });
      };
      const plain = await raw("/api/v1/tools", {});
      const packed = await raw("/api/v1/tools", { "accept-encoding": "br, gzip", origin: url });
      assert.equal(plain.headers["content-encoding"], undefined);
      assert.equal(packed.headers["content-encoding"], "gzip");
      assert.match(String(packed.headers.vary), /Accept-Encoding/);
      assert.equal(packed.headers.etag, plain.headers.etag);
      assert.ok(packed.body.length < plain.body.length / 4);
      assert.deepEqual(JSON.parse(gunzipSync(packed.body).toString()), JSON.parse(plain.body.toString()));

      for (const path of ["/docs/spec.json", "/docs/spec.yaml", "/ui/"]) {
        const page = await get(path, {});
        assert.equal(page.headers.get("content-encoding"), "gzip", path);
        const again = await get(path, { "if-none-match": page.headers.get("etag")! });
        assert.deepEqual([again.status, await again.text()], [304, ""], path);
        await page.text();
      }
      const small = await get("/api/v1/profiles/active", {});
      assert.equal(small.headers.get("content-encoding"), null);
      await small.text();
      const events = await get("/events", {});
      assert.deepEqual([events.headers.get("content-encoding"), events.headers.get("etag")], [null, null]);
      await events.body?.cancel();
      const head = await fetch(`${url}/api/v1/tools`, { method: "HEAD", headers: { "x-api-key": TEST_KEY } });
      assert.deepEqual([head.status, head.headers.get("etag"), await head.text()], [200, plain.headers.etag, ""]);
    } finally {
      await close();
    }
  }));

test("the bytes of a large body are never put together into one piece, packed or not, and their number is stated", async () => {
  const random = seeded(3);
  const entry = () => Array.from({ length: 1000 }, () => random.below(1e9).toString(36)).join("é");
  const texts = Array.from({ length: 100 }, entry);
  const app = new Hono().get("/", (c) => answerText(c, texts, "text/plain"));

  for (const headers of [{}, { "accept-encoding": "gzip" }]) {
    const response = await app.request("/", { headers });
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body!) pieces.push(piece);
    const body = Buffer.concat(pieces);

    assert.equal(response.headers.get("content-length"), String(body.length));
    assert.ok(Math.max(...pieces.map(({ length }) => length)) < 256 * 1024);
    const packed = response.headers.get("content-encoding") === "gzip";
    assert.equal(packed, "accept-encoding" in headers);
    assert.equal((packed ? gunzipSync(body) : body).toString(), texts.join(""));
  }
});

test("while a huge answer is made others have their turns", () =>
  withApp(
    {
      connect: false,
      servers: [{ name: "big", command: "x" }],
      tools: Object.fromEntries(
        Array.from({ length: 3000 }, (_, n) => [`big:t${n}`, { description: "x".repeat(3000) }]),
      ),
    },
    async (app) => {
      await ask(app, "GET /api/v1/tools");
      let turns = 0;
      let over = false;
      const count = () => {
        turns++;
        if (!over) setImmediate(count);
      };
      setImmediate(count);
      try {
        await ask(app, "GET /api/v1/tools");
      } finally {
        over = true;
      }
      assert.ok(turns > 5, `only ${turns} turns of the event loop`);
    },
  ));
