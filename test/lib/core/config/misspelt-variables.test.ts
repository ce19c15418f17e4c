import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { envVariables } from "#lib/core/config/env-overrides.ts";
import { misspeltVariables, OTHER_VARIABLES } from "#lib/core/config/misspelt-variables.ts";
import "#lib/modules/config.gen.ts";

test("a variable that resembles one of the proxy's is reported with it, and no other", () => {
  const messages = misspeltVariables({
    SERVICE_LISTN: "x",
    SERVICE_LOGLEVEL: "debug",
    SERVICE_REQUIRE_MCP_AUTHS: "1",
    SERVICE_DISABLE_OATH: "1",
    SERVICE_LISTEN: ":0",
    SERVICE_URL: "x",
    SERVICE_REGISTRY_ACME_API_KEY: "x",
    SERVICE_PORT: "80",
    SERVICE_SERVICE_HOST: "10.0.0.1",
    SERVICE_NAME: "x",
    OTEL_SERVICE_NAME: "x",
  });

  assert.deepEqual(
    messages.map((text) => text.replace(/ is unknown.*mean /, " ")),
    [
      "environment variable SERVICE_DISABLE_OATH SERVICE_DISABLE_OAUTH?",
      "environment variable SERVICE_LISTN SERVICE_LISTEN?",
      "environment variable SERVICE_LOGLEVEL SERVICE_LOG_LEVEL?",
      "environment variable SERVICE_REQUIRE_MCP_AUTHS SERVICE_REQUIRE_MCP_AUTH?",
    ],
  );
});

test("every variable that the program reads by its name is known", () => {
  const known = new Set([...envVariables().map(({ name }) => name), ...OTHER_VARIABLES]);

  const files = ["lib", "cli"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  const read = files
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => [...readFileSync(path, "utf8").matchAll(/(?:env\.|Switch\(\S+ "|file\(")(SERVICE_[A-Z_]+)/g)])
    .map(([, name]) => name!);

  assert.ok(read.length > 10);
  assert.deepEqual(
    read.filter((name) => !known.has(name)),
    [],
  );
});
