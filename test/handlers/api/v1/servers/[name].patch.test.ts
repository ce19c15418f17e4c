import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { TEST_KEY, type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const PATCH = "PATCH /api/v1/servers/{name}";
const git = {
  name: "git",
  command: "git-mcp",
  args: ["--a", "--b"],
  env: { GITHUB_TOKEN: "0123456789abcdefghijabcdefghijabcdefghgh", LANG: "C", GONE: "x" },
  isolation: { image: "alpine", extra_args: ["-v"] },
  working_dir: "/srv",
  reconnect_on_use: true,
};
const start = (fn: (app: TestApp) => Promise<void>, servers: Parameters<typeof withApp>[0]["servers"] = [git]) =>
  withApp({ connect: false, servers }, fn);

verifies(
  ["rest.patch.map-upsert", "rest.patch.map-null", "rest.patch.map-absent", "rest.patch.map-empty"],
  "maps follow JSON merge patch: a text sets, null deletes, absent stays, empty is a value",
  () =>
    start(async (app) => {
      await call(app, PATCH, { params: { name: "git" }, body: { env: { LANG: "", GONE: null, NEW: "1" } } });

      assert.deepEqual(app.config.server("git")?.env, { GITHUB_TOKEN: git.env.GITHUB_TOKEN, LANG: "", NEW: "1" });
    }),
);

verifies(
  ["rest.patch.omitted", "rest.patch.args", "rest.patch.booleans", "rest.patch.isolation", "rest.patch.fields"],
  "absent fields stay, arrays are replaced, booleans set, isolation merges deeply",
  () =>
    start(async (app) => {
      const body = { args: ["--c"], isolation: { enabled_override: true, extra_args: [] }, enabled: false };
      await call(app, PATCH, { params: { name: "git" }, body });

      const { updated, ...after } = app.config.server("git")!;
      assert.ok(updated);
      assert.deepEqual(after, {
        ...git,
        args: ["--c"],
        isolation: { image: "alpine", extra_args: [], enabled_override: true },
        enabled: false,
        quarantined: false,
      });
      await call(app, PATCH, {
        params: { name: "git" },
        body: { reconnect_on_use: false, auto_approve_tool_changes: false },
      });
      assert.equal(app.config.server("git")?.reconnect_on_use, false);
      assert.equal(app.config.server("git")?.auto_approve_tool_changes, false);
    }),
);

test("null removes a field, an empty text clears a scalar", () =>
  start(async (app) => {
    await call(app, PATCH, {
      params: { name: "git" },
      body: { isolation: null, working_dir: "", reconnect_on_use: null },
    });

    const after = app.config.server("git")!;
    assert.deepEqual([after.isolation, after.working_dir, after.reconnect_on_use], [undefined, undefined, undefined]);
    assert.ok(!readFileSync(app.config.path, "utf8").includes("alpine"));
  }));

verifies(["rest.servers.patch"], "the answer is the updated server, masked", () =>
  start(async (app) => {
    const after = await call(app, PATCH, { params: { name: "git" }, body: { command: "other" } });

    assert.deepEqual([after.name, after.command, after.action, after.server], ["git", "other", "patch", "git"]);
    assert.equal(after.env?.GITHUB_TOKEN, "••••gh (40 chars)");
  }),
);

verifies(
  ["rest.redact.echo-map", "rest.redact.echo-refused", "rest.error.400"],
  "a mask that comes back under its own key means the stored value; anywhere else it is refused",
  () =>
    start(async (app) => {
      const mask = "••••gh (40 chars)";
      await call(app, PATCH, { params: { name: "git" }, body: { env: { GITHUB_TOKEN: mask, LANG: "de" } } });
      assert.equal(app.config.server("git")?.env?.GITHUB_TOKEN, git.env.GITHUB_TOKEN);

      for (const body of [{ env: { OTHER: mask } }, { args: [mask] }, { command: mask }]) {
        const { status, body: answer } = await ask(app, "PATCH /api/v1/servers/git", { body });
        assert.equal(status, 400);
        assert.match(answer.error, /masked value/);
      }
      assert.equal(app.config.server("git")?.env?.LANG, "de");
    }),
);

test("a change that makes the server impossible is refused, and nothing is written", () =>
  start(async (app) => {
    const before = readFileSync(app.config.path, "utf8");
    for (const [body, text] of [
      [{ command: "" }, "command: a server needs a command or a url"],
      [{ protocol: "smoke" }, "protocol: must be one of"],
      [{ env: { A: 1 } }, "env.A: must be a string"],
      [{ evn: {} }, "evn: unknown field; known fields: name, protocol,"],
      [{ enabled: false, isolation: { netwrk_mode: "none" } }, "isolation.netwrk_mode: unknown field; known fields:"],
      [{ enabled: false, oauth: { clientid: "x" } }, "oauth.clientid: unknown field; known fields:"],
      [{ name: "other" }, "name: a server cannot be renamed"],
    ] as const) {
      const { status, body: answer } = await ask(app, "PATCH /api/v1/servers/git", { body });
      assert.equal(status, 400, JSON.stringify(body));
      assert.ok(answer.error.startsWith(text), answer.error);
    }
    assert.equal((await ask(app, "PATCH /api/v1/servers/nope", { body: { enabled: true } })).status, 404);
    assert.equal(readFileSync(app.config.path, "utf8"), before);
  }));

test("null is no value of a switch or of the arguments: it is refused, and the server stays as it is", () =>
  start(async (app) => {
    await call(app, PATCH, { params: { name: "git" }, body: { enabled: false } });
    const before = readFileSync(app.config.path, "utf8");

    for (const field of ["enabled", "quarantined", "args"]) {
      const { status, body } = await ask(app, "PATCH /api/v1/servers/git", { body: { [field]: null } });
      assert.equal(status, 400, field);
      assert.match(body.error, new RegExp(`^${field}: must be .*, not null$`));
    }
    assert.equal(readFileSync(app.config.path, "utf8"), before);
  }));

test("a folder that is not there is stored, and the answer says so", () =>
  start(async (app) => {
    const { message } = await call(app, PATCH, { params: { name: "git" }, body: { working_dir: "/no/such" } });
    const added = await call(app, "POST /api/v1/servers", {
      body: { name: "other", command: "x", working_dir: "/no/such" },
    });
    const { warnings } = await call(app, "POST /api/v1/config/validate", {
      body: { mcpServers: [{ name: "a", command: "x", working_dir: "/no/such" }] },
    });

    const remark = "working_dir /no/such does not exist or is not a folder; the server cannot start without it";
    assert.equal(message, `server "git": changed, ${remark}`);
    assert.equal(added.message, `server "other": added, ${remark}`);
    assert.deepEqual(warnings, [{ field: "mcpServers[0].working_dir", message: remark }]);
  }));

test("changing what a server runs over REST leaves its quarantine to the administrator", () =>
  start(async (app) => {
    await call(app, PATCH, { params: { name: "git" }, body: { command: "other" } });
    assert.equal(app.config.server("git")?.quarantined, false);
  }));

test("an anonymous or agent caller never reaches it", () =>
  start(async (app) => {
    assert.equal((await ask(app, "PATCH /api/v1/servers/git", { as: "nobody", body: { enabled: false } })).status, 401);
  }));

test("a change meant for another revision of the server is refused with 412", () =>
  start(async (app) => {
    const [record] = (await call(app, "GET /api/v1/servers", {})).servers;
    const send = (tag: string, command: string) =>
      ask(app, "PATCH /api/v1/servers/git", { body: { command }, as: { "x-api-key": TEST_KEY, "if-match": tag } });

    const first = await send(`"${record?.revision}"`, "one");
    assert.equal(first.status, 200);
    assert.equal(first.headers.get("etag"), `"${first.body.data.revision}"`);
    const stale = await send(`"${record?.revision}"`, "two");
    assert.deepEqual([stale.status, stale.body.code], [412, "changed_meanwhile"]);
    assert.equal(app.config.server("git")?.command, "one");
  }));

test("the answer says when nothing changed", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "git-mcp" }] }, async (app) => {
    const said = async (body: object) => (await ask(app, "PATCH /api/v1/servers/git", { body })).body.data.message;

    assert.equal(await said({}), 'server "git": nothing changed');
    assert.equal(await said({ working_dir: "/srv" }), 'server "git": changed');
    assert.equal(await said({ working_dir: "/srv" }), 'server "git": nothing changed');
  }));
