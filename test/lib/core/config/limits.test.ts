import assert from "node:assert/strict";
import { checkConfig } from "#lib/core/config/check.ts";
import { envOverrides } from "#lib/core/config/env-overrides.ts";
import { withApp } from "#test/kit/app.ts";
import { verifies } from "#test/kit/verifies.ts";

const ROWS: [key: string, byDefault: number, least: number, most: number][] = [
  ["code_execution_timeout_ms", 120_000, 1, 600_000],
  ["code_execution_max_tool_calls", 0, 0, Number.MAX_SAFE_INTEGER],
  ["code_execution_pool_size", 10, 1, 100],
  ["tools_limit", 15, 1, 1000],
];

verifies(
  ["limit.code-timeout", "limit.code-calls", "limit.code-pool", "limit.retrieve"],
  "limits have their defaults, and what is out of range is refused by name",
  () => {
    const defaults = checkConfig({});
    assert.ok(defaults.ok);
    for (const [key, byDefault, least, most] of ROWS) {
      assert.equal((defaults.config as Record<string, unknown>)[key], byDefault, key);
      for (const value of [least, Math.min(most, 1e6)]) assert.ok(checkConfig({ [key]: value }).ok, `${key}: ${value}`);
      for (const value of [least - 1, 0.5, "x", ...(most < Number.MAX_SAFE_INTEGER ? [most + 1] : [])]) {
        const refused = checkConfig({ [key]: value });
        assert.ok(!refused.ok && refused.problems.some(({ field }) => field === key), `${key}: ${value}`);
      }
    }
  },
);

verifies("host.env", "SERVICE_TRUSTED_HOSTS stands in place of the file's list", () => {
  assert.deepEqual(envOverrides({ SERVICE_TRUSTED_HOSTS: "a.example,b.example" }), {
    trusted_hosts: ["a.example", "b.example"],
  });
  return withApp(
    { connect: false, config: { trusted_hosts: ["file.example"] }, env: { SERVICE_TRUSTED_HOSTS: "env.example" } },
    async (app) => {
      assert.deepEqual(app.config.current().trusted_hosts, ["env.example"]);
    },
  );
});
