import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { folder, runProgram, start } from "#test/kit/program.ts";
import { verifies } from "#test/kit/verifies.ts";

const READY = /is ready\n/;

/** A configuration that listens nowhere but on its socket, unless said otherwise. */
function configured(dir: string, more: Record<string, unknown> = {}): string[] {
  const config = join(dir, "mcp_config.json");
  writeFileSync(config, JSON.stringify({ listen: "", api_key: "k", mcpServers: [], ...more }), { mode: 0o600 });
  return ["-c", config];
}

test("--version prints the version and nothing else", async (t) => {
  const version = `${JSON.parse(readFileSync("package.json", "utf8")).version}\n`;

  for (const word of ["--version", "-v", "version"])
    assert.deepEqual(await runProgram(t, [word]), { code: 0, out: version, err: "" });
});

test("a start without a configuration makes folder, file and key, and stops in order at SIGTERM", async (t) => {
  const home = folder(t);
  const { child, says, ended } = start(t, ["serve", "-l", "127.0.0.1:0"], { HOME: home });

  await says(READY);
  const dir = join(home, ".mcpproxy");
  const modes = [dir, join(dir, "mcp_config.json"), join(dir, "mcpproxy.sock")].map((p) => statSync(p).mode & 0o777);
  const status = await runProgram(t, ["status", "--json"], { HOME: home });
  child.kill("SIGTERM");
  const { code, out, err } = await ended;

  assert.deepEqual(modes, [0o700, 0o600, 0o600]);
  assert.equal(JSON.parse(status.out).status, "running");
  assert.deepEqual([code, out, existsSync(join(dir, "mcpproxy.sock"))], [0, "", false]);
  assert.match(err, /API key of the administrator, which is shown only once .* api_key=[0-9a-f]{64}\n/);
});

test("SIGTERM during the start stops in order too", async (t) => {
  const { child, says, ended } = start(t, ["serve", "-l", "127.0.0.1:0"], { HOME: folder(t) });

  await says(/generated the API key/);
  child.kill("SIGTERM");
  const { code } = await ended;

  assert.equal(code, 0);
});

verifies("boot.locked", "a second process on the same data directory exits 3", async (t) => {
  const at = configured(folder(t));
  await start(t, ["serve", ...at]).says(READY);

  const second = await runProgram(t, ["serve", ...at]);

  assert.equal(second.code, 3);
  assert.match(second.err, /is in use by another proxy; stop that one or choose another --data-dir/);
});

verifies(
  ["boot.audit-stdio", "audit.stdio-refused"],
  "under --stdio, audit lines on standard output without a path exit 4",
  async (t) => {
    const dir = folder(t);
    const refused = await runProgram(t, ["serve", "--stdio", ...configured(dir, { audit_log: { stdout: true } })]);

    assert.deepEqual([refused.code, refused.out], [4, ""]);
    assert.match(refused.err, /^proxy: audit_log\.stdout cannot be used with --stdio[^\n]*\n$/);
    assert.equal(existsSync(join(dir, "audit")), false);

    const off = configured(dir, { audit_log: { enabled: false, stdout: true } });
    assert.equal((await runProgram(t, ["serve", "--stdio", ...off])).code, 0);
  },
);

verifies(
  ["audit.stdout", "audit.edition"],
  "over HTTP audit lines go to standard output where that is asked for, one JSON object a line, and nothing else does",
  async (t) => {
    const at = configured(folder(t), { audit_log: { stdout: true } });
    const { child, says, ended } = start(t, ["serve", ...at]);
    await says(READY);
    await runProgram(t, ["status", ...at]);
    child.kill("SIGTERM");
    const { code, out } = await ended;

    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(code, 0);
    assert.deepEqual([lines[0].event, lines[0].seq], ["audit_start", 1]);
    assert.ok(lines.some((l) => l.event === "authz" && l.caller.kind === "local_socket" && l.decision === "allow"));
  },
);

const BROKEN: [title: string, config: string, message: RegExp][] = [
  ["broken JSON is named by line and column", '{\n  "listen": 1,\n  x\n}', /mcp_config\.json:3:3: /],
  ["a wrong value is named by line and key", '{\n  "tools_limit": "many"\n}', /mcp_config\.json:2: tools_limit/],
];
for (const [title, config, message] of BROKEN)
  test(`${title}, and the start exits 2`, async (t) => {
    const dir = folder(t);
    writeFileSync(join(dir, "mcp_config.json"), config);

    const { code, err, out } = await runProgram(t, ["serve", "-d", dir]);

    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, message);
  });

test("a wrong flag value of serve exits 2 and leaves nothing behind", async (t) => {
  const dir = folder(t);

  const { code, err } = await runProgram(t, ["serve", "-d", join(dir, "data"), "-l", "nonsense"]);

  assert.equal(code, 2);
  assert.match(err, /command line: listen: must be "host:port"/);
  assert.deepEqual(readdirSync(dir), []);
});

