import assert from "node:assert/strict";
import { test } from "node:test";
import { TEST_KEY } from "#test/kit/app.ts";
import { jsonOf, program, serve, textOf } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const ADMIN = { "x-api-key": TEST_KEY };
const TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ456789";

async function managed(t: Parameters<typeof serve>[0], options: Parameters<typeof serve>[1], headers = {}) {
  const served = await serve(t, options);
  const mcp = await served.client("/mcp/call", headers);
  const run = (operation: string, args: Record<string, unknown> = {}) =>
    mcp.callTool({ name: "upstream_servers", arguments: { operation, ...args } });
  const stored = (name: string) => served.app.config.server(name);
  return { ...served, run, stored };
}

verifies(
  ["mcp.upstream.operations", "mcp.upstream.fields", "mcp.upstream.quarantined"],
  "a server is added quarantined, changed, listed, tailed and removed",
  async (t) => {
    const { run, stored, app, client } = await managed(t, {});

    const added = jsonOf(
      await run("add", {
        name: "git",
        command: "/nowhere/git",
        args_json: '["-y"]',
        env_json: '{"A":"1"}',
        enabled: false,
        quarantined: false,
      }),
    );
    assert.deepEqual([added.added, added.quarantined], [true, true]);
    assert.match(added.message, /upstream confirm git/);
    assert.deepEqual([stored("git")?.args, stored("git")?.env], [["-y"], { A: "1" }]);
    assert.equal(app.config.quarantined(stored("git")!), true);

    assert.deepEqual(jsonOf(await run("patch", { name: "git", reconnect_on_use: true })).changed, ["reconnect_on_use"]);
    const list = jsonOf(await run("list"));
    assert.deepEqual([list.total, list.servers[0].name, list.servers[0].reconnect_on_use], [1, "git", true]);
    app.serverLogs.write("git", "info", `token=${TOKEN}`);
    const withheld = await run("tail_log", { name: "git", lines: 5 });
    assert.match(textOf(withheld), /shown to administrators only/);
    const admin = await client("/mcp/call", ADMIN);
    const tail = jsonOf(
      await admin.callTool({
        name: "upstream_servers",
        arguments: { operation: "tail_log", name: "git", lines: 5 },
      }),
    );
    assert.deepEqual([tail.server_name, tail.lines_requested, tail.lines_returned], ["git", 5, 1]);
    assert.deepEqual(jsonOf(await run("remove", { name: "git" })), { name: "git", removed: true });
    assert.equal(stored("git"), undefined);
  },
);

verifies(
  [
    "mcp.patch.scalars",
    "mcp.patch.maps",
    "mcp.patch.arrays",
    "mcp.patch.objects",
    "mcp.patch.null",
    "mcp.patch.last-wins",
  ],
  "update and patch merge as the field is: scalars and lists replace, maps and objects merge, null removes",
  async (t) => {
    const server = {
      name: "git",
      command: "a",
      enabled: false,
      args: ["1", "2"],
      env: { A: "1", B: "2" },
      headers: { X: "1" },
      working_dir: "/tmp",
      isolation: { image: "i", extra_args: ["--a"] },
      oauth: { client_id: "c", extra_params: { audience: "x" } },
    };
    for (const operation of ["update", "patch"]) {
      const { run, stored } = await managed(t, { servers: [server] });
      const apply = async (args: Record<string, unknown>) => {
        const answer = await run(operation, { name: "git", ...args });
        assert.equal(answer.isError, undefined, textOf(answer));
        return stored("git")!;
      };
      assert.equal((await apply({ command: "b" })).command, "b");
      assert.deepEqual((await apply({ env_json: '{"B":"3","C":"4"}' })).env, { A: "1", B: "3", C: "4" });
      assert.deepEqual((await apply({ env: { A: null } })).env, { B: "3", C: "4" });
      assert.deepEqual((await apply({ headers_json: '{"Y":"2"}' })).headers, { X: "1", Y: "2" });
      assert.deepEqual((await apply({ args_json: '["9"]' })).args, ["9"]);
      assert.deepEqual((await apply({ isolation_json: '{"image":"j"}' })).isolation, {
        image: "j",
        extra_args: ["--a"],
      });
      assert.deepEqual((await apply({ oauth_json: '{"extra_params":{"resource":"y"}}' })).oauth, {
        client_id: "c",
        extra_params: { audience: "x", resource: "y" },
      });
      assert.equal((await apply({ isolation_json: "null" })).isolation, undefined);
      assert.equal((await apply({ working_dir: null })).working_dir, undefined);
      assert.deepEqual((await apply({ args_json: "" })).args, ["9"]);
      for (const field of ["env", "headers", "oauth"] as const)
        assert.equal((await apply({ [`${field}_json`]: null }))[field], undefined, `null removes ${field}`);
    }
  },
);

