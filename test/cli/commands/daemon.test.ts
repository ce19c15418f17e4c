import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, test } from "node:test";
import { parse as parseYaml } from "yaml";
import { commands } from "#cli/commands.gen.ts";
import { listenTest, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { until } from "#test/kit/until.ts";

/** A real daemon within this process; every command reaches it over TCP with the key, as from another machine. */
const PROGRAM = resolve("test/programs/upstream-stdio.mjs");
const server = (name: string, more = {}) => ({
  name,
  command: process.execPath,
  args: [PROGRAM, "--name", name],
  ...more,
});
const app = await testApp({ servers: [server("echo", { trust_mode: "auto" }), server("shy", { quarantined: true })] });
const daemon = await listenTest(app);
after(async () => {
  await daemon.close();
  await app.close();
});
await until(
  "the tools of both are known",
  () => app.catalog.get("echo:raw") !== undefined && app.catalog.get("shy:raw") !== undefined,
);

const env = { SERVICE_URL: daemon.url, SERVICE_API_KEY: daemon.key };
const proxy = (...argv: string[]) => cli(argv, commands, { env });
const json = async (...argv: string[]) => JSON.parse((await proxy(...argv, "--json")).out);

test("status says what runs", async () => {
  const { out, code } = await proxy("status");

  assert.equal(code, 0);
  assert.match(
    out,
    /^proxy 0\.0\.0-test is running, up \d+ s, at 127\.0\.0\.1:\d+\nservers: 2 of 2 connected, 1 in quarantine\n/,
  );
  assert.deepEqual((await json("status")).servers, { total: 2, connected: 2, quarantined: 1 });
  assert.equal(parseYaml((await proxy("status", "-o", "yaml")).out).status, "running");
});

test("without the key the refusal names it, and exits 1", async () => {
  const { code, err } = await cli(["status"], commands, { env: { SERVICE_URL: daemon.url, HOME: app.dir } });

  assert.equal(code, 1);
  assert.match(err, /missing or invalid credentials; set the key with --api-key or SERVICE_API_KEY \(request /);
});

test("a wrong key is told as wrong, not asked for once more", async () => {
  const { code, err } = await cli(["status", "--api-key", "stale"], commands, { env: { SERVICE_URL: daemon.url } });

  assert.equal(code, 1);
  assert.match(err, /credentials; the proxy does not accept the key in --api-key or SERVICE_API_KEY \(request /);
});

test("a proxy that is not there is told with what to do, in every form", async () => {
  const nowhere = { env: { SERVICE_DATA: `${app.dir}/none` } };

  const table = await cli(["upstream", "list"], commands, nowhere);
  const object = await cli(["upstream", "list", "-o", "json"], commands, nowhere);

  assert.equal(table.code, 1);
  assert.match(table.err, /no proxy is running at .*none\/mcpproxy\.sock; start one with: proxy up/);
  assert.equal(JSON.parse(object.err).code, "daemon_not_running");
  assert.equal(object.out, "");
});

test("upstream list shows state, health and the next step as a command", async () => {
  const { out } = await proxy("upstream", "list");

  assert.match(out, /^NAME +STATE +TOOLS +HEALTH +DO NEXT +PROTOCOL\nshy +ready, quarantined .* review shy /);
  assert.match(out, /\necho +ready +\d+ +Connected .* stdio\n/);
  assert.deepEqual(
    (await json("upstream", "list")).map((s: { name: string }) => s.name),
    ["echo", "shy"],
  );
});

test("a tool is called with arguments from the line, a file and standard input", async () => {
  const inline = await json("call", "echo:echo", "--args", '{"a":1}');
  const piped = await cli(["call", "echo:echo", "-a", "-", "--json"], commands, { env, stdin: '{"b":2}' });
  const file = await proxy("call", "echo:echo", "-a", `@${app.dir}/none.json`);

  assert.deepEqual(JSON.parse(inline.content[0].text), { a: 1 });
  assert.deepEqual(JSON.parse(JSON.parse(piped.out).content[0].text), { b: 2 });
  assert.deepEqual([file.code, /--args: .*none\.json does not exist; correct the path/.test(file.err)], [2, true]);
  assert.match((await proxy("call", "echo:echo", "-a", '{"a":1}')).out, /^\{"a":1\}\n$/);
});

const CALLS: [args: string[], code: number, message: RegExp][] = [
  [["echo:fail", "-a", '{"message":"no"}'], 1, /^$/],
  [["echo:rpc_error"], 1, /server "echo" failed: .* \(-32099\) \(request /],
  [["echo:nothing"], 1, /"echo:nothing" not found/],
  [["shy:echo"], 1, /server_quarantined.*; review the server, then release it with: proxy upstream unquarantine shy /],
  [["echo:echo", "-a", "{nonsense"], 2, /--args is not valid JSON/],
  [["echo:echo", "-a", "[1]"], 2, /--args must be a JSON object/],
];
for (const [args, code, message] of CALLS)
  test(`proxy call ${args.join(" ")} exits ${code}`, async () => {
    const ran = await proxy("call", ...args);

    assert.equal(ran.code, code);
    assert.match(ran.err, message);
  });

test("a tool that needs arguments shows them when it is called without --args, and is not called", async () => {
  const inputSchema = { type: "object", properties: { kg: { type: "number" } }, required: ["kg"] };
  await proxy("call", "echo:add_tool", "-a", JSON.stringify({ name: "weigh", description: "Weighs", inputSchema }));
  await until("it is known", () => app.catalog.get("echo:weigh") !== undefined);

  const { code, err } = await proxy("call", "echo:weigh");

  assert.equal(code, 2);
  assert.match(
    err,
    /echo:weigh requires arguments; pass them as name=value, or as JSON with --args:\n {2}kg +number, required\n/,
  );
  assert.match(err, /Example: proxy call echo:weigh kg=0\n/);
  assert.deepEqual(await json("activity", "list", "--tool", "weigh"), []);
  await proxy("call", "echo:remove_tool", "-a", '{"name":"weigh"}');
});

test("a call from the command line is recorded as such", async () => {
  await proxy("call", "echo:echo", "-a", '{"mark":"here"}');

  const [latest] = await json("activity", "list", "--tool", "echo", "-n", "1");
  const record = parseYaml((await proxy("activity", "show", latest.id)).out);

  assert.deepEqual([latest.type, latest.source, latest.status], ["tool_call", "cli", "success"]);
  assert.deepEqual(record.arguments, { mark: "here" });
});

test("a tool's own error has a text in the list of activity", async () => {
  await proxy("call", "echo:fail", "-a", '{"message":"private details"}');

  const { out } = await proxy("activity", "list", "--tool", "fail");

  assert.match(out, /echo:fail +error +the tool returned an error /);
  assert.doesNotMatch(out, /private details/);
});

test("empty lists are [] in json and yaml and a sentence in a table", async () => {
  assert.equal((await proxy("sessions", "list", "-o", "json")).out, "[]\n");
  assert.equal((await proxy("sessions", "list", "-o", "yaml")).out, "[]\n");
  assert.equal((await proxy("sessions", "list")).out, "no sessions; a client appears after its first tool call\n");
  assert.equal((await proxy("activity", "list", "-s", "nobody")).out, "no activity records\n");
});

test("tools are searched, listed, filtered and exported", async () => {
  const found = await json("tools", "search", "write", "a", "note");
  const waiting = await json("tools", "list", "-s", "shy", "--approval", "pending_approval");
  const exported = await json("tools", "export", "echo");

  assert.equal(found[0].tool.name, "write_note");
  assert.ok(waiting.length > 5);
  assert.ok(exported.some((t: { tool_name: string; schema: object }) => t.tool_name === "echo" && t.schema));
  assert.match((await proxy("tools", "list")).out, /\necho:delete_note +approved +destroy /);
});

test("tools are approved and blocked by id, or all that wait", async () => {
  const blocked = await proxy("tools", "block", "echo:bare", "shy:bare");
  const refused = await proxy("call", "echo:bare");
  const back = await json("tools", "approve", "echo:bare");
  const all = await json("tools", "approve", "shy", "--all");
  const wrong = await proxy("tools", "approve", "shy:echo", "--all");

  assert.match(blocked.out, /of echo: bare\n.* of shy: bare\n/);
  assert.match(refused.err, /tool_blocked_by_user/);
  assert.deepEqual(
    back.map((d: { tools: string[] }) => d.tools),
    [["bare"]],
  );
  assert.ok(all[0].tools.length > 5 && !all[0].tools.includes("bare"));
  assert.equal(wrong.code, 2);
});

test("a changed tool is shown line by line against what was approved", async () => {
  await proxy("upstream", "add", "moody", "--no-quarantine", "--", process.execPath, PROGRAM, "--name", "moody");
  await until("its tools are known", () => app.catalog.get("moody:echo") !== undefined);
  await proxy("tools", "approve", "moody", "--all");
  await proxy("call", "moody:mutate", "-a", '{"description":"Now something else."}');
  await until("the change was seen", () => app.catalog.get("moody:echo")?.status === "changed");

  const { out } = await proxy("tools", "diff", "moody:echo");

  assert.match(out, /^moody:echo \(changed\)\n\ndescription:\n- .+\n\+ Now something else\.\n$/);
  await proxy("upstream", "remove", "moody");
});

test("a command and an address together are a program that listens there", async () => {
  const url = "http://127.0.0.1:9/mcp";
  const { code, err } = await proxy(
    "upstream",
    "add",
    "both",
    url,
    "--no-enabled",
    "--launcher-wait",
    "45s",
    "--",
    "x",
    "-p",
    "9",
  );

  const both = await json("upstream", "list").then((list) => list.find((s: { name: string }) => s.name === "both"));
  await proxy("upstream", "remove", "both");
  assert.equal(code, 0, err);
  assert.deepEqual(
    [both.protocol, both.url, both.command, both.args, both.launcher_wait_timeout],
    ["http", url, "x", ["-p", "9"], "45s"],
  );
});

test("a server is added, changed, disabled and removed", async () => {
  const added = await proxy("upstream", "add", "new", "--env", "A=1", "--", process.execPath, PROGRAM);
  const again = await proxy("upstream", "add", "new", "--", "x");
  const quietly = await proxy("upstream", "add", "new", "--if-not-exists", "--", "x");
  const patched = await json(
    "upstream",
    "patch",
    "new",
    "--env",
    "B=2",
    "--env-remove",
    "A",
    "--no-enabled",
    "--working-dir",
    ".",
  );
  const moved = await proxy("upstream", "patch", "new", "--address", "http://127.0.0.1:1/mcp", "--protocol", "http");
  const away = await proxy("upstream", "patch", "new", "--address", "https://h.example/mcp");
  const remote = await json("upstream", "patch", "new", "--address", "https://h.example/mcp", "--command-remove");
  const removed = await proxy("upstream", "remove", "new");
  const gone = await proxy("upstream", "remove", "new");
  const fine = await proxy("upstream", "remove", "new", "--if-exists");

  assert.match(added.out, /^added new, in quarantine\n$/);
  assert.match(added.err, /proxy review new/);
  assert.deepEqual([again.code, quietly.code], [1, 0]);
  assert.match(again.err, /server "new" already exists/);
  assert.deepEqual(Object.keys(patched.env), ["B"]);
  assert.deepEqual([patched.enabled, patched.working_dir], [false, process.cwd()]);
  assert.match(moved.out, /^server "new": changed\n$/);
  assert.match(away.err, /url: with a command its url must lead to this machine/);
  assert.deepEqual([remote.url, remote.command], ["https://h.example/mcp", undefined]);
  assert.deepEqual([removed.out, gone.code, fine.code], ["removed new\n", 1, 0]);
});

const REFUSED: [argv: string[], message: RegExp][] = [
  [["upstream", "add", "x"], /name the server's address or, after "--", the command/],
  [["upstream", "add", "a:b", "http://h"], /name/],
  [["upstream", "patch", "echo"], /nothing to change; set at least one flag/],
  [["upstream", "enable"], /name servers or use --all/],
  [["upstream", "enable", "echo", "--all"], /name servers or use --all/],
  [["upstream", "quarantine"], /<names> is missing/],
  [["activity", "list", "--since", "yesterday"], /--since must be a time such as 2h, 7d/],
];
for (const [argv, message] of REFUSED)
  test(`proxy ${argv.join(" ")} exits 2`, async () => {
    const { code, err } = await proxy(...argv);

    assert.equal(code, 2, err);
    assert.match(err, message);
  });

test("of several servers each says what became of it, and one failure exits 1", async () => {
  const { code, out } = await proxy("upstream", "disable", "shy", "nobody");
  const back = await proxy("upstream", "enable", "--all");

  assert.equal(code, 1);
  assert.match(out, /^server "shy": disabled\n.*"nobody" not found\n$/);
  assert.equal(back.code, 0);
});

test("logs, info, routing and the path of the configuration are shown", async () => {
  assert.match((await proxy("upstream", "logs", "echo", "-n", "3")).out, /^\d{4}-.* INFO /);
  assert.match((await proxy("info")).out, /\npid +\d+\n$/);
  assert.match((await proxy("routing")).out, /^\/mcp serves retrieve_tools: /);
  assert.equal((await proxy("config", "path", "-d", "/data")).out, "/data/mcp_config.json\n");
});
