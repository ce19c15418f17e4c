import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";

test("a removed server leaves neither definition nor tools; what was decided about them stays", () =>
  withApp(
    { connect: false, servers: [{ name: "git", command: "x" }], tools: { "git:log": "approved" } },
    async (app) => {
      const gone = await call(app, "DELETE /api/v1/servers/{name}", { params: { name: "git" } });

      assert.deepEqual([gone.server, gone.action, gone.success], ["git", "remove", true]);
      assert.equal(app.config.server("git"), undefined);
      for (let i = 0; i < 100 && app.catalog.of("git").length > 0; i++) await new Promise((r) => setTimeout(r, 5));
      assert.deepEqual([...app.catalog.of("git")], []);
      assert.equal(app.store.approvals.get("git", "log")?.status, "approved");
    },
  ));
