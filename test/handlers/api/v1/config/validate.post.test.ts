import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const VALIDATE = "POST /api/v1/config/validate";
const SECRET = "0123456789abcdefghijabcdefghijabcdefghgh";
const git = { name: "git", command: "git-mcp", env: { GITHUB_TOKEN: SECRET }, args: ["--token", SECRET] };

verifies(["rest.config.validate", "rest.auth.token-reads"], "a document is checked and nothing is changed", () =>
  withApp({ connect: false, servers: [git] }, async (app) => {
    const before = readFileSync(app.config.path, "utf8");
    const { token } = await call(app, "POST /api/v1/tokens", { body: { name: "bot" } });
    const { config } = await call(app, "GET /api/v1/config", {});

    assert.deepEqual(await call(app, VALIDATE, { body: { tools_limit: 20 } }), {
      valid: true,
      errors: [],
      warnings: [],
    });
    assert.deepEqual(await call(app, VALIDATE, { body: { tools_limit: 0, tolls_limit: 1 } }), {
      valid: false,
      errors: [{ field: "tools_limit", message: "must be a whole number from 1 to 1000" }],
      warnings: [],
    });
    assert.deepEqual((await call(app, VALIDATE, { body: { tolls_limit: 1 } })).warnings, [
      { field: "tolls_limit", message: "is unknown and is kept unchanged; did you mean tools_limit?" },
    ]);
    const masked = await call(app, VALIDATE, { body: config });
    assert.deepEqual(
      masked.errors.map(({ field }) => field),
      ["mcpServers[0].args[1]"],
    );
    const byAgent = await call(app, VALIDATE, { body: { listen: 1 }, as: { "x-api-key": token } });
    assert.deepEqual(byAgent.errors, [{ field: "listen", message: "must be a string, not a number" }]);
    assert.equal(readFileSync(app.config.path, "utf8"), before);
  }),
);
