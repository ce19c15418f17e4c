import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tools } from "#handlers/mcp.gen.ts";
import { endpoints } from "#handlers/routes.gen.ts";
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

test("one script is shown as it would run, its secrets masked; what cannot run is refused by name", () =>
  withApp({}, async (app) => {
    const dir = join(app.dir, "scripts");
    mkdirSync(dir);
    writeFileSync(join(dir, "plain.ts"), "const a: number = 1; a");
    writeFileSync(join(dir, "keyed.js"), 'const key = "ghp_0123456789abcdefghijABCDEFGHIJ012345"; 1');
    writeFileSync(join(dir, "empty.js"), "");
    const show = (name: string) => call(app, "GET /api/v1/code/scripts/{name}", { params: { name } });
    assert.deepEqual(await show("plain"), {
      name: "plain",
      language: "typescript",
      source: "const a: number = 1; a",
      masked: false,
    });
    const keyed = await show("keyed");
    assert.deepEqual([keyed.masked, keyed.source.includes("ghp_0123456789")], [true, false]);
    for (const [name, status, code] of [
      ["empty", 400, "script_unusable"],
      ["none", 404, "script_not_found"],
      ["..%2Fmcp_config", 400, "script_name"],
    ] as const) {
      const answer = await ask(app, `GET /api/v1/code/scripts/${name}`);
      assert.deepEqual([answer.status, answer.body.code], [status, code]);
    }
  }));

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
      assert.deepEqual([...routes].sort(), [
        "GET /api/v1/code/scripts",
        "GET /api/v1/code/scripts/{name}",
        "POST /api/v1/code/exec",
      ]);
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
