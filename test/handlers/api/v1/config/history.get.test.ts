import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Config } from "#lib/core/config/config-keys.ts";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";

const SECRET = "0123456789abcdefghijabcdefghijabcdefghgh";
const git = { name: "git", command: "git-mcp", env: { GITHUB_TOKEN: SECRET } };

test("every content is kept with who and when, and any of them can be restored", () =>
  withApp({ connect: false, servers: [git] }, async (app) => {
    await call(app, "PATCH /api/v1/config", { body: { tools_limit: 3 } });
    await call(app, "PATCH /api/v1/config", { body: { mcpServers: [] } });

    const { versions, total } = await call(app, "GET /api/v1/config/history", {});
    assert.equal(total, 3);
    assert.deepEqual(
      versions.map(({ version, by, changed_fields }) => [version, by, changed_fields.join()]),
      [
        [3, "admin", "mcpServers"],
        [2, "admin", "tools_limit"],
        [1, "configuration file", "listen,enable_socket,api_key,mcpServers"],
      ],
    );
    assert.deepEqual(
      versions.map((one) => one.changed_servers),
      [["git"], [], undefined],
    );
    assert.ok(Math.abs(Date.parse(versions[0]!.timestamp) - Date.now()) < 60_000);

    const old = await call(app, "GET /api/v1/config/history/{version}", { params: { version: "2" } });
    assert.equal(old.current, false);
    assert.equal((old.config as unknown as Config).mcpServers[0]?.env?.GITHUB_TOKEN, "••••gh (40 chars)");

    const done = await call(app, "POST /api/v1/config/history/{version}/restore", { params: { version: "2" } });
    assert.deepEqual(done.changed_fields, ["mcpServers"]);
    assert.equal(app.config.server("git")?.env?.GITHUB_TOKEN, SECRET);
    const now = await call(app, "GET /api/v1/config/history/{version}", { params: { version: "4" } });
    assert.equal(now.current, true);

    for (const version of ["99", "0", "x", "-1", "1e3"])
      assert.equal((await ask(app, `POST /api/v1/config/history/${version}/restore`)).status, 404, version);
  }));

test("the kept contents are readable by the owner only, and twenty of them", () =>
  withApp({ connect: false }, async (app) => {
    for (let n = 1; n <= 25; n++) await call(app, "PATCH /api/v1/config", { body: { tools_limit: n } });

    const { versions } = await call(app, "GET /api/v1/config/history", {});
    assert.deepEqual([versions.length, versions[0]?.version], [20, 26]);
    const dir = join(app.dir, "config-history");
    assert.equal(statSync(dir).mode & 0o777, 0o700);
    for (const name of readdirSync(dir)) assert.equal(statSync(join(dir, name)).mode & 0o777, 0o600);
  }));

test("an edit by hand is a version too, and a damaged one spoils no other", () =>
  withApp({ connect: false }, async (app) => {
    const text = readFileSync(app.config.path, "utf8");
    writeFileSync(app.config.path, text.replace("{", '{ "tools_limit": 7,'));
    await until("the edit", () => app.config.current().tools_limit === 7);

    const { versions } = await call(app, "GET /api/v1/config/history", {});
    assert.deepEqual([versions[0]?.by, versions[0]?.changed_fields], ["configuration file", ["tools_limit"]]);

    writeFileSync(join(app.dir, "config-history", "000001.json"), "{broken");
    assert.equal((await call(app, "GET /api/v1/config/history", {})).total, 1);
    assert.equal((await ask(app, "GET /api/v1/config/history/1")).status, 404);
  }));
