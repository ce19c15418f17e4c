import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { TEST_KEY, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const APPLY = "POST /api/v1/config/apply";
const SECRET = "0123456789abcdefghijabcdefghijabcdefghgh";
const git = { name: "git", command: "git-mcp", env: { GITHUB_TOKEN: SECRET } };

verifies(["rest.config.apply"], "what is shown can be edited and applied whole; hot changes take effect at once", () =>
  withApp({ connect: false, servers: [git], config: { my_extension: 1 } }, async (app) => {
    const before = readFileSync(app.config.path, "utf8");
    const { config } = await call(app, "GET /api/v1/config", {});

    const same = await call(app, APPLY, { body: config });
    assert.deepEqual([same.changed_fields, same.message], [[], "nothing changed"]);
    assert.equal(readFileSync(app.config.path, "utf8"), before);

    const done = await call(app, APPLY, { body: { ...config, tools_limit: 9 } });
    assert.deepEqual([done.changed_fields, done.applied_immediately], [["tools_limit"], true]);
    assert.equal(app.config.current().tools_limit, 9);
    assert.equal(app.config.server("git")?.env?.GITHUB_TOKEN, SECRET);
    assert.equal(app.config.current().api_key, TEST_KEY);
  }),
);

test("what a whole document leaves out has its default again", () =>
  withApp({ connect: false, servers: [git], config: { tools_limit: 3, my_extension: 1 } }, async (app) => {
    const done = await call(app, APPLY, { body: { api_key: TEST_KEY }, query: { confirm: "true" } });

    assert.deepEqual(done.changed_fields, ["enable_socket", "listen", "mcpServers", "my_extension", "tools_limit"]);
    assert.deepEqual(done.restart_fields, ["enable_socket", "listen"]);
    assert.deepEqual(JSON.parse(readFileSync(app.config.path, "utf8")), { api_key: TEST_KEY });
    assert.equal(app.config.server("git"), undefined);
  }));

test("what the environment says otherwise is kept in the file and told", () =>
  withApp({ connect: false, env: { SERVICE_TOOLS_LIMIT: "5" } }, async (app) => {
    const { config } = await call(app, "GET /api/v1/config", {});
    const done = await call(app, APPLY, { body: { ...config, tools_limit: 9 } });

    assert.deepEqual([done.overridden_fields, done.applied_fields], [["tools_limit"], []]);
    assert.equal(app.config.current().tools_limit, 5);
  }));

test("a document that cannot be is refused with every problem", () =>
  withApp({ connect: false }, async (app) => {
    const { status, body } = await ask(app, APPLY, { body: { listen: "x", mcpServers: [{ name: "a" }] } });
    assert.equal(status, 400);
    assert.deepEqual(
      body.validation_errors.map((p: { field: string }) => p.field),
      ["listen", "mcpServers[0].command"],
    );
  }));

test("a document that drops the key or all servers is refused until the request confirms it", () =>
  withApp({ connect: false, servers: [git] }, async (app) => {
    const before = readFileSync(app.config.path, "utf8");
    const whole = structuredClone(app.config.raw()) as Record<string, unknown>;
    const { api_key: _, ...withoutKey } = whole;
    const rows: [object, RegExp][] = [
      [{}, /drops the administrator's key \(api_key\) and all 1 server\(s\)/],
      [withoutKey, /key/],
      [{ ...whole, api_key: null }, /key/],
      [{ ...whole, api_key: "" }, /key/],
      [{ ...whole, mcpServers: [] }, /all 1 server/],
      [{ ...whole, mcpServers: null }, /all 1 server/],
    ];

    for (const [document, lost] of rows)
      for (const query of ["", "?confirm=false"]) {
        const { status, body } = await ask(app, `${APPLY}${query}`, { body: document });
        assert.deepEqual([status, body.code], [409, "confirmation_required"], JSON.stringify(document));
        assert.match(body.error, lost);
        assert.match(body.error, /confirm=true/);
      }
    assert.equal(readFileSync(app.config.path, "utf8"), before);

    await call(app, APPLY, { body: { ...whole, mcpServers: [] } as never, query: { confirm: "true" } });
    assert.equal(app.config.server("git"), undefined);
    // Nothing is lost where nothing was.
    await call(app, APPLY, { body: { ...whole, mcpServers: [], tools_limit: 9 } as never });
  }));

test("a document without $schema keeps that of the file, and one with another replaces it", () =>
  withApp({ connect: false }, async (app) => {
    const whole = structuredClone(app.config.raw()) as Record<string, unknown>;
    const apply = (document: object) => call(app, APPLY, { body: document as never });

    await apply({ ...whole, $schema: "./a.json" });
    await apply({ ...whole, tools_limit: 9 });
    assert.deepEqual([app.config.raw().$schema, app.config.raw().tools_limit], ["./a.json", 9]);
    await apply({ ...whole, $schema: "./b.json" });
    assert.equal(app.config.raw().$schema, "./b.json");
  }));
