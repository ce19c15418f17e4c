import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const ROUTE = "POST /api/v1/secrets/migrate";
const SERVERS = [
  { name: "git", command: "x", env: { GIT_TOKEN: "sesame-one-secret", LOG: "debug" }, args: ["--password=sesame-two"] },
  {
    name: "crm",
    url: "https://crm.example.com/mcp?api_key=sesame-three",
    headers: { Authorization: "Bearer sesame-four-4" },
    oauth: { client_id: "proxy", client_secret: "sesame-five" },
  },
];
const start = (fn: (app: TestApp) => Promise<void>) => withApp({ connect: false, servers: SERVERS }, fn);
/** Everything the data directory holds that is text. */
const files = (app: TestApp) =>
  readdirSync(app.dir, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /json|enc/.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), "utf8"))
    .join("\n");

verifies("rest.what.masking", "what would be moved is shown masked, and nothing is changed by it", () =>
  start(async (app) => {
    const before = readFileSync(app.config.path, "utf8");

    const { analysis, dry_run } = await call(app, ROUTE, { body: {} });

    assert.deepEqual(
      analysis.candidates.map((c) => [c.server, c.field, c.name, c.suggested]),
      [
        ["git", "env.GIT_TOKEN", "git-GIT_TOKEN", "${keyring:git-GIT_TOKEN}"],
        ["git", "args.0", "git-password", "${keyring:git-password}"],
        ["crm", "headers.Authorization", "crm-Authorization", "${keyring:crm-Authorization}"],
        ["crm", "url?api_key", "crm-url-api_key", "${keyring:crm-url-api_key}"],
        ["crm", "oauth.client_secret", "crm-client_secret", "${keyring:crm-client_secret}"],
      ],
    );
    assert.deepEqual([dry_run, analysis.total_found], [true, 5]);
    assert.ok(!JSON.stringify(analysis).includes("sesame"));
    assert.equal(readFileSync(app.config.path, "utf8"), before);
    assert.deepEqual(await app.secrets.list(), []);
  }),
);

test("secrets go into the keyring, references into the file, and no copy is left; once more does nothing", () =>
  start(async (app) => {
    await call(app, "PATCH /api/v1/config", { body: { tools_limit: 3 } });

    const done = await call(app, ROUTE, { body: { apply: true } });

    assert.deepEqual([done.dry_run, done.analysis.total_found], [false, 5]);
    const stored = new Map((await app.secrets.entries()).map(({ name, backend }) => [name, backend]));
    for (const { name, backend } of done.analysis.candidates) assert.equal(backend, stored.get(name), name);
    const [git, crm] = ["git", "crm"].map((name) => app.config.server(name));
    assert.deepEqual([git?.env?.GIT_TOKEN, git?.env?.LOG], ["${keyring:git-GIT_TOKEN}", "debug"]);
    assert.deepEqual(git?.args, ["--password=${keyring:git-password}"]);
    assert.equal(crm?.url, "https://crm.example.com/mcp?api_key=${keyring:crm-url-api_key}");
    assert.equal(crm?.oauth?.client_secret, "${keyring:crm-client_secret}");
    assert.equal(await app.secrets.resolve(crm?.url ?? ""), "https://crm.example.com/mcp?api_key=sesame-three");
    assert.equal(await app.secrets.resolve(git?.args?.[0] ?? ""), "--password=sesame-two");
    await call(app, "GET /api/v1/config/history", {});
    assert.ok(!files(app).includes("sesame"), "a copy is left");
    const text = readFileSync(app.config.path, "utf8");
    const again = await call(app, ROUTE, { body: { apply: true } });
    assert.equal(again.analysis.total_found, 0);
    assert.equal(readFileSync(app.config.path, "utf8"), text);
  }));

test("one server alone is moved where it is named; an unknown one and a locked configuration are refused", () =>
  start(async (app) => {
    await call(app, ROUTE, { body: { apply: true, server: "git" } });

    assert.deepEqual(await app.secrets.list(), ["git-GIT_TOKEN", "git-password"]);
    assert.equal(app.config.server("crm")?.headers?.Authorization, "Bearer sesame-four-4");
    assert.equal((await ask(app, ROUTE, { body: { server: "none" } })).status, 404);
    await app.config.update((draft) => {
      draft.read_only_mode = true;
    }, "test");
    assert.equal((await ask(app, ROUTE, { body: {} })).status, 200);
    assert.equal((await ask(app, ROUTE, { body: { apply: true } })).body.code, "management_disabled");
  }));

test("a run that ended after the secrets were stored is finished by the next one, with the same names", () =>
  start(async (app) => {
    await app.secrets.set("git-GIT_TOKEN", "sesame-one-secret");
    await app.secrets.set("crm-Authorization", "of somebody else");

    await call(app, ROUTE, { body: { apply: true } });

    assert.equal(app.config.server("git")?.env?.GIT_TOKEN, "${keyring:git-GIT_TOKEN}");
    assert.equal(app.config.server("crm")?.headers?.Authorization, "${keyring:crm-Authorization-2}");
    assert.equal(await app.secrets.get("crm-Authorization"), "of somebody else");
  }));

test("where the file cannot be written the secrets are forgotten again", () =>
  start(async (app) => {
    const { update } = app.config;
    Object.assign(app.config, { update: () => Promise.reject(new Error("no room")) });
    try {
      assert.equal((await ask(app, ROUTE, { body: { apply: true } })).status, 500);
    } finally {
      Object.assign(app.config, { update });
    }
    assert.deepEqual(await app.secrets.list(), []);
    assert.equal(app.config.server("git")?.env?.GIT_TOKEN, "sesame-one-secret");
  }));

test("no migrated value stands anywhere afterwards: in the configuration, in names, lists or the activity", async () => {
  const values = [
    "cN10G8NPRVdD53X83RZJzzzzgE",
    "u7Xq-password-Zk",
    "cN13jgVvqQ8mZp2Lr5TzzzzyH",
    "ghp_0123456789abcdefghijABCDEFGHIJ012345",
  ] as const;
  const [one, password, two, bare] = values;
  const args = ["--api-key", one, `postgres://u:${password}@h/db`, "-p", two, `Authorization: Bearer ${two}`, bare];
  const servers = [{ name: "stdio1", command: "x", args }];
  await withApp({ connect: false, servers }, async (app) => {
    const preview = await call(app, ROUTE, { body: { server: "stdio1" } });
    const done = await call(app, ROUTE, { body: { apply: true, server: "stdio1" } });

    const list = await call(app, "GET /api/v1/secrets", {});
    const activity = await call(app, "GET /api/v1/activity", {});
    const shown = JSON.stringify([preview, done, list, activity]) + files(app);
    assert.deepEqual(
      values.filter((value) => shown.includes(value)),
      [],
    );
    assert.equal(done.analysis.total_found, args.length - 2);
    assert.deepEqual(await Promise.all((app.config.server("stdio1")?.args ?? []).map(app.secrets.resolve)), args);
  });
});
