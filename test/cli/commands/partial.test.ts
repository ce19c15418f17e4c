import assert from "node:assert/strict";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenForCli, listenTest, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";

const app = await testApp({
  connect: false,
  servers: [
    { name: "git", command: "git-mcp", enabled: false },
    { name: "web", url: "http://127.0.0.1:9/mcp", enabled: false },
  ],
  tools: { "git:log": "pending", "git:diff": {}, "web:get": "pending" },
});
const { env, ...daemon } = await listenForCli({ after }, app);
const proxy = (...argv: string[]) => cli(argv, commands, { env });

const PARTIAL: [line: string[], lines: RegExp[]][] = [
  [
    ["tools", "approve", "git:log", "none:x", "web:get"],
    [/^approved 1 .*git: log/, /server "none" not found/, /web/],
  ],
  [
    ["tools", "block", "git:diff", "git:nothing", "web:get"],
    [/no tool "nothing"; nothing was changed/, /^blocked.*web/],
  ],
  [
    ["tools", "disable", "git:log", "git:nothing"],
    [/^git:log: disabled/, /^git:nothing: .*no tool/],
  ],
  [
    ["upstream", "quarantine", "git", "none"],
    [/^server "git": quarantined/, /server "none" not found/],
  ],
  [
    ["upstream", "refresh", "git", "none"],
    [/"git" is disabled/, /"none" not found/],
  ],
];
for (const [line, expected] of PARTIAL)
  test(`${line.join(" ")}: all are tried, each is reported, and the whole exits 1`, async () => {
    const { code, out } = await proxy(...line);

    assert.equal(code, 1);
    const lines = out.trimEnd().split("\n");
    assert.equal(lines.length, expected.length);
    for (const [i, pattern] of expected.entries()) assert.match(lines[i]!, pattern);
  });

test("a restart that comes to no connection exits 1, by name as with --all, and says why once", async (t) => {
  const away = await testApp({ connect: true, servers: [{ name: "web", url: "http://127.0.0.1:9/mcp" }] });
  const { url, key, close } = await listenTest(away);
  t.after(async () => {
    await close();
    await away.close();
  });
  const restart = (what: string) =>
    cli(["upstream", "restart", what], commands, { env: { SERVICE_URL: url, SERVICE_API_KEY: key } });

  const [one, all] = [await restart("web"), await restart("--all")];

  assert.deepEqual([one.code, all.code], [1, 1]);
  assert.equal(one.out, 'server "web": restarted, not connected: no program listens at 127.0.0.1:9\n');
  assert.equal(all.out, "web: not connected: no program listens at 127.0.0.1:9\n");
});

test("tools are switched off and on without touching their approval", async () => {
  const tool = () => app.catalog.get("git:diff");

  assert.deepEqual(await proxy("tools", "disable", "git:diff"), { code: 0, out: "git:diff: disabled\n", err: "" });
  assert.equal(tool()?.disabled, true);
  const { code, out } = await proxy("tools", "enable", "git:diff", "--json");
  assert.deepEqual([code, JSON.parse(out)], [0, [{ tool: "git:diff", ok: true, message: "git:diff: enabled" }]]);
  assert.deepEqual([tool()?.disabled, tool()?.status], [false, "approved"]);
  assert.equal((await proxy("tools", "enable", "git:none")).code, 1);
  assert.equal((await proxy("tools", "enable", "git")).code, 2);
});

test("reconnecting reports each server, and disabled ones are left alone", async () => {
  const { code, out } = await proxy("upstream", "reconnect");

  assert.deepEqual([code, out], [0, "git: disabled; not changed\nweb: disabled; not changed\n"]);
});

test("diagnostics, the container engine and a session are shown", async () => {
  const diagnostics = await proxy("diagnostics");
  assert.equal(diagnostics.code, 0);
  assert.match(diagnostics.out, /^timestamp: .*\nprogram:\n {2}version: 0\.0\.0-test\n/ms);
  assert.ok(!diagnostics.out.includes(daemon.key));
  assert.match((await proxy("container", "status")).out, /^isolation off; enable it with: .*\nengine /);
  const none = await proxy("sessions", "show", "none");
  assert.deepEqual([none.code, /session "none" not found/.test(none.err)], [1, true]);
});
