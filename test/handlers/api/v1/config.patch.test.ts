import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const PATCH = "PATCH /api/v1/config";
const SECRET = "0123456789abcdefghijabcdefghijabcdefghgh";
const MASK = "••••gh (40 chars)";
const git = { name: "git", command: "git-mcp", env: { GITHUB_TOKEN: SECRET }, args: ["--a"] };
const start = (fn: (app: TestApp) => Promise<void>, options: Parameters<typeof withApp>[0] = {}) =>
  withApp({ connect: false, servers: [git], config: { my_extension: { keep: [1] } }, ...options }, fn);
const onDisk = (app: TestApp) => JSON.parse(readFileSync(app.config.path, "utf8"));

verifies(
  ["rest.config.patch", "config.tool-response-mode"],
  "a hot change is in force at the answer; objects merge, null deletes, unknown keys stay",
  () =>
    start(async (app) => {
      const seen: string[] = [];
      app.events.subscribe(({ kind }) => seen.push(kind));
      const body = { tool_response_mode: "compact", logging: { level: "warn" }, my_extension: { more: 2 } };
      const { revision, ...done } = await call(app, PATCH, { body });

      assert.deepEqual(done, {
        success: true,
        applied_immediately: true,
        requires_restart: false,
        message: "applied: logging, my_extension, tool_response_mode",
        changed_fields: ["logging", "my_extension", "tool_response_mode"],
        applied_fields: ["logging", "my_extension", "tool_response_mode"],
        restart_fields: [],
        overridden_fields: [],
        unknown_fields: ["my_extension"],
        pending_restart: [],
      });
      assert.equal(revision, app.config.revision());
      assert.equal(app.config.current().tool_response_mode, "compact");
      assert.equal(app.config.current().logging.max_size, 10);
      assert.deepEqual(onDisk(app).my_extension, { keep: [1], more: 2 });
      assert.deepEqual(
        seen.filter((kind) => kind.startsWith("config.")),
        ["config.saved", "config.reloaded"],
      );

      await call(app, PATCH, { body: { tool_response_mode: null, my_extension: { keep: null } } });
      assert.equal(app.config.current().tool_response_mode, "full");
      assert.ok(!("tool_response_mode" in onDisk(app)));
      assert.deepEqual(onDisk(app).my_extension, { more: 2 });
    }),
);

verifies(
  ["rest.routing.persisted", "rest.routing.reapply-clears", "rest.routing.pending", "rest.routing.restart-required"],
  "a change of the routing mode is kept and waits; hot changes leave it waiting; the served mode takes it back",
  () =>
    start(async (app) => {
      const routing = async () => {
        const { routing_mode, pending_routing_mode, restart_required } = await call(app, "GET /api/v1/routing", {});
        return [routing_mode, pending_routing_mode, restart_required];
      };
      const waiting = await call(app, PATCH, { body: { routing_mode: "direct", tools_limit: 4 } });
      assert.deepEqual(
        [waiting.applied_immediately, waiting.requires_restart, waiting.restart_reason],
        [false, true, "routing_mode takes effect at the next start"],
      );
      assert.deepEqual([waiting.applied_fields, waiting.restart_fields], [["tools_limit"], ["routing_mode"]]);
      assert.equal(onDisk(app).routing_mode, "direct");
      assert.deepEqual(await routing(), ["retrieve_tools", "direct", true]);

      const hot = await call(app, PATCH, { body: { tools_limit: 5 } });
      assert.deepEqual(
        [hot.applied_immediately, hot.requires_restart, hot.pending_restart],
        [true, false, ["routing_mode"]],
      );
      assert.deepEqual(await routing(), ["retrieve_tools", "direct", true]);

      const again = await call(app, PATCH, { body: { routing_mode: "direct" } });
      assert.deepEqual([again.changed_fields, again.requires_restart], [[], true]);

      const back = await call(app, PATCH, { body: { routing_mode: "retrieve_tools" } });
      assert.deepEqual([back.applied_immediately, back.requires_restart, back.pending_restart], [true, false, []]);
      assert.deepEqual(await routing(), ["retrieve_tools", "", false]);
    }),
);