test("changing what a server runs quarantines and holds it, whoever asks over MCP", async (t) => {
  for (const headers of [{}, ADMIN]) {
    const { run, app, stored } = await managed(
      t,
      { servers: [{ name: "git", command: "a", args: ["1"], env: { A: "1" }, enabled: false }] },
      headers,
    );
    const quarantined = () => app.config.quarantined(stored("git")!);
    await run("patch", { name: "git", command: "a", args_json: '["1"]', enabled: false, reconnect_on_use: true });
    assert.equal(quarantined(), false);

    const answer = jsonOf(await run("patch", { name: "git", env_json: '{"A":"2"}' }));

    assert.deepEqual([quarantined(), stored("git")?.held, answer.held], [true, true, true]);
    assert.match(answer.message, /is held.*upstream confirm git/);
  }
});

test("an unauthenticated client never trusts on a person's behalf (spec 000 §2.9)", async (t) => {
  const { run, stored } = await managed(t, {
    servers: [{ name: "git", command: "a", enabled: false, quarantined: true }],
  });
  const rows: [string, Record<string, unknown>][] = [
    ["patch", { name: "git", quarantined: false }],
    ["update", { name: "git", quarantined: null }],
    ["patch", { name: "git", trust_mode: "auto" }],
    ["patch", { name: "git", auto_approve_tool_changes: true }],
    ["add", { name: "new", command: "x", trust_mode: "auto" }],
    ["add", { name: "new", command: "x", auto_approve_tool_changes: true }],
  ];
  for (const [operation, args] of rows) {
    const answer = await run(operation, args);
    if (operation === "update") continue;
    assert.deepEqual([answer.isError, answer._meta?.["proxy/code"]], [true, "mcp_only_admin"], JSON.stringify(args));
  }
  assert.equal(stored("git")?.quarantined !== false, true);
  assert.equal(stored("new"), undefined);
  await run("add", { name: "sly", command: "x", enabled: false, quarantined: false, skip_quarantine: true });
  assert.equal(stored("sly")?.quarantined, true);
});

test("values are masked for everybody but an authenticated administrator who has them revealed (spec 000 §2.9 rule 5)", async (t) => {
  const server = {
    name: "git",
    command: "a",
    enabled: false,
    env: { API_TOKEN: TOKEN },
    headers: { Authorization: `Bearer ${TOKEN}` },
  };
  for (const [headers, reveal, seen] of [
    [{}, false, false],
    [{}, true, false],
    [ADMIN, false, false],
    [ADMIN, true, true],
  ] as const) {
    const { run } = await managed(t, { servers: [server], config: { reveal_secret_headers: reveal } }, headers);
    assert.equal(textOf(await run("list")).includes(TOKEN), seen, JSON.stringify([headers, reveal]));
  }
});

test("a mask that comes back stands for what it masks, and only there (spec 000 §2.9 rules 6 and 7)", async (t) => {
  const { run, stored } = await managed(t, {
    servers: [{ name: "git", command: "a", enabled: false, env: { API_TOKEN: TOKEN } }],
  });
  const mask = jsonOf(await run("list")).servers[0].env.API_TOKEN;

  await run("patch", { name: "git", env_json: JSON.stringify({ API_TOKEN: mask, B: "1" }) });
  assert.deepEqual(stored("git")?.env, { API_TOKEN: TOKEN, B: "1" });
  const moved = await run("patch", { name: "git", env_json: JSON.stringify({ OTHER: mask }) });
  assert.equal(moved._meta?.["proxy/code"], "echoed_mask");
});

