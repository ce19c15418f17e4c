import assert from "node:assert/strict";
import { test } from "node:test";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { diagnose } from "#lib/modules/doctor/diagnose.ts";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { program } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

test("a reference without a value is a finding that names it and how to set it; once set, the server connects", () =>
  withApp(
    { servers: [{ ...program("git"), env: { TOKEN: "${keyring:git token}", B: "${keyring:git-b}" } }] },
    async (app) => {
      const health = async () => (await call(app, "GET /api/v1/servers", {})).servers[0]?.health;
      await until("the first attempt", async () => (await health())?.action === "set_secret");

      assert.deepEqual(await health(), {
        level: "unhealthy",
        admin_state: "enabled",
        summary: "Missing secret",
        detail: "${keyring:git token}",
        action: "set_secret",
      });
      const { findings, missing_secrets } = await diagnose(app, INTERNAL_CALLER);
      assert.deepEqual(
        findings
          .filter(({ code }) => code === "secret_missing")
          .map(({ title, server, severity, remedy }) => [title, server, severity, remedy?.command]),
        [
          ["${keyring:git token} has no value", "git", "error", "proxy secrets set 'git token'"],
          ["${keyring:git-b} has no value", "git", "error", "proxy secrets set git-b"],
        ],
      );
      assert.deepEqual(
        missing_secrets.map(({ secret_name }) => secret_name),
        ["${keyring:git token}", "${keyring:git-b}"],
      );

      await app.config.update((draft) => {
        const [git] = draft.mcpServers;
        if (git) git.env = { B: "${keyring:git-b}" };
      }, "test");
      await call(app, "POST /api/v1/secrets", { body: { name: "git-b", value: "there" } });
      await until("the connection", async () => (await health())?.action === "");
    },
  ));