verifies(
  ["rest.redact.echo-map", "rest.redact.echo-refused", "edition.client-secret"],
  "masks that come back in place are what is stored; moved, or where a value could move away, they are refused",
  () =>
    start(
      async (app) => {
        const edition = { oauth: { issuer_url: "https://id.example", client_secret: MASK } };
        const body = {
          api_key: "••••ef (25 chars)",
          mcpServers: [{ ...git, env: { GITHUB_TOKEN: MASK, LANG: "C" } }],
          server_edition: edition,
          environment: { custom_vars: { KEY: MASK } },
        };
        const done = await call(app, PATCH, { body });
        assert.deepEqual(done.changed_fields, ["mcpServers"]);
        assert.deepEqual(app.config.server("git")?.env, { GITHUB_TOKEN: SECRET, LANG: "C" });

        const before = readFileSync(app.config.path, "utf8");
        for (const [refused, field] of [
          [{ api_key: "••••zz (25 chars)" }, "api_key"],
          [{ instructions: "••••ef (25 chars)" }, "instructions"],
          [{ mcpServers: [{ ...git, name: "moved", env: { GITHUB_TOKEN: MASK } }] }, "mcpServers[0].env.GITHUB_TOKEN"],
          [{ mcpServers: [{ ...git, args: [MASK] }] }, "mcpServers[0].args[0]"],
          [{ environment: { custom_vars: { OTHER: MASK } } }, "environment.custom_vars.OTHER"],
          [
            { server_edition: { oauth: { issuer_url: "https://evil.example", client_secret: MASK } } },
            "server_edition.oauth.client_secret",
          ],
        ] as const) {
          const { status, body: answer } = await ask(app, PATCH, { body: refused });
          assert.equal(status, 400, field);
          assert.ok(answer.error.startsWith(`${field} holds a masked value`), answer.error);
        }
        assert.equal(readFileSync(app.config.path, "utf8"), before);
      },
      {
        config: {
          environment: { custom_vars: { KEY: SECRET } },
          server_edition: { oauth: { issuer_url: "https://id.example", client_secret: SECRET } },
        },
      },
    ),
);

verifies(["rest.error.400", "peer.message"], "what is wrong is said for each key, and nothing is written", () =>
  start(async (app) => {
    const before = readFileSync(app.config.path, "utf8");
    const body = { tools_limit: 0, trusted_proxies: ["10.0.0.0/8", "nonsense"] };

    const { status, body: answer } = await ask(app, PATCH, { body });

    assert.equal(status, 400);
    assert.equal(answer.code, "config_invalid");
    assert.deepEqual(answer.validation_errors, [
      { field: "trusted_proxies[1]", message: 'trusted_proxies[1] "nonsense" is not a valid CIDR or IP address' },
      { field: "tools_limit", message: "must be a whole number from 1 to 1000" },
    ]);
    assert.equal(readFileSync(app.config.path, "utf8"), before);
  }),
);

test("a change meant for another revision is refused with 412", () =>
  start(async (app) => {
    const etag = (await ask(app, "GET /api/v1/config")).headers.get("etag")!;
    const send = (tag: string, tools_limit: number) =>
      ask(app, PATCH, { body: { tools_limit }, as: { "x-api-key": "test-key-0123456789abcdef", "if-match": tag } });

    const first = await send(etag, 7);
    assert.equal(first.status, 200);
    assert.notEqual(first.headers.get("etag"), etag);
    const stale = await send(etag, 8);
    assert.deepEqual([stale.status, stale.body.code], [412, "changed_meanwhile"]);
    assert.equal(app.config.current().tools_limit, 7);
    assert.equal((await send(`"x", ${first.headers.get("etag")}`, 9)).status, 200);
    assert.equal((await send("*", 10)).status, 200);
    assert.equal((await send("7", 11)).status, 400);
  }));

test("read_only_mode refuses every way to change the configuration", () =>
  start(
    async (app) => {
      for (const [route, body] of [
        [PATCH, { tools_limit: 3 }],
        ["POST /api/v1/config/apply", { tools_limit: 3 }],
        ["PATCH /api/v1/config/container-isolation", { enabled: true }],
        ["POST /api/v1/config/history/1/restore", undefined],
      ] as const) {
        const answer = await ask(app, route, body && { body });
        assert.deepEqual([answer.status, answer.body.code], [403, "management_disabled"], route);
      }
    },
    { config: { read_only_mode: true } },
  ));

