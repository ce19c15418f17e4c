import assert from "node:assert/strict";
import { test } from "node:test";
import { environmentSwitch, envOverrides, envVariables } from "#lib/core/config/env-overrides.ts";
import { verifies } from "#test/kit/verifies.ts";
import "#lib/modules/config.gen.ts";

verifies("peer.env", "variables override keys, lists comma-separated (spec 001 §5.2, §5.3)", () => {
  assert.deepEqual(
    envOverrides({
      SERVICE_TRUSTED_HOSTS: " a.example , .b.example:8080,",
      SERVICE_TRUSTED_PROXIES: "10.0.0.0/8,::1",
      SERVICE_LISTEN: ":0",
      SERVICE_TOOLS_LIMIT: "30",
      SERVICE_REQUIRE_MCP_AUTH: "YES",
      SERVICE_QUARANTINE_ENABLED: "0",
      SERVICE_ROUTING_MODE: "direct",
      SERVICE_DATA: "/data",
      SERVICE_LOG_LEVEL: "debug",
      SERVICE_LOG_DIR: "/logs",
      SERVICE_UNRELATED: "x",
      TRUSTED_HOSTS: "x",
    }),
    {
      listen: ":0",
      data_dir: "/data",
      require_mcp_auth: true,
      trusted_hosts: ["a.example", ".b.example:8080"],
      trusted_proxies: ["10.0.0.0/8", "::1"],
      quarantine_enabled: false,
      routing_mode: "direct",
      tools_limit: 30,
      logging: { level: "debug", log_dir: "/logs" },
    },
  );
});

test("an empty variable says nothing", () => {
  assert.deepEqual(envOverrides({ SERVICE_TRUSTED_HOSTS: "", SERVICE_LISTEN: " ", SERVICE_API_KEY: undefined }), {});
});

test("a bad value names its variable", () => {
  const rows: [name: string, value: string, message: string][] = [
    ["SERVICE_TOOLS_LIMIT", "many", "must be a number"],
    ["SERVICE_TOOLS_LIMIT", "0", "must be a whole number from 1 to 1000"],
    ["SERVICE_TOOLS_LIMIT", "0x10", "must be a number"],
    ["SERVICE_REQUIRE_MCP_AUTH", "perhaps", "must be true or false"],
    ["SERVICE_ROUTING_MODE", "fast", "must be one of retrieve_tools, direct, code_execution"],
    ["SERVICE_CALL_TOOL_TIMEOUT", "30", '"30" is not a duration such as "30s" or "2m"'],
    ["SERVICE_TRUSTED_PROXIES", "10.0.0.1,x", 'trusted_proxies[1] "x" is not a valid CIDR or IP address'],
    ["SERVICE_LOG_LEVEL", "loud", "must be one of trace, debug, info, warn, error"],
  ];
  for (const [name, value, message] of rows)
    assert.throws(
      () => envOverrides({ [name]: value }),
      (error: Error) => {
        assert.equal(error.message, `environment variable ${name}: ${message}`);
        return true;
      },
    );
});

test("a switch without a key takes the same words as one with a key", () => {
  const read = (value?: string) =>
    environmentSwitch({ SERVICE_DISABLE_AUTO_UPDATE: value }, "SERVICE_DISABLE_AUTO_UPDATE");

  assert.deepEqual(["true", "1", "TRUE", "yes", " on "].map(read), [true, true, true, true, true]);
  assert.deepEqual(["false", "0", "No", "off", "", undefined].map(read), [false, false, false, false, false, false]);
  assert.throws(
    () => read("never"),
    /^Fault: environment variable SERVICE_DISABLE_AUTO_UPDATE: must be true or false$/,
  );
});

test("every text, number, switch and list at the top has a variable of its own", () => {
  const names = envVariables().map((variable) => variable.name);

  assert.equal(new Set(names).size, names.length);
  for (const name of ["SERVICE_API_KEY", "SERVICE_ENABLE_SOCKET", "SERVICE_CODE_EXECUTION_POOL_SIZE", "SERVICE_DATA"])
    assert.ok(names.includes(name), name);
  assert.ok(!names.includes("SERVICE_MCPSERVERS") && !names.includes("SERVICE_DATA_DIR"));
});
