import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const VALUE = "correct horse battery staple";
const git = {
  name: "git",
  command: "x",
  env: { TOKEN: "${keyring:git-token}", HOST: "${env:GIT_HOST}" },
  args: ["--token=${keyring:git-token}"],
};
const start = (fn: (app: TestApp) => Promise<void>, env: Record<string, string> = { GIT_HOST: "example.com" }) =>
  withApp({ connect: false, servers: [git], config: { instructions: "see ${env:NOTE}" }, env }, fn);

verifies(
  ["rest.secrets.list", "rest.secrets.get"],
  "secrets are listed with where they are kept and used, never with their value",
  () =>
    start(async (app) => {
      await call(app, "POST /api/v1/secrets", { body: { name: "git-token", value: VALUE } });
      await call(app, "POST /api/v1/secrets", { body: { name: "unused", value: VALUE } });

      const list = await call(app, "GET /api/v1/secrets", {});
      const one = await call(app, "GET /api/v1/secrets/{name}", { params: { name: "git-token" } });

      const { updated_at, ...token } = one;
      assert.deepEqual(token, {
        name: "git-token",
        reference: "${keyring:git-token}",
        backend: "file",
        used_by: [
          { server: "git", field: "args[0]" },
          { server: "git", field: "env.TOKEN" },
        ],
      });
      assert.ok(Math.abs(Date.parse(updated_at ?? "") - Date.now()) < 60_000);
      assert.deepEqual(list.secrets[0], one);
      assert.deepEqual([list.total, list.secrets[1]?.name, list.secrets[1]?.used_by], [2, "unused", []]);
      assert.deepEqual(
        list.references.map(({ reference, is_set }) => [reference, is_set]),
        [
          ["${env:NOTE}", false],
          ["${keyring:git-token}", true],
          ["${env:GIT_HOST}", true],
        ],
      );
      assert.deepEqual([list.missing, list.backend.kind], [["${env:NOTE}"], "file"]);
      assert.ok(!JSON.stringify([list, one]).includes("horse"));
    }),
);

test("where secrets are kept is asked for before it is said: no keyring is claimed where there is none", () =>
  start(async (app) => {
    const { backend } = await call(app, "GET /api/v1/secrets", {});

    assert.equal(backend.kind, "file");
    assert.match(backend.reason ?? "", /tests use no keyring/);
  }));

test("a value moved into a secret is said to be where it is", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x", env: { TOKEN: VALUE } }] }, async (app) => {
    const { message } = await call(app, "POST /api/v1/servers/{name}/config-to-secret", {
      params: { name: "git" },
      body: { scope: "env", key: "TOKEN", secret_name: "git-token" },
    });

    assert.match(message, /in the encrypted file/);
    assert.ok(!message.includes("keyring"));
  }));
