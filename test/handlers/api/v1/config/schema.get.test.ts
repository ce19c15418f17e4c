import assert from "node:assert/strict";
import { test } from "node:test";
import { configKeys } from "#lib/core/config/config-keys.ts";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";

test("the configuration is described key by key: kind, choices, default, meaning, and what waits for a restart", () =>
  withApp({}, async (app) => {
    const { schema, restart_keys } = await call(app, "GET /api/v1/config/schema", {});
    const { properties } = schema as { properties: Record<string, Record<string, unknown>> };
    assert.deepEqual(
      Object.keys(properties),
      configKeys().map(({ key }) => key),
    );
    assert.deepEqual(properties.routing_mode, {
      enum: ["retrieve_tools", "direct", "code_execution"],
      type: "string",
      default: "retrieve_tools",
      description: "routing mode of `/mcp`: the search and call tools, every upstream tool directly, or code execution",
    });
    assert.equal(properties.read_only_mode?.type, "boolean");
    const isolation = properties.docker_isolation?.properties as Record<string, { description?: string }>;
    assert.match(isolation.memory_limit?.description ?? "", /memory/);
    assert.ok(restart_keys.includes("listen") && !restart_keys.includes("tools_limit"));
  }));
