import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type TestContext, test } from "node:test";
import { type Clock, systemClock } from "#lib/core/base/clock.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { createApp } from "#lib/create-app.ts";
import { verifies } from "#test/kit/verifies.ts";

const folder = (t: TestContext) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, "data");
};
const options = (dataDir: string) => {
  const lines: string[] = [];
  const logTo = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const env: Record<string, string | undefined> = { HOME: dataDir };
  return { lines, version: "1.0.0", env, dataDir, logTo, keyring: () => Promise.reject(new Error("none")) };
};

verifies("rest.auth.generated", "the first start makes folder, file and key, and logs the key once", async (t) => {
  const dir = folder(t);
  const first = options(dir);
  const app = await createApp(first);
  const { apiKey } = app.boot;
  app.log.info("up");
  await app.close();

  assert.match(apiKey, /^[0-9a-f]{64}$/);
  const file = join(dir, "mcp_config.json");
  assert.equal(JSON.parse(readFileSync(file, "utf8")).api_key, apiKey);
  if (process.platform !== "win32")
    assert.deepEqual([statSync(dir).mode & 0o777, statSync(file).mode & 0o777], [0o700, 0o600]);
  assert.equal(first.lines.filter((line) => line.includes(apiKey)).length, 1);
  assert.ok(!readFileSync(join(dir, "logs", "proxy.log"), "utf8").includes(apiKey));

  const second = options(dir);
  const again = await createApp(second);
  assert.equal(again.boot.apiKey, apiKey);
  assert.ok(!second.lines.join("").includes(apiKey));
  await again.close();
});

test("two of a data directory cannot be open; closing gives it free (spec 001 §7)", async (t) => {
  const dir = folder(t);
  const app = await createApp(options(dir));

  const error = await createApp(options(dir)).catch((e: unknown) => e);
  assert.ok(error instanceof Fault);
  assert.equal(error.code, "database_locked");

  await app.close();
  await (await createApp(options(dir))).close();
});

test("a part that cannot be opened leaves nothing open behind it", async (t) => {
  const dir = folder(t);
  await (await createApp(options(dir))).close();
  writeFileSync(join(dir, "mcp_config.json"), '{"tools_limit": "many"}');

  await assert.rejects(createApp(options(dir)), /tools_limit/);

  writeFileSync(join(dir, "mcp_config.json"), "{}");
  const clock: Clock = {
    ...systemClock,
    after(ms, fn) {
      // The first sweep of activity records, planned last of all.
      if (ms === 60_000) throw new Error("no timers left");
      return systemClock.after(ms, fn);
    },
  };
  await assert.rejects(createApp({ ...options(dir), clock }), /no timers left/);
  const app = await createApp(options(dir));
  await app.close();
  await app.close();
  assert.ok(existsSync(join(dir, "proxy.db")));
});

test("the log level follows the configuration at once", async (t) => {
  const given = options(folder(t));
  const app = await createApp(given);
  app.log.debug("unheard");
  await app.config.update((draft) => {
    draft.logging.level = "debug";
  }, "test");
  app.log.debug("heard");
  await app.close();

  const text = given.lines.join("");
  assert.ok(text.includes("heard") && !text.includes("unheard"));
});

test("what a session was doing when the program died counts as over", async (t) => {
  const dir = folder(t);
  const app = await createApp(options(dir));
  await app.store.sessions.put({
    id: "s",
    status: "active",
    client_name: "c",
    client_version: "1",
    mode: "direct",
    actor: "admin",
    started_at: 1,
    last_active_at: 2,
    tool_calls: 1,
  });
  await app.close();

  const next = await createApp(options(dir));
  assert.equal((await next.store.sessions.get("s"))?.status, "closed");
  await next.close();
});
