import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { BUNDLE, folder, runProgram, start } from "#test/kit/program.ts";
import { verifies } from "#test/kit/verifies.ts";

// The watchdog is started by the name of the running program, which would be this test, again and again.
process.argv[1] = BUNDLE;

const UPSTREAM = resolve("test/programs/upstream-stdio.mjs");
const server = (name: string, ...flags: string[]) => ({
  name,
  command: process.execPath,
  args: [UPSTREAM, "--name", name, ...flags],
  quarantined: false,
  trust_mode: "auto",
});

/** A data directory of its own, with a configuration that nothing listens by. */
function configured(dir: string, more: Record<string, unknown> = {}): string {
  const path = join(dir, "mcp_config.json");
  writeFileSync(path, JSON.stringify({ listen: "", api_key: "k", mcpServers: [], ...more }), { mode: 0o600 });
  return path;
}
const exec = (dir: string, argv: string[], world: { env?: Record<string, string>; signal?: AbortSignal } = {}) =>
  cli(["code", "exec", "-c", join(dir, "mcp_config.json"), ...argv], commands, world);

test("without a proxy code runs in this process, which leaves nothing locked behind", async (t) => {
  const dir = folder(t);
  configured(dir);

  for (const n of ["1", "2"]) assert.equal(JSON.parse((await exec(dir, ["--code", n])).out).value, Number(n));
});

verifies(
  ["code.cli.script", "code.cli.config"],
  "--config says in which folder a stored script is looked up, without a proxy too",
  async (t) => {
    const dir = folder(t);
    configured(dir);
    mkdirSync(join(dir, "scripts"));
    writeFileSync(join(dir, "scripts", "double.ts"), "const n: number = input.n; n * 2");

    const ran = await exec(dir, ["--script", "double", "--input", '{"n":21}']);
    const unknown = await exec(dir, ["--script", "trouble"]);

    assert.deepEqual([ran.code, JSON.parse(ran.out).value], [0, 42]);
    assert.deepEqual([unknown.code, JSON.parse(unknown.out).error.code], [2, "SCRIPT_NOT_FOUND"]);
  },
);

verifies(
  ["code.cli.log-level", "code.global.console"],
  "--log-level says what is logged on standard error, info unless given",
  async (t) => {
    const dir = folder(t);
    configured(dir);
    const logged = async (...more: string[]) =>
      (await exec(dir, ["--code", "console.log('from the script')", ...more])).err;

    assert.match(await logged(), / INFO +\[script\] from the script/);
    assert.equal(await logged("--log-level", "warn"), "");
    assert.match(await logged("--log-level", "info"), /from the script/);
    assert.match(await logged("--log-level", "trace"), /from the script/);
    assert.match(
      (await exec(dir, ["--code", "1", "--log-level", "loud"])).err,
      /--log-level must be one of trace, debug, info/,
    );
  },
);

verifies("code.cli.exit", "without a proxy a wrong configuration exits 2, with an envelope", async (t) => {
  const rows: [title: string, config: string | undefined, code: string, message: RegExp][] = [
    ["broken", "{nonsense", "EXECUTION_FAILED", /mcp_config\.json:1:2/],
    ["missing", undefined, "INVALID_REQUEST", /configuration file .*mcp_config\.json does not exist/],
    ["switched off", '{"enable_code_execution":false,"api_key":"k"}', "FEATURE_DISABLED", /code execution is disabled/],
  ];
  for (const [title, config, code, message] of rows) {
    const dir = folder(t);
    if (config !== undefined) writeFileSync(join(dir, "mcp_config.json"), config, { mode: 0o600 });

    const ran = await exec(dir, ["--code", "1"]);

    const { error } = JSON.parse(ran.out);
    assert.deepEqual([ran.code, error.code], [2, code], title);
    assert.match(error.message, message);
  }
});

test("without a proxy, code that calls no tool starts no server", async (t) => {
  const dir = folder(t);
  configured(dir, { mcpServers: [server("echo")] });

  const ran = await exec(dir, ["--code", "'quick'"]);

  assert.deepEqual([ran.code, ran.err], [0, ""]);
});

verifies(
  "boot.locked",
  "a data directory that a silent process holds exits 3 after a moment, and says so",
  async (t) => {
    const dir = folder(t);
    configured(dir);
    const holder = await testApp({ dir });
    t.after(() => holder.close());

    const ran = await exec(dir, ["--code", "1"]);

    assert.deepEqual([ran.code, JSON.parse(ran.out).error.code], [3, "EXECUTION_FAILED"]);
    assert.match(
      ran.err,
      /data directory .* is in use by another proxy, which does not respond on its socket; stop that one/,
    );
  },
);

test("a data directory that is given free meanwhile is waited for", async (t) => {
  const dir = folder(t);
  const holder = await testApp({ dir });
  const ran = exec(dir, ["--code", "'mine now'"]);

  await holder.clock.sleep(400);
  await holder.close();

  assert.equal(JSON.parse((await ran).out).value, "mine now");
});

