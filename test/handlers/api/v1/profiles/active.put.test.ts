import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";

const OPTIONS = {
  connect: false,
  servers: [{ name: "git", command: "x" }],
  config: { profiles: [{ name: "work", servers: ["git"] }] },
};

test("the active profile is told to listeners when it changes, and outlives a restart", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  await withApp({ ...OPTIONS, dir }, async (app) => {
    const told: unknown[] = [];
    app.events.subscribe(({ kind, data }) => kind === "active_profile.changed" && told.push(data));
    assert.deepEqual(await call(app, "GET /api/v1/profiles/active", {}), { active_profile: "" });

    const set = (body: object) => call(app, "PUT /api/v1/profiles/active", { body });
    assert.deepEqual(await set({ active_profile: "work" }), { active_profile: "work" });
    await set({ profile: "work" });
    assert.deepEqual(told, [{ active_profile: "work" }]);

    for (const [body, status] of [
      [{ profile: "nope" }, 404],
      [{}, 400],
      [{ profile: 1 }, 400],
    ] as const)
      assert.equal((await ask(app, "PUT /api/v1/profiles/active", { body })).status, status);
  });

  await withApp({ ...OPTIONS, dir }, async (app) => {
    assert.deepEqual(await call(app, "GET /api/v1/profiles/active", {}), { active_profile: "work" });
    await call(app, "PATCH /api/v1/config", { body: { profiles: [] } });
    assert.deepEqual(await call(app, "GET /api/v1/profiles/active", {}), { active_profile: "" });
  });
});
