import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";

test("a stored secret can be referred to, replaced and removed, and listeners are told", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x", env: { A: "${keyring:t}" } }] }, async (app) => {
    const told: unknown[] = [];
    app.events.subscribe(({ kind, data }) => kind === "secrets.changed" && told.push(data));
    const put = (value: string) => call(app, "POST /api/v1/secrets", { body: { name: "t", value } });

    assert.equal((await put("one")).message, 'secret "t" stored; reference it as ${keyring:t}');
    assert.equal(await app.secrets.resolve("${keyring:t}"), "one");
    await put("two");
    assert.equal(await app.secrets.resolve("${keyring:t}"), "two");

    const gone = await call(app, "DELETE /api/v1/secrets/{name}", { params: { name: "t" }, query: { force: "true" } });
    assert.deepEqual(gone.used_by, [{ server: "git", field: "env.A" }]);
    await assert.rejects(app.secrets.resolve("${keyring:t}"), { code: "secret_missing" });
    assert.equal((await ask(app, "DELETE /api/v1/secrets/t")).status, 404);
    assert.deepEqual(told, [
      { operation: "store", secret_name: "t" },
      { operation: "store", secret_name: "t" },
      { operation: "delete", secret_name: "t" },
    ]);
    const { activities } = await call(app, "GET /api/v1/activity", { query: { type: "config_change" } });
    assert.deepEqual(
      activities.map((a) => a.metadata?.action),
      ["secret_delete", "secret_store", "secret_store"],
    );
  }));

test("bad names and values are refused, and nothing is stored", () =>
  withApp({ connect: false }, async (app) => {
    for (const body of [
      {},
      { name: "a" },
      { name: "a", value: "" },
      { name: "", value: "x" },
      { name: "a/b", value: "x" },
      { name: "a", value: 1 },
      { name: "a", value: "••••zz (9 chars)" },
      { name: "a", value: "x".repeat(70_000) },
    ]) {
      const answer = await ask(app, "POST /api/v1/secrets", { body });
      assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 80));
    }
    assert.deepEqual(await app.secrets.list(), []);
  }));

test("read_only_mode refuses secrets too", () =>
  withApp({ connect: false, config: { read_only_mode: true } }, async (app) => {
    const body = { name: "a", value: "x" };
    assert.equal((await ask(app, "POST /api/v1/secrets", { body })).body.code, "management_disabled");
    assert.equal((await ask(app, "DELETE /api/v1/secrets/a")).body.code, "management_disabled");
  }));

test("a server that waited for the secret connects, and one that uses an older value connects anew", () => {
  const uses = (name: string) => ({
    name,
    command: process.execPath,
    args: ["test/programs/upstream-stdio.mjs", "--name", name, "--tools", "1"],
    env: { TOKEN: "${keyring:t}" },
  });
  const other = { ...uses("other"), env: {} };
  return withApp({ servers: [uses("up"), other] }, async (app) => {
    const pid = (name: string) => app.upstreams.get(name)?.status().pid;
    const ready = (name: string, not?: number) =>
      until(`${name} to connect`, () => app.upstreams.get(name)?.status().state === "Ready" && pid(name) !== not);
    await ready("other");
    await until("up to miss it", () => app.upstreams.get("up")?.status().missingSecret === "${keyring:t}");

    await call(app, "POST /api/v1/secrets", { body: { name: "t", value: "one" } });
    await ready("up");
    const [first, untouched] = [pid("up"), pid("other")];
    await call(app, "POST /api/v1/secrets", { body: { name: "t", value: "two" } });
    await ready("up", first);
    assert.equal(pid("other"), untouched);
  });
});

test("a disk that is full refuses a secret by name and reason, and its removal likewise", () =>
  withApp({ connect: false }, async (app) => {
    const full = () =>
      Promise.reject(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }));
    Object.assign(app.secrets, { set: full, delete: full });

    const stored = await ask(app, "POST /api/v1/secrets", { body: { name: "t", value: "one" } });
    const removed = await ask(app, "DELETE /api/v1/secrets/t");

    assert.deepEqual([stored.status, stored.body.code], [500, "secret_unwritable"]);
    assert.match(stored.body.error, /the secret "t" cannot be stored: .*ENOSPC/);
    assert.match(removed.body.error, /the secret "t" cannot be removed: .*ENOSPC/);
  }));

test("a secret in use is kept, with the places that use it named, unless its removal is forced", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x", env: { TOKEN: "${keyring:t}" } }] }, async (app) => {
    await call(app, "POST /api/v1/secrets", { body: { name: "t", value: "one" } });

    const { status, body } = await ask(app, "DELETE /api/v1/secrets/t");
    assert.deepEqual([status, body.code], [409, "secret_in_use"]);
    assert.match(body.error, /in use \(env\.TOKEN of server "git"\).*force=true/);
    assert.equal(await app.secrets.get("t"), "one");

    const gone = await call(app, "DELETE /api/v1/secrets/{name}", { params: { name: "t" }, query: { force: "true" } });
    assert.deepEqual(gone.used_by, [{ server: "git", field: "env.TOKEN" }]);
    assert.equal((await ask(app, "DELETE /api/v1/secrets/t")).status, 404);
  }));