test("a change of servers is recorded for each, and releases what it takes out of quarantine", () =>
  start(
    async (app) => {
      const servers = [
        { ...git, quarantined: false },
        { name: "new", command: "x" },
      ];
      await call(app, PATCH, { body: { mcpServers: servers } });
      await until("the release is followed", () => app.catalog.get("git:log")?.status === "approved");

      assert.equal(app.config.quarantined(app.config.server("new")!), true);
      const { activities } = await call(app, "GET /api/v1/activity", {});
      const told = activities.map((a) => [a.type, a.server_name, a.metadata?.action].filter(Boolean).join(" "));
      for (const line of ["config_change patch", "quarantine_change git unquarantine", "server_change new add"])
        assert.ok(told.includes(line), `${line} in ${told}`);
    },
    { servers: [{ ...git, quarantined: true }], tools: { "git:log": "pending" } },
  ));

verifies(["rest.auth.gate-config", "rest.auth.gate-text"], "agent tokens may not change the configuration", () =>
  start(async (app) => {
    const { token } = await call(app, "POST /api/v1/tokens", { body: { name: "bot" } });
    for (const route of [PATCH, "POST /api/v1/config/apply", "PATCH /api/v1/config/container-isolation"]) {
      const { status, body } = await ask(app, route, { body: { enabled: true }, as: { "x-api-key": token } });
      assert.deepEqual([status, body.error], [403, "operation requires admin access"], route);
    }
  }),
);

test("a switch, list or number is not changed by an empty text or a value of another type", () =>
  start(async (app) => {
    const before = app.config.revision();
    for (const key of ["require_mcp_auth", "enable_socket", "trusted_hosts", "mcpServers", "tools_limit", "logging"])
      for (const value of ["", " ", "no"]) {
        const { status, body } = await ask(app, PATCH, { body: { [key]: value } });
        assert.deepEqual([status, body.code], [400, "config_invalid"], `${key} ${JSON.stringify(value)}`);
      }
    assert.equal(app.config.revision(), before);
  }));

test("a key that is not known is refused at every level with the one that is meant, unless it is said to be meant or stands there already", () =>
  start(async (app) => {
    const before = readFileSync(app.config.path, "utf8");
    const patch = (body: object, query = "") => ask(app, `PATCH /api/v1/config${query}`, { body });

    for (const [body, text] of [
      [{ tool_respnse_mode: "full" }, "tool_respnse_mode: unknown field; did you mean tool_response_mode?; to keep it"],
      [{ logging: { levle: "warn" } }, "logging.levle: unknown field; did you mean logging.level?; to keep it"],
      [{ zzzzzzzzz: 1 }, "zzzzzzzzz: unknown field; to keep it anyway, repeat the request with ?allow_unknown=true"],
      [
        { mcpServers: [{ name: "git", command: "x", wrking_dir: "/" }] },
        "mcpServers[0].wrking_dir: unknown field; did you mean mcpServers[0].working_dir?",
      ],
    ] as const) {
      const { status, body: answer } = await patch(body);
      assert.equal(status, 400);
      assert.ok(answer.error.startsWith(text), answer.error);
    }
    assert.equal(readFileSync(app.config.path, "utf8"), before);
    assert.equal((await patch({ zzzzzzzzz: 1 }, "?allow_unknown=true")).status, 200);
    assert.equal((await patch({ zzzzzzzzz: 2, my_extension: { more: 3 }, neverThere: null })).status, 200);
    assert.deepEqual([onDisk(app).zzzzzzzzz, onDisk(app).my_extension], [2, { keep: [1], more: 3 }]);
  }));

test("a key that the environment sets is written and not said to be applied", () =>
  start(
    async (app) => {
      const done = await call(app, PATCH, { body: { trusted_hosts: ["x.example"], tool_response_mode: "compact" } });

      assert.equal(done.applied_immediately, false);
      assert.deepEqual([done.applied_fields, done.overridden_fields], [["tool_response_mode"], ["trusted_hosts"]]);
      assert.equal(
        done.message,
        "applied: tool_response_mode; written to the file but overridden by the environment or the command line: trusted_hosts",
      );
    },
    { env: { SERVICE_TRUSTED_HOSTS: "y.example" } },
  ));
