import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";

test("a secret that is not there is 404, and agents see none", () =>
  withApp({ connect: false }, async (app) => {
    const { token } = await call(app, "POST /api/v1/tokens", { body: { name: "bot" } });
    for (const name of ["nope", "__proto__", "a%2Fb", "%00"])
      assert.equal((await ask(app, `GET /api/v1/secrets/${name}`)).status, 404, name);
    for (const route of ["GET /api/v1/secrets", "GET /api/v1/secrets/x", "DELETE /api/v1/secrets/x"])
      assert.equal((await ask(app, route, { as: { "x-api-key": token } })).status, 403);
  }));