/** A server that leaves a file when it is started, and whether it was. */
function marked(dir: string, name: string, more: object = {}) {
  const file = join(dir, `${name}-starts`);
  return { entry: { ...server(name, "--mark-start", file), ...more }, started: () => existsSync(file) };
}

test("without a proxy a request that is refused starts no server", async (t) => {
  const rows: [title: string, config: object, argv: string[], code: string][] = [
    ["an unknown stored script", {}, ["--script", "nope"], "SCRIPT_NOT_FOUND"],
    ["a name that is none", {}, ["--script", "../nope"], "INVALID_SCRIPT_NAME"],
    ["switched off", { enable_code_execution: false }, ["--code", "call_tool('up','echo',{})"], "FEATURE_DISABLED"],
    [
      "above a ceiling",
      { code_execution_ceilings: { timeout_ms: 10 } },
      ["--code", "call_tool('up','echo',{})", "--timeout", "11"],
      "INVALID_OPTIONS",
    ],
  ];
  for (const [title, config, argv, code] of rows) {
    const dir = folder(t);
    const up = marked(dir, "up");
    configured(dir, { mcpServers: [up.entry], ...config });

    const ran = await exec(dir, argv);

    assert.deepEqual([ran.code, JSON.parse(ran.out).error.code], [2, code], title);
    assert.equal(up.started(), false, title);
  }
});

test("without a proxy only the servers that are used are started, and a quarantined one never", async (t) => {
  const dir = folder(t);
  const all = {
    named: marked(dir, "named"),
    later: marked(dir, "later"),
    unused: marked(dir, "unused"),
    held: marked(dir, "held", { quarantined: true }),
  };
  configured(dir, { mcpServers: Object.values(all).map(({ entry }) => entry) });
  // The second name is put together while the script runs.
  const code = `["named", "la" + "ter", "held"].map((name) => { const { ok, error } = call_tool(name, "echo", {}); return ok || error.code })`;

  const ran = await exec(dir, ["--code", code]);

  assert.deepEqual(JSON.parse(ran.out).value, [true, true, "TOOL_BLOCKED"]);
  assert.deepEqual(
    Object.values(all).map(({ started }) => started()),
    [true, true, false, false],
  );
});

test("without a proxy and without a configuration nothing is made", async (t) => {
  const dir = join(folder(t), "new");

  const ran = await cli(["code", "exec", "-d", dir, "--code", "1"], commands, {});

  assert.deepEqual([ran.code, JSON.parse(ran.out).error.code], [2, "INVALID_REQUEST"]);
  assert.match(
    ran.err,
    /configuration file .*mcp_config\.json does not exist; create it with: .*proxy\S* -d \S+ serve\n/,
  );
  assert.equal(existsSync(dir), false);
});

test("without a proxy its servers are connected to first, and a call to one that cannot start says why", async (t) => {
  const dir = folder(t);
  const servers = [
    server("echo", "--init-delay", "200", "--list-delay", "300"),
    server("dead", "--fail-starts", `${join(dir, "starts")}:99`),
  ];
  configured(dir, { mcpServers: servers });
  const code = "[call_tool('echo','echo',{a:1}).result.content[0].text, call_tool('dead','echo',{}).error.code]";

  const ran = await runProgram(t, ["code", "exec", "-c", join(dir, "mcp_config.json"), "--code", code]);

  assert.deepEqual(JSON.parse(ran.out), { ok: true, value: ['{"a":1}', "SERVER_NOT_READY"] });
  assert.equal(ran.code, 0);
  assert.match(ran.err, /server "echo" Ready/);
});

verifies("code.cli.exit", "without a proxy Ctrl-C cancels the execution, ends its servers and exits 130", async (t) => {
  const dir = folder(t);
  configured(dir, { mcpServers: [server("echo")] });
  const at = ["-c", join(dir, "mcp_config.json")];
  const code = "console.log('under way'); call_tool('echo', 'slow', { ms: 60000 })";
  const { child, says, ended } = start(t, ["code", "exec", ...at, "--code", code]);
  await says(/under way/);

  child.kill("SIGINT");
  const { code: exit, out } = await ended;

  assert.deepEqual([exit, JSON.parse(out).error.code], [130, "CANCELLED"]);
});

test("through the socket of a running proxy code runs there, on the connections that it has", async (t) => {
  const dir = folder(t);
  configured(dir, { mcpServers: [server("echo")] });
  const at = ["-c", join(dir, "mcp_config.json")];
  await start(t, ["serve", ...at]).says(/Ready: connected/);

  const ran = await runProgram(t, ["code", "exec", ...at, "--code", "call_tool('echo','echo',{}).ok"]);

  assert.deepEqual([ran.code, JSON.parse(ran.out).value, ran.err], [0, true, ""]);
});
