import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { endpoints } from "#handlers/routes.gen.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";

const start = (fn: (app: TestApp) => Promise<void>) =>
  withApp(
    {
      connect: false,
      config: { registries: [{ id: "ours", url: "https://ours.example", servers_url: "https://ours.example/list" }] },
      servers: [
        { name: "git", command: "x", env: { TOKEN: "${keyring:t}" } },
        { name: "web", command: "x", enabled: false },
        { name: "new", command: "x", quarantined: true },
        { name: "far", command: "x", held: true, quarantined: true },
      ],
      tools: { "git:log": "pending", "git:old": "approved", "new:get": "pending" },
    },
    fn,
  );

const TOKEN = { name: "ci", permissions: ["read"] };

/** A valid request of each endpoint that takes the parameter, and what it would change. */
const ROWS: Readonly<Record<string, [path: string, body: object | undefined, changes: string[]]>> = {
  "POST /api/v1/servers": ["/api/v1/servers", { name: "more", command: "x" }, ["mcpServers.more added"]],
  "PATCH /api/v1/servers/{name}": [
    "/api/v1/servers/git",
    { enabled: false, env: { A: "b" } },
    ["mcpServers.git.env.A added", "mcpServers.git.enabled added", "mcpServers.git.updated added"],
  ],
  "DELETE /api/v1/servers/{name}": ["/api/v1/servers/git", undefined, ["mcpServers.git removed"]],
  "POST /api/v1/servers/{name}/enable": ["/api/v1/servers/web/enable", undefined, ["mcpServers.web.enabled"]],
  "POST /api/v1/servers/{name}/disable": ["/api/v1/servers/git/disable", undefined, ["mcpServers.git.enabled"]],
  "POST /api/v1/servers/{name}/quarantine": [
    "/api/v1/servers/git/quarantine",
    undefined,
    ["mcpServers.git.quarantined changed"],
  ],
  "POST /api/v1/servers/{name}/unquarantine": [
    "/api/v1/servers/new/unquarantine",
    undefined,
    ["mcpServers.new.quarantined changed"],
  ],
  "POST /api/v1/servers/{name}/confirm": ["/api/v1/servers/far/confirm", undefined, ["mcpServers.far.held"]],
  "POST /api/v1/servers/enable_all": ["/api/v1/servers/enable_all", undefined, ["mcpServers.web.enabled"]],
  "POST /api/v1/servers/disable_all": ["/api/v1/servers/disable_all", undefined, ["mcpServers.git.enabled"]],
  "POST /api/v1/admin/servers/{name}/enable": ["/api/v1/admin/servers/web/enable", undefined, ["mcpServers.web"]],
  "POST /api/v1/admin/servers/{name}/disable": ["/api/v1/admin/servers/git/disable", undefined, ["mcpServers.git"]],
  "PATCH /api/v1/config": ["/api/v1/config", { logging: { level: "debug" } }, ["logging added"]],
  "POST /api/v1/config/apply": ["/api/v1/config/apply?confirm=true", { mcpServers: [] }, ["mcpServers"]],
  "PATCH /api/v1/config/container-isolation": [
    "/api/v1/config/container-isolation",
    { enabled: true },
    ["docker_isolation added"],
  ],
  "POST /api/v1/config/history/{version}/restore": ["/api/v1/config/history/1/restore", undefined, ["tool_response"]],
  "PUT /api/v1/registries/{id}": ["/api/v1/registries/ours", { name: "Ours" }, ["registries.ours.name added"]],
  "DELETE /api/v1/registries/{id}": ["/api/v1/registries/ours", undefined, ["registries.ours removed"]],
  "POST /api/v1/tokens": ["/api/v1/tokens", TOKEN, ["agent token ci added"]],
  "DELETE /api/v1/tokens/{name}": ["/api/v1/tokens/bot", undefined, ["agent token bot changed"]],
  "DELETE /api/v1/tokens/{name}/permanent": ["/api/v1/tokens/bot/permanent", undefined, ["agent token bot removed"]],
  "POST /api/v1/secrets": ["/api/v1/secrets", { name: "u", value: "v" }, ["secret u added"]],
  "DELETE /api/v1/secrets/{name}": ["/api/v1/secrets/t?force=true", undefined, ["secret t removed"]],
  "POST /api/v1/servers/{name}/tools/approve": [
    "/api/v1/servers/git/tools/approve",
    { tools: ["log"] },
    ["tool git:log changed"],
  ],
  "POST /api/v1/servers/{name}/tools/block": [
    "/api/v1/servers/git/tools/block",
    { tools: ["old"] },
    ["tool git:old changed"],
  ],
  "POST /api/v1/servers/{name}/tools/{tool}/enabled": [
    "/api/v1/servers/git/tools/old/enabled",
    { enabled: false },
    ["tool git:old changed"],
  ],
  "POST /api/v1/servers/{name}/tools/enable_all": ["/api/v1/servers/git/tools/enable_all", undefined, []],
  "POST /api/v1/servers/{name}/tools/disable_all": [
    "/api/v1/servers/git/tools/disable_all",
    undefined,
    ["tool git:log changed", "tool git:old changed"],
  ],
  "POST /api/v1/security/scanners/{id}/enable": ["/api/v1/security/scanners/source-patterns/enable", undefined, []],
  "POST /api/v1/security/scanners/{id}/disable": [
    "/api/v1/security/scanners/source-patterns/disable",
    undefined,
    ["security"],
  ],
};

