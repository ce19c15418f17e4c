import assert from "node:assert/strict";
import { test } from "node:test";
import type { Config } from "#lib/core/config/config-keys.ts";
import { TEST_KEY, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const SECRET = "0123456789abcdefghijabcdefghijabcdefghgh";
const git = {
  name: "git",
  command: "git-mcp",
  args: ["--api-key", SECRET],
  env: { GITHUB_TOKEN: SECRET },
  headers: { Authorization: `Bearer ${SECRET}` },
  oauth: { client_secret: SECRET, scopes: ["read-all"] },
};
const edition = {
  enabled: false,
  credential_encryption_key: SECRET,
  oauth: { issuer_url: "https://id.example", client_id: "proxy", client_secret: SECRET },
};
const config = {
  server_edition: edition,
  environment: { custom_vars: { ANY: SECRET } },
  my_extension: { password: SECRET, keep: 1 },
  reveal_secret_headers: true,
};

verifies(
  ["rest.config.get", "edition.client-secret"],
  "the configuration is shown with defaults and unknown keys, and never with a secret, reveal or not",
  () =>
    withApp({ connect: false, servers: [git], config }, async (app) => {
      const shown = await call(app, "GET /api/v1/config", {});

      const text = JSON.stringify(shown);
      assert.ok(!text.includes(SECRET) && !text.includes(TEST_KEY), text);
      const { mcpServers, server_edition, ...rest } = shown.config as unknown as Config & { my_extension: unknown };
      assert.equal(rest.api_key, "••••ef (25 chars)");
      assert.equal(rest.tools_limit, 15);
      assert.deepEqual(rest.my_extension, { password: "••••gh (40 chars)", keep: 1 });
      assert.deepEqual([mcpServers[0]?.name, mcpServers[0]?.env?.GITHUB_TOKEN], ["git", "••••gh (40 chars)"]);
      assert.equal(server_edition?.oauth?.client_id, "proxy");
      assert.equal(shown.config_path, app.config.path);
      assert.deepEqual(shown.unknown_keys, ["my_extension"]);
    }),
);

test("what environment and command line say stands beside the document, not in it", () =>
  withApp(
    { connect: false, config: { tools_limit: 20 }, env: { SERVICE_TOOLS_LIMIT: "5", SERVICE_API_KEY: "k".repeat(30) } },
    async (app) => {
      const shown = await call(app, "GET /api/v1/config", { as: { "x-api-key": "k".repeat(30) } });

      assert.equal((shown.config as unknown as Config).tools_limit, 20);
      assert.equal(shown.overrides.tools_limit, 5);
      assert.equal(shown.overrides.api_key, "••••kk (30 chars)");
    },
  ));

test("the ETag begins with the revision, and changes with every change", () =>
  withApp({ connect: false }, async (app) => {
    const first = await ask(app, "GET /api/v1/config");
    assert.match(first.headers.get("etag")!, new RegExp(`^"${first.body.data.revision}\\.[\\w-]{22}"$`));
    assert.equal((await ask(app, "GET /api/v1/config")).headers.get("etag"), first.headers.get("etag"));

    await app.config.update((draft) => Object.assign(draft, { tools_limit: 3 }), "test");
    assert.notEqual((await ask(app, "GET /api/v1/config")).headers.get("etag"), first.headers.get("etag"));
  }));

verifies(["rest.auth.token-reads"], "an agent token sees the configuration of its own servers, and no paths", () =>
  withApp(
    {
      connect: false,
      servers: [git, { name: "other", command: "x" }],
      config: {
        profiles: [
          { name: "mine", servers: ["git", "other"] },
          { name: "theirs", servers: ["other"] },
        ],
      },
    },
    async (app) => {
      const { token } = await call(app, "POST /api/v1/tokens", { body: { name: "bot", allowed_servers: ["git"] } });

      const shown = await call(app, "GET /api/v1/config", { as: { "x-api-key": token } });

      assert.deepEqual(
        (shown.config as unknown as Config).mcpServers.map((s) => s.name),
        ["git"],
      );
      assert.deepEqual((shown.config as unknown as Config).profiles, [{ name: "mine", servers: ["git"] }]);
      assert.equal(shown.config_path, undefined);
      assert.ok(!JSON.stringify(shown).includes("other") && !JSON.stringify(shown).includes(app.dir));
    },
  ),
);
