import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(
  ["rest.container.get", "rest.container.enabled", "rest.container.recovery", "rest.container.last"],
  "without an engine the status says so and why; the switch stands beside it",
  () =>
    withApp(
      {
        connect: false,
        config: { docker_isolation: { enabled: true } },
        env: { DOCKER_HOST: `unix://${join(tmpdir(), "no-such.sock")}` },
      },
      async (app) => {
        const { last_attempt, last_error, ...status } = await call(app, "GET /api/v1/container/status", {});

        assert.deepEqual(status, {
          container_available: false,
          isolation_enabled: true,
          recovery_mode: false,
          failure_count: 1,
          attempts_since_up: 1,
        });
        assert.match(last_error, /no-such\.sock/);
        assert.ok(Math.abs(Date.parse(last_attempt) - Date.now()) < 60_000);
      },
    ),
);
