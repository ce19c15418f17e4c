import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { folder } from "#test/kit/program.ts";
import { atTerminal } from "#test/kit/terminal.ts";

const app = await testApp({
  connect: false,
  servers: [
    { name: "git", command: "git-mcp" },
    { name: "old", command: "old-mcp" },
  ],
});
const { env } = await listenForCli({ after }, app);
const proxy = (...argv: string[]) => cli(argv, commands, { env });

const SAME: [short: string[], long: string[]][] = [
  [["ls"], ["upstream", "list"]],
  [
    ["ls", "--match", "git", "--json"],
    ["upstream", "list", "--match", "git", "--json"],
  ],
  [
    ["logs", "git"],
    ["upstream", "logs", "git"],
  ],
  [
    ["logs", "nobody"],
    ["upstream", "logs", "nobody"],
  ],
];
for (const [short, long] of SAME)
  test(`proxy ${short.join(" ")} does what proxy ${long.join(" ")} does`, async () => {
    const [a, b] = [await proxy(...short), await proxy(...long)];

    assert.deepEqual([a.code, a.out], [b.code, b.out]);
  });

test("rm asks at a terminal, and says how to take the removal back", async () => {
  const declined = await atTerminal(["rm", "old"], commands, { env, answers: ["n"] });
  assert.equal(declined.code, 1);
  assert.ok(app.config.server("old"));

  const { code, out, err } = await atTerminal(["rm", "old"], commands, { env, answers: ["y"] });

  assert.deepEqual([code, out], [0, "removed old\n"]);
  const [, version] = /undo with: proxy config restore (\d+)/.exec(err)!;
  assert.equal(app.config.server("old"), undefined);
  assert.equal((await proxy("config", "restore", version!)).code, 0);
  assert.ok(app.config.server("old"));
  assert.equal((await proxy("rm", "old", "--yes")).code, 0);
});

test("version prints the version, and notes that the running proxy has another one", async () => {
  const { code, out, err } = await proxy("version");

  assert.equal(code, 0);
  assert.match(out, /^\d+\.\d+\.\d+\S*\n$/);
  assert.match(err, /the running proxy has version 0\.0\.0-test; restart it/);
  const alone = await cli(["version"], commands, { env: { HOME: "/nonexistent" } });
  assert.deepEqual([alone.code, alone.out, alone.err], [0, out, ""]);
});

test("logs without a server reads the proxy's own log, without a proxy, by level, and follows it", async (t) => {
  const dir = folder(t);
  const file = join(dir, "logs", "proxy.log");
  assert.match((await cli(["logs", "-d", dir], commands)).err, /there is no log yet at .*proxy\.log/);
  mkdirSync(join(dir, "logs"));
  writeFileSync(file, "t1 INFO one\nt2 WARN two\nt3 ERROR three\n");

  assert.equal((await cli(["logs", "-d", dir, "-n", "1"], commands)).out, "t3 ERROR three\n");
  assert.equal((await cli(["logs", "-d", dir, "--level", "warn"], commands)).out, "t2 WARN two\nt3 ERROR three\n");
  const over = new AbortController();
  const following = cli(["logs", "-d", dir, "-f"], commands, { signal: over.signal });
  const fromNow = cli(["logs", "-d", dir, "-n", "0", "-f"], commands, { signal: over.signal });
  setTimeout(() => appendFileSync(file, "t4 INFO four\nt5 INFO par"), 100);
  setTimeout(() => over.abort(), 1500);
  assert.match((await following).out, /three\nt4 INFO four\n$/);
  assert.equal((await fromNow).out, "t4 INFO four\n");
  assert.match((await cli(["logs"], commands, { env })).err, /remote proxy/);
  assert.equal((await cli(["logs", "-d", dir, "-n", "0"], commands)).code, 2);
});

