import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { idempotency } from "#lib/core/api/idempotency.ts";
import { TEST_KEY, type TestApp, testApp, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask } from "#test/kit/http.ts";

const keyed = (key: string, more: Record<string, string> = {}) => ({
  "x-api-key": TEST_KEY,
  "idempotency-key": key,
  ...more,
});
const issue = (app: TestApp, key: string, body: object) => ask(app, "POST /api/v1/tokens", { as: keyed(key), body });
const BOT = { name: "bot", permissions: ["read"] };

test("a repeated request with the same key gets the first answer again, and nothing is done twice", () =>
  withApp({ connect: false }, async (app) => {
    const first = await issue(app, "k-1", BOT);
    const again = await issue(app, "k-1", { permissions: ["read"], name: "bot" });
    const without = await ask(app, "POST /api/v1/tokens", { body: BOT });

    assert.deepEqual([first.status, first.headers.get("idempotency-replayed")], [201, null]);
    assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [201, "true"]);
    assert.equal(again.body.data.token, first.body.data.token);
    assert.deepEqual([without.status, without.body.code], [409, "already_exists"]);
    assert.equal(app.store.tokens.all().length, 1);
  }));

test("a key that came with another request is refused, and so is one that is no key", () =>
  withApp({ connect: false }, async (app) => {
    await issue(app, "k-1", BOT);

    const other = await issue(app, "k-1", { ...BOT, name: "other" });
    const elsewhere = await ask(app, "POST /api/v1/servers", { as: keyed("k-1"), body: { name: "s", command: "x" } });
    const long = await issue(app, "k".repeat(256), { ...BOT, name: "other" });

    assert.deepEqual([other.status, other.body.code], [422, "idempotency_key_reused"]);
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [422, "idempotency_key_reused"]);
    assert.deepEqual([long.status, long.body.code], [400, "invalid_request"]);
    assert.equal(app.store.tokens.all().length, 1);
  }));

test("two requests with one key at the same time are one", () =>
  withApp({ connect: false }, async (app) => {
    const answers = await Promise.all([issue(app, "k", BOT), issue(app, "k", BOT), issue(app, "k", BOT)]);

    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(answers.map(({ body }) => body.data.token)).size, 1);
  }));

test("what failed is not kept: the same key may try again", () =>
  withApp({ connect: false }, async (app) => {
    await issue(app, "first", BOT);
    const refused = await issue(app, "k", BOT);
    await ask(app, "DELETE /api/v1/tokens/bot/permanent");
    const done = await issue(app, "k", BOT);

    assert.deepEqual([refused.status, done.status], [409, 201]);
    assert.equal(done.headers.get("idempotency-replayed"), null);
  }));

test("a kept answer survives a restart, and its secret is not readable on the disk", async () => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-kept-"));
  try {
    const before = await testApp({ connect: false, dir });
    const first = await issue(before, "k", BOT);
    await before.close();
    const onDisk = readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)));
    const after = await testApp({ connect: false, dir });
    const again = await issue(after, "k", BOT);
    await after.close();

    const { token } = first.body.data;
    assert.equal(again.body.data.token, token);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.ok(onDisk.length > 1 && onDisk.every((bytes) => !bytes.includes(token)));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("a key is forgotten after a day", async () => {
  const clock = handClock();
  await withApp({ connect: false, clock }, async (app) => {
    await issue(app, "k", BOT);
    await clock.advance(24 * 60 * 60_000 + 1);

    assert.equal((await issue(app, "k", BOT)).status, 409);
  });
});

test("keys of different callers do not meet", () =>
  withApp({ connect: false }, async (app) => {
    const { once } = app.part(idempotency);
    const by = (name: string) =>
      once(
        {
          key: "k",
          caller: { tier: "admin", name, listener: "tcp", scope: { servers: "all", permissions: "all" } },
          request: {},
        },
        async () => name,
      );

    assert.deepEqual(
      [await by("a"), await by("b"), await by("a")].map(({ value }) => value),
      ["a", "b", "a"],
    );
  }));