test("a port that is taken exits 1 with what to do", async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => taken.once("listening", done));
  t.after(() => taken.close());
  const address = `127.0.0.1:${(taken.address() as AddressInfo).port}`;

  const { code, err } = await runProgram(t, ["serve", ...configured(folder(t)), "-l", address]);

  assert.equal(code, 1);
  assert.ok(
    err.includes(`${address} is in use by another program; stop it or choose another address with --listen`),
    err,
  );
});

test("flags of serve win over environment and file", async (t) => {
  const dir = folder(t);
  const at = configured(dir, { routing_mode: "direct", read_only_mode: false });
  const env = { SERVICE_ROUTING_MODE: "retrieve_tools", SERVICE_READ_ONLY_MODE: "false" };
  await start(t, ["serve", ...at, "--routing-mode", "code_execution", "--read-only"], env).says(READY);

  const routing = await runProgram(t, ["routing", "--json", ...at]);
  const refused = await runProgram(t, ["upstream", "add", "x", "http://127.0.0.1:1", ...at]);

  assert.equal(JSON.parse(routing.out).routing_mode, "code_execution");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /read_only_mode/);
});

test("the demo works from its greeting and touches nothing of the usual data directory", async (t) => {
  const home = folder(t);
  const { child, says, ended } = start(t, ["serve", "--demo"], { HOME: home });
  const [, port] = await says(/MCP endpoint +http:\/\/127\.0\.0\.1:(\d+)\/mcp\n/);
  const [, line] = await says(/\n +(.* call demo:calculator .*)\n/);

  const argv = /proxy\.cjs (.*) '(.*)'$/.exec(line!)!;
  const called = await runProgram(t, [...argv[1]!.split(" "), argv[2]!], { HOME: home });
  child.kill("SIGINT");

  assert.ok(Number(port) > 0);
  assert.deepEqual(called, { code: 0, out: '{"expression":"6 * 7","result":42}\n', err: "" });
  assert.deepEqual(readdirSync(home), [".mcpproxy-demo"]);
  assert.deepEqual([(await ended).code, (await ended).out], [0, ""]);
});

test("--stdio speaks MCP on standard output and nothing else, and ends with its input", async (t) => {
  const { child, says, ended } = start(t, ["serve", "--stdio", "--demo", "-d", folder(t)]);
  const ask = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  await says(READY);

  ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } });
  await says(/"id":1/);
  ask(2, "tools/call", {
    name: "call_tool_read",
    arguments: { name: "demo:calculator", args: { expression: "6*7" }, intent: { operation_type: "read" } },
  });
  await says(/"id":2/);
  child.stdin.end();
  const { code, out, err } = await ended;

  const messages = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(code, 0, err);
  assert.equal(messages.find((m) => m.id === 2).result.structuredContent.result, 42);
  assert.ok(messages.every((m) => m.jsonrpc === "2.0"));
});

test("a reader that goes away early ends the command quietly", async (t) => {
  const { child, ended } = start(t, ["--help"]);
  child.stdout.destroy();

  const { code, err } = await ended;

  assert.deepEqual([code, err], [0, ""]);
});

test("an interrupted command exits 130", async (t) => {
  const silent = createServer().listen(0, "127.0.0.1");
  t.after(() => silent.close());
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const asked = once(silent, "connection");
    const { child, ended } = start(t, ["status", "--url", `http://127.0.0.1:${port}`, "--api-key", "k"]);
    await asked;

    child.kill(signal);

    assert.deepEqual([(await ended).code, (await ended).err], [130, ""], signal);
  }
});

test("what has no end of its own is ended by Ctrl-C or SIGTERM with exit 0", async (t) => {
  const at = configured(folder(t));
  await start(t, ["serve", ...at, "--demo"]).says(READY);
  const endless: [line: string[], says: RegExp, signal: "SIGINT" | "SIGTERM"][] = [
    [["upstream", "logs", "demo", "--follow"], /Ready: connected/, "SIGINT"],
    [["status", "--watch"], /is running/, "SIGTERM"],
  ];
  for (const [line, text, signal] of endless) {
    const { child, says, ended } = start(t, [...line, ...at]);
    await says(text);

    child.kill(signal);

    assert.deepEqual([(await ended).code, (await ended).err], [0, ""], line.join(" "));
  }
});

test("the watchdog's own command is not in the help and ends with its input", async (t) => {
  const help = await runProgram(t, ["--help"]);
  const ran = await runProgram(t, ["__watchdog"]);

  assert.doesNotMatch(help.out, /watchdog/);
  assert.equal(ran.code, 0);
});