test("logs --level understands both formats of the log, and keeps a stack with its entry", async (t) => {
  const dir = folder(t);
  mkdirSync(join(dir, "logs"));
  const time = "2026-11-24T01:02:03.456Z";
  const json = (level: string) => JSON.stringify({ time, level, message: `of level ${level}` });
  const lines = [
    `${time} DEBUG one`,
    `${time} ERROR [api] two`,
    "    at handler (router.ts:1:2)",
    `${time} INFO  three WARN`,
    "    at nothing",
    json("trace"),
    json("warn"),
    json("info"),
  ];
  writeFileSync(join(dir, "logs", "proxy.log"), `${lines.join("\n")}\n`);

  const shown = async (level: string) => (await cli(["logs", "-d", dir, "--level", level], commands)).out.trimEnd();

  assert.equal(await shown("warn"), [lines[1], lines[2], lines[6]].join("\n"));
  assert.equal(await shown("debug"), lines.filter((line) => line !== json("trace")).join("\n"));
});

test("edit replaces the file only by a valid one that nobody else changed, and keeps its mode", async (t) => {
  const dir = folder(t);
  const path = join(dir, "mcp_config.json");
  const text = '{ "tools_limit": 7 }\n';
  writeFileSync(path, text, { mode: 0o640 });
  const edit = (editor: string) => cli(["edit", "-c", path], commands, { env: { EDITOR: editor }, stdin: "" });

  const same = await edit("true");
  assert.deepEqual([same.code, same.out], [0, "nothing was changed\n"]);
  const wrong = await edit(`sed -i 's/7/"many"/'`);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /:1: tools_limit .*\n[\s\S]*your edit is kept in (\S+)/);
  assert.equal(readFileSync(path, "utf8"), text);
  const failed = await edit("false");
  assert.deepEqual([failed.code, /editor "false" ended with code 1/.test(failed.err)], [1, true]);
  const raced = await edit(`sh -c 'echo {} > ${path}; sed -i s/7/8/ "$1"' _`);
  assert.deepEqual([raced.code, /changed by another program/.test(raced.err)], [1, true]);
  writeFileSync(path, text);

  const done = await edit("sed -i s/7/8/");

  assert.deepEqual([done.code, done.out], [0, `saved ${path}\n`]);
  assert.equal(readFileSync(path, "utf8"), '{ "tools_limit": 8 }\n');
  assert.equal(statSync(path).mode & 0o777, 0o640);
  assert.equal((await cli(["edit"], commands, { env })).code, 2);
});

test("the help lists every command once, in groups", async () => {
  const { out } = await cli(["--help"], commands);

  const words = [...out.matchAll(/^ {2}([a-z-]+) {2,}[A-Z]/gm)].map(([, word]) => word!);
  assert.deepEqual([...words].sort(), [...new Set(words)].sort());
  for (const word of ["serve", "ls", "call", "connect", "edit", "logs", "version", "help"])
    assert.ok(words.includes(word), word);
  assert.ok(!words.includes("demo-server"));
  assert.match(out, /\n\nServers:\n/);
});

test("states have colours on a terminal only", async () => {
  const plain = await proxy("ls");
  const coloured = await cli(["ls"], commands, { env, color: true });

  assert.doesNotMatch(plain.out, /\x1b/);
  assert.match(coloured.out, /\x1b\[3[123]m\w+/);
});

test("what cannot be taken back asks at a terminal first", async () => {
  await proxy("token", "create", "ci");
  const declined = await atTerminal(["token", "delete", "ci"], commands, { env, answers: ["n"] });
  assert.deepEqual([declined.code, /cannot be undone/.test(declined.err)], [1, true]);
  assert.equal((await proxy("token", "show", "ci")).code, 0);

  assert.equal((await atTerminal(["token", "delete", "ci"], commands, { env, answers: ["y"] })).code, 0);

  assert.equal((await proxy("token", "show", "ci")).code, 1);
  const secret = await atTerminal(["secrets", "remove", "nothing"], commands, { env, answers: ["n"] });
  assert.match(secret.err, /Remove secret "nothing"\? This cannot be undone\. \[y\/N\]/);
});
