import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const ISOLATION = "PATCH /api/v1/config/container-isolation";

verifies(
  ["rest.config.isolation"],
  "the switch is kept under the name existing files use; their other fields stay",
  () =>
    withApp({ connect: false, config: { docker_isolation: { memory_limit: "1g", own: 1 } } }, async (app) => {
      const on = await call(app, ISOLATION, { body: { enabled: true } });

      assert.deepEqual(
        [on.isolation_enabled, on.applied_immediately, on.changed_fields],
        [true, true, ["docker_isolation"]],
      );
      const { docker_isolation } = JSON.parse(readFileSync(app.config.path, "utf8"));
      assert.deepEqual(docker_isolation, { memory_limit: "1g", own: 1, enabled: true });
      assert.equal((await call(app, "GET /api/v1/container/status", {})).isolation_enabled, true);

      for (const body of [{}, { enabled: "yes" }, { enabled: null }])
        assert.equal((await ask(app, ISOLATION, { body })).status, 400);
      assert.equal((await call(app, ISOLATION, { body: { enabled: false } })).isolation_enabled, false);
    }),
);
