import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const ROUTE = "POST /api/v1/servers/{name}/config-to-secret";
const VALUE = "Bearer zyxwvutsrqponmlkjihgfedcbazyxwv";
const git = {
  name: "git",
  url: "https://git.example/mcp",
  headers: { Authorization: VALUE, "X-Ref": "${env:X}", "X-Mixed": "Bearer ${keyring:t}", "X-Empty": "" },
};
const local = { name: "local", command: "x", env: { TOKEN: "plain-secret-value" } };
const start = (fn: (app: TestApp) => Promise<void>) => withApp({ connect: false, servers: [git, local] }, fn);
const everyFile = (app: TestApp) =>
  readdirSync(app.dir, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /json|enc/.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), "utf8"))
    .join("\n");

verifies(
  ["rest.servers.to-secret", "rest.to-secret.effect"],
  "the value goes from the file into the keyring and a reference takes its place, for what is shown masked too",
  () =>
    start(async (app) => {
      const told: unknown[] = [];
      app.events.subscribe(({ kind, data }) => kind === "secrets.changed" && told.push(data));
      await call(app, "PATCH /api/v1/config", { body: { tools_limit: 3 } });
      const body = { scope: "header", key: "authorization", secret_name: "git-auth" } as const;

      const done = await call(app, ROUTE, { params: { name: "git" }, body });

      assert.equal(done.reference, "${keyring:git-auth}");
      assert.ok(done.message.length > 5);
      assert.equal(app.config.server("git")?.headers?.Authorization, "${keyring:git-auth}");
      assert.equal(await app.secrets.resolve("${keyring:git-auth}"), VALUE);
      assert.deepEqual(told, [{ operation: "store", secret_name: "git-auth" }]);

      await call(app, ROUTE, { params: { name: "local" }, body: { scope: "env", key: "TOKEN", secret_name: "t2" } });
      assert.equal(await app.secrets.resolve("${keyring:t2}"), "plain-secret-value");
      await call(app, "GET /api/v1/config/history", {});
      const left = everyFile(app);
      assert.ok(!left.includes("zyxwvutsrqponm") && !left.includes("plain-secret-value"), "a copy is left");
    }),
);

verifies(["rest.to-secret.400", "rest.to-secret.404"], "what cannot be moved is refused by its reason", () =>
  start(async (app) => {
    const good = { scope: "header", key: "Authorization", secret_name: "s" };
    for (const [name, body, status, reason] of [
      ["git", { key: "Authorization", secret_name: "s" }, 400, /^scope/],
      ["git", { ...good, scope: "args" }, 400, /^scope: must be header or env/],
      ["git", { scope: "header", secret_name: "s" }, 400, /^key/],
      ["git", { ...good, key: "" }, 400, /^key: is required/],
      ["git", { scope: "header", key: "Authorization" }, 400, /^secret_name/],
      ["git", { ...good, secret_name: "a/b" }, 400, /secret's name/],
      ["git", { ...good, key: "X-Ref" }, 400, /already a reference: \$\{env:X\}/],
      ["git", { ...good, key: "X-Mixed" }, 400, /already a reference: \$\{keyring:t\}/],
      ["git", { ...good, key: "X-Empty" }, 400, /is empty/],
      ["nope", good, 404, /server "nope"/],
      ["git", { ...good, key: "X-Other" }, 404, /"X-Other" not found/],
      ["git", { ...good, scope: "env", key: "Authorization" }, 404, /not found/],
      ["local", { ...good, scope: "env", key: "__proto__" }, 404, /not found/],
    ] as const) {
      const answer = await ask(app, `POST /api/v1/servers/${name}/config-to-secret`, { body });
      assert.equal(answer.status, status, JSON.stringify(body));
      assert.match(answer.body.error, reason);
    }
    assert.deepEqual(await app.secrets.list(), []);
    assert.equal(app.config.server("git")?.headers?.Authorization, VALUE);
  }),
);

verifies(
  ["rest.to-secret.500", "rest.error.500"],
  "a store or a file that cannot be written is 500 and changes nothing",
  () =>
    start(async (app) => {
      const body = { scope: "header", key: "Authorization", secret_name: "s" };
      const { set, delete: remove } = app.secrets;
      Object.assign(app.secrets, { set: () => Promise.reject(new Error("the keyring is locked")) });
      const locked = await ask(app, "POST /api/v1/servers/git/config-to-secret", { body });
      assert.deepEqual([locked.status, locked.body.code], [500, "secret_unwritable"]);
      assert.match(locked.body.error, /keyring is locked/);

      const kept = new Map<string, string>();
      Object.assign(app.secrets, {
        set: async (name: string, value: string) => void kept.set(name, value),
        delete: async (name: string) => kept.delete(name),
      });
      const { update } = app.config;
      Object.assign(app.config, { update: () => Promise.reject(new Error("disk full")) });
      const full = await ask(app, "POST /api/v1/servers/git/config-to-secret", { body });
      assert.equal(full.status, 500);
      assert.equal(kept.size, 0);
      Object.assign(app.config, { update });
      Object.assign(app.secrets, { set, delete: remove });
      assert.equal(app.config.server("git")?.headers?.Authorization, VALUE);
    }),
);

test("a secret that another place uses is not overwritten", () =>
  start(async (app) => {
    await call(app, "POST /api/v1/secrets", { body: { name: "t", value: "in use" } });
    const body = { scope: "header", key: "Authorization", secret_name: "t" };
    const taken = await ask(app, "POST /api/v1/servers/git/config-to-secret", { body });
    assert.deepEqual([taken.status, taken.body.code], [409, "already_exists"]);
    assert.equal(await app.secrets.get("t"), "in use");
  }));