test("what the configuration forbids is refused by the key that forbids it", async (t) => {
  const rows: [Record<string, unknown>, string, string][] = [
    [{ read_only_mode: true }, "patch", "read_only_mode"],
    [{ read_only_mode: true }, "add", "read_only_mode"],
    [{ allow_server_add: false }, "add", "allow_server_add"],
    [{ allow_server_remove: false }, "remove", "allow_server_remove"],
  ];
  for (const [config, operation, key] of rows) {
    const { run } = await managed(t, { config, servers: [{ name: "git", command: "a", enabled: false }] });
    const answer = await run(operation, { name: operation === "add" ? "new" : "git", command: "x" });
    assert.equal(answer.isError, true);
    assert.match(textOf(answer), new RegExp(key));
    assert.equal((await run("list")).isError, undefined);
  }
});

test("a running server is disabled, enabled, restarted and asked for its tools again", async (t) => {
  const { run, app } = await managed(t, { servers: [program("up")], connect: true });
  const state = () => app.upstreams.get("up")?.status().state;

  assert.equal(jsonOf(await run("disable", { name: "up" })).enabled, false);
  await until("it is gone", () => state() === "Disconnected");
  assert.equal(jsonOf(await run("enable", { name: "up" })).enabled, true);
  await until("it is back", () => state() === "Ready");
  assert.equal(jsonOf(await run("restart", { name: "up" })).restarted, true);
  assert.ok(jsonOf(await run("refresh", { name: "up" })).tool_count > 10);
});

test("a restart that fails is an error result that says why", async (t) => {
  const { run } = await managed(t, {
    servers: [{ name: "git", command: "/nowhere/git", enabled: false }],
    connect: true,
  });
  await run("enable", { name: "git" });

  const answer = await run("restart", { name: "git" });

  assert.equal(answer.isError, true);
  assert.equal(jsonOf(answer).restarted, false);
  assert.match(jsonOf(answer).failure, /not found/);
});

test("that a change holds the server is no changed field", async (t) => {
  const { run } = await managed(t, { servers: [{ name: "git", command: "a", enabled: false }] });

  const { changed, held } = jsonOf(await run("patch", { name: "git", command: "b" }));

  assert.equal(held, true);
  assert.deepEqual(changed.includes("held"), false);
});

test("null means left out where a server is added", async (t) => {
  const { run, stored } = await managed(t, {});
  const nulls = { args_json: null, env_json: null, headers_json: null, isolation_json: null, oauth_json: null };

  const answer = await run("add", { name: "git", command: "a", enabled: false, working_dir: null, ...nulls });

  assert.equal(answer.isError, undefined, textOf(answer));
  assert.deepEqual([stored("git")?.env, stored("git")?.args], [undefined, undefined]);
});

test("an empty or null JSON text does not remove the field that is sent beside it", async (t) => {
  const { run, stored } = await managed(t, {});

  await run("add", {
    name: "git",
    command: "a",
    enabled: false,
    args: ["-y"],
    args_json: "",
    env: { A: "1" },
    env_json: null,
  });

  assert.deepEqual([stored("git")?.args, stored("git")?.env], [["-y"], { A: "1" }]);
});

test("input that makes no sense is refused by its field", async (t) => {
  const { run } = await managed(t, { servers: [{ name: "git", command: "a", enabled: false }] });
  const rows: [string, Record<string, unknown>, RegExp][] = [
    ["explode", {}, /operation/],
    ["remove", {}, /name/],
    ["patch", { name: "git", comand: "b" }, /unknown parameter "comand".*did you mean command\?/],
    ["remove", { name: "none" }, /server "none" not found/],
    ["patch", { name: "git", args_json: "[" }, /args_json is not valid JSON/],
    ["patch", { name: "git", args_json: '{"a":1}' }, /args/],
    ["patch", { name: "git", env_json: '{"A":1}' }, /env/],
    ["patch", { name: "git", enabled: "yes" }, /enabled/],
    ["patch", { name: "git", init_timeout: "soon" }, /init_timeout/],
    ["tail_log", { name: "git", lines: 0 }, /lines/],
    ["tail_log", { name: "git", lines: 501 }, /lines/],
    ["add", { name: "git", command: "x" }, /already exists/],
    ["add", { command: "x" }, /name/],
    ["add", { name: "a:b", command: "x" }, /colon/],
  ];
  for (const [operation, args, text] of rows) {
    const answer = await run(operation, args);
    assert.equal(answer.isError, true, JSON.stringify(args));
    assert.match(textOf(answer), text);
  }
});
