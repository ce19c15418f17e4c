import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { endpoints, tools } from "#handlers/routes.gen.ts";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies("code.scripts.empty", "the directory is told even when nothing is there", () =>
  withApp({}, async (app) => {
    assert.deepEqual(await call(app, "GET /api/v1/code/scripts", {}), { dir: join(app.dir, "scripts"), scripts: [] });
  }),
);

verifies(["code.scripts.listing", "code.rest.scripts"], "scripts come with paths and status", () =>
  withApp({}, async (app) => {
    const dir = join(app.dir, "scripts");
    mkdirSync(dir);
    for (const file of ["a.js", "b.js", "b.ts"]) writeFileSync(join(dir, file), "1");
    writeFileSync(join(dir, "c.ts"), "");
    const { scripts } = await call(app, "GET /api/v1/code/scripts", {});
    assert.deepEqual(scripts, [
      { name: "a", paths: [join(dir, "a.js")], status: "ok" },
      { name: "b", paths: [join(dir, "b.js"), join(dir, "b.ts")], status: "ambiguous" },
      { name: "c", paths: [join(dir, "c.ts")], status: "invalid", reason: "empty" },
    ]);
  }),
);

test("nobody without a credential reads the list (spec 001 §5.2)", () =>
  withApp({}, async (app) => {
    assert.equal((await ask(app, "GET /api/v1/code/scripts", { as: "nobody" })).status, 401);
  }));

verifies(
  "code.script.read-only",
  "no route and no tool makes, changes or removes a script; running one leaves it as it is",
  () =>
    withApp({ connect: false }, async (app) => {
      const routes = endpoints.map(({ route }) => route).filter((route) => route.includes("/code/"));
      assert.deepEqual([...routes].sort(), ["GET /api/v1/code/scripts", "POST /api/v1/code/exec"]);
      assert.deepEqual(
        tools.map(({ name }) => name).filter((name) => /script|file/.test(name)),
        [],
      );
      const dir = join(app.dir, "scripts");
      mkdirSync(dir);
      writeFileSync(join(dir, "a.js"), "1 + 1");
      const { body } = await ask(app, "POST /api/v1/code/exec", { body: { script: "a" } });
      assert.deepEqual(body, { ok: true, value: 2 });
      assert.deepEqual([readdirSync(dir), readFileSync(join(dir, "a.js"), "utf8")], [["a.js"], "1 + 1"]);
    }),
);