/** Everything that a dry run could have touched. */
async function everything(app: TestApp): Promise<unknown> {
  return structuredClone({
    file: readFileSync(app.config.path, "utf8"),
    approvals: app.store.approvals.all(),
    known: app.store.knownServers.all(),
    tokens: app.store.tokens.all(),
    secrets: await app.secrets.entries(),
    history: await app.config.history.list(),
    activity: (await app.store.activity.select({}, { limit: 1000 })).total,
  });
}

test("a request with validate_only=true says what it would change, and changes, starts and announces nothing", () =>
  start(async (app) => {
    await ask(app, "POST /api/v1/tokens", { body: { name: "bot", permissions: ["read"] } });
    await ask(app, "POST /api/v1/secrets", { body: { name: "t", value: "one" } });
    await ask(app, "PATCH /api/v1/config", { body: { tool_response_mode: "compact" } });
    const before = await everything(app);
    const heard: string[] = [];
    app.events.subscribe(({ kind }) => heard.push(kind));

    for (const [route, [path, body, changes]] of Object.entries(ROWS)) {
      const method = route.split(" ")[0]!;
      const target = `${method} ${path}${path.includes("?") ? "&" : "?"}validate_only=true`;
      const { status, body: answer } = await ask(app, target, { body });

      assert.equal(status, 200, `${route}: ${JSON.stringify(answer)}`);
      assert.equal(answer.data.validate_only, true);
      const found = answer.data.changes.map((one: { path: string; change: string }) => `${one.path} ${one.change}`);
      for (const change of changes)
        assert.ok(
          found.some((text: string) => text.startsWith(change)),
          `${route}: ${change} is not among ${found}`,
        );
      assert.deepEqual(await everything(app), before, route);
    }
    assert.deepEqual(heard, []);
  }));

test("every endpoint that takes validate_only has its row, and every other one refuses it", () =>
  start(async (app) => {
    const taking = endpoints.filter(({ spec }) => spec.validates).map(({ route }) => route as string);

    // A registry is asked first and prompts are listed first, so these rows stand with their own tests.
    assert.deepEqual(taking.filter((route) => !(route in ROWS)).sort(), [
      "POST /api/v1/registries",
      "POST /api/v1/servers/{name}/items/approve",
      "POST /api/v1/servers/{name}/items/block",
    ]);
    const refused = await ask(app, "POST /api/v1/servers/restart_all?validate_only=true");
    assert.deepEqual([refused.status, refused.body.code], [400, "invalid_request"]);
    assert.match((await ask(app, "POST /api/v1/tokens?validate_only=yes", { body: TOKEN })).body.error, /true, false/);
  }));

test("a dry run is refused as the request itself would be, and names no value", () =>
  start(async (app) => {
    const dry = (line: string, body?: object) => ask(app, `${line}?validate_only=true`, { body });

    assert.equal((await dry("POST /api/v1/servers", { name: "git", command: "x" })).body.code, "already_exists");
    assert.match((await dry("PATCH /api/v1/servers/git", { command: "" })).body.error, /needs a command or a url/);
    assert.equal((await dry("PATCH /api/v1/config", { tool_response_mode: "x" })).body.code, "config_invalid");
    assert.equal((await dry("DELETE /api/v1/servers/nope")).status, 404);
    const { body } = await dry("PATCH /api/v1/servers/git", { env: { TOKEN: "hush-hush-hush" } });
    assert.deepEqual(
      body.data.changes.map((one: { path: string }) => one.path),
      ["mcpServers.git.env.TOKEN", "mcpServers.git.updated"],
    );
    assert.ok(!JSON.stringify(body).includes("hush"));
    const same = await dry("POST /api/v1/tokens", TOKEN);
    assert.ok(!JSON.stringify(same.body).includes("prx_") && same.body.data.token === undefined);
  }));
