import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestOptions, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";

const OPTIONS: TestOptions = {
  connect: false,
  servers: [
    { name: "git", command: "x" },
    { name: "mail", command: "x" },
  ],
  tools: { "git:log": "approved", "git:diff": "pending", "mail:send": "approved" },
  config: {
    profiles: [
      { name: "work", servers: ["git", "gone"] },
      { name: "home", servers: ["mail"] },
    ],
  },
};

test("profiles are listed with the servers that are there and their tools", () =>
  withApp(OPTIONS, async (app) => {
    await call(app, "PUT /api/v1/profiles/active", { body: { profile: "home" } });
    assert.deepEqual((await call(app, "GET /api/v1/profiles", {})).profiles, [
      { name: "work", servers: ["git"], unknown_servers: ["gone"], tool_count: 2, active: false },
      { name: "home", servers: ["mail"], unknown_servers: [], tool_count: 1, active: true },
    ]);
  }));

test("an agent sees profiles by its own servers, and none of the rest", () =>
  withApp(OPTIONS, async (app) => {
    const { token } = await call(app, "POST /api/v1/tokens", { body: { name: "bot", allowed_servers: ["git"] } });
    const as = { "x-api-key": token };
    await call(app, "PUT /api/v1/profiles/active", { body: { profile: "home" } });

    assert.deepEqual((await call(app, "GET /api/v1/profiles", { as })).profiles, [
      { name: "work", servers: ["git"], unknown_servers: [], tool_count: 2, active: false },
    ]);
    assert.deepEqual(await call(app, "GET /api/v1/profiles/active", { as }), { active_profile: "" });
    assert.equal((await ask(app, "PUT /api/v1/profiles/active", { as, body: { profile: "work" } })).status, 403);
  }));
