import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { alone, type HowToRun, noExecutable, type Place, runIt, startIt } from "#test/kit/executable.ts";
import { folder } from "#test/kit/program.ts";
import { ask, httpsFront } from "#test/kit/tls.ts";
import { startProgram, until } from "#test/kit/upstream.ts";

const KEY = "executable-key-0123456789abcdef";
const DEMO = ["serve", "--demo", "--listen", "127.0.0.1:0"];
const nobody = 65_534;

/** Serves the demo server from the executable, and speaks to it as an official client does. */
async function demo(t: TestContext, place: Place = alone(t), how: HowToRun = {}, ...more: string[]) {
  const env = { SERVICE_API_KEY: KEY, ...how.env };
  const running = startIt(t, place, [...DEMO, ...more], { ...how, env });
  const [, url = ""] = await running.says(/MCP endpoint\s+(http:\S+)\/mcp\n/);
  const client = new Client({ name: "executable", version: "1.0.0" });
  t.after(() => client.close());
  // The SDK's own type is laxer about undefined than the interface it implements.
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as Transport);
  const call = (tool: string, args: object) =>
    client.callTool({
      name: "call_tool_read",
      arguments: { name: `demo:${tool}`, args_json: JSON.stringify(args), intent: { operation_type: "read" } },
    });
  const rest = async (path: string, body?: object) => {
    const headers = { "x-api-key": KEY, "content-type": "application/json" };
    const how = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    return (await (await fetch(`${url}/api/v1${path}`, how)).json()) as Record<string, unknown>;
  };
  return { ...running, place, url, client, call, rest };
}

/** Processes started from this executable, other than the first. */
function others({ program }: Place, first: number | undefined): { pid: number; words: string }[] {
  const [folder = ""] = program.split("/bin/proxy");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== first)
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return words[0]?.startsWith(folder) ? [{ pid: Number(pid), words: words.slice(1).join(" ").trim() }] : [];
      } catch {
        return [];
      }
    });
}

/** The watchdogs that a process has started. */
function watchdogsOf(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(" ").map(Number);
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("proxy-watchdog"));
}

test("it needs nothing: no home, no PATH, no file beside it", { skip: noExecutable }, async (t) => {
  const place = alone(t);
  const bare = { HOME: "", PATH: "" };

  const version = await runIt(t, place, ["--version"], { env: bare });
  const help = await runIt(t, place, ["--help"], { env: bare });

  assert.deepEqual(version, { code: 0, out: `${JSON.parse(readFileSync("package.json", "utf8")).version}\n`, err: "" });
  assert.deepEqual([help.code, help.err], [0, ""]);
  assert.match(help.out, /^proxy: one safe, fast endpoint/);
  assert.deepEqual([readdirSync(join(place.program, "..")), readdirSync(place.home)], [["proxy"], []]);
});

test("V8 takes the embedded code cache", { skip: noExecutable }, async (t) => {
  const { err } = await runIt(t, alone(t), ["--help"], { env: { PROXY_CHECK_CODE_CACHE: "1" } });

  assert.equal(err, "code cache: accepted\n");
});

test("a shell gets the names of the running proxy without the program being loaded", {
  skip: noExecutable,
}, async (t) => {
  const { place } = await demo(t);
  const dataDir = join(place.home, ".mcpproxy-demo");
  // The loader writes to standard error when it loads the program.
  const env = { PROXY_CHECK_CODE_CACHE: "1" };

  const complete = () => runIt(t, place, ["__complete", "servers", "de", "-d", dataDir], { env });
  let names = await complete();
  // On a busy machine the proxy may not answer within the time that a shell waits for.
  for (let i = 0; i < 10 && names.out === ""; i++) names = await complete();
  const status = await runIt(t, place, ["status", "-d", dataDir], { env });

  assert.deepEqual(names, { code: 0, out: "demo\n", err: "" });
  assert.match(status.err, /code cache/);
});

test("options of Node, in the environment or as arguments, do not reach into it", { skip: noExecutable }, async (t) => {
  const env = { NODE_OPTIONS: "--require=/nonexistent.cjs --no-such-option", NODE_PATH: "/nonexistent" };

  const help = await runIt(t, alone(t), ["--help"], { env });
  const evaluated = await runIt(t, alone(t), ["-e", "console.log(1)"]);

  assert.deepEqual([help.code, help.err], [0, ""]);
  assert.deepEqual([evaluated.code, evaluated.out], [2, ""]);
});

test("from an empty folder it serves, is found, searched and called, and runs scripts", {
  skip: noExecutable,
}, async (t) => {
  const { call, client, rest, child, ended, place } = await demo(t);

  const tools = await client.listTools();
  const found = await client.callTool({ name: "retrieve_tools", arguments: { query: "calculate" } });
  const called = await call("calculator", { expression: "6*7" });
  const javascript = await rest("/code/exec", { code: "call_tool('demo', 'calculator', { expression: '2+3' }).ok" });
  const typescript = await rest("/code/exec", { code: "const n: number = 20; n + 22", language: "typescript" });
  const status = await runIt(t, place, ["status", "-d", join(place.home, ".mcpproxy-demo"), "--json"]);
  await client.close();
  child.kill("SIGTERM");
  const { code, out } = await ended;

  assert.ok(tools.tools.some(({ name }) => name === "call_tool_read"));
  assert.match(JSON.stringify(found.content), /demo:calculator/);
  assert.equal((called.structuredContent as { result: number }).result, 42);
  assert.deepEqual(
    [javascript, typescript].map(({ ok, value }) => [ok, value]),
    [
      [true, true],
      [true, 42],
    ],
  );
  assert.equal(JSON.parse(status.out).tools.total > 5, true);
  assert.deepEqual([code, out], [0, ""]);
  assert.deepEqual(readdirSync(place.home), [".mcpproxy-demo"]);
});

test("a home that cannot be written to costs the keyring only", { skip: noExecutable }, async (t) => {
  const place = alone(t);
  const data = join(folder(t), "data");
  mkdirSync(data, { mode: 0o700 });
  const server = { name: "s", command: "true", env: { A: "${keyring:NOTHING}" }, quarantined: false };
  const config = { listen: "127.0.0.1:0", api_key: KEY, mcpServers: [server] };
  writeFileSync(join(data, "mcp_config.json"), JSON.stringify(config), { mode: 0o600 });
  const root = process.getuid?.() === 0;
  // The administrator of the machine can write anywhere.
  const under = root ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--"] : [];
  if (root) for (const path of [data, join(data, "mcp_config.json")]) chownSync(path, nobody, nobody);
  for (const path of [join(place.home, ".."), join(data, "..")]) chmodSync(path, 0o755);
  chmodSync(place.home, 0o555);

  const { says, child, ended } = startIt(t, place, ["serve", "-d", data], { under });
  const [, reason] = await says(/no keyring is available \((.*)\); secrets are stored in an encrypted file/);
  await says(/is ready\n/);
  child.kill("SIGTERM");

  assert.match(reason!, /EACCES|EROFS/);
  assert.equal((await ended).code, 0);
});

test("the keyring's addon is unpacked once, for its owner only", { skip: noExecutable }, async (t) => {
  const place = alone(t);
  const config = join(place.home, "mcp_config.json");
  const server = { name: "s", command: "true", env: { A: "${keyring:NOTHING}" }, quarantined: false };
  writeFileSync(config, JSON.stringify({ listen: "", api_key: KEY, mcpServers: [server] }), { mode: 0o600 });
  const cache = join(place.home, ".cache/proxy/native");

  const { says, child, ended } = startIt(t, place, ["serve", "-c", config]);
  // Whether there is a keyring here or not, the server says something after it was asked.
  await says(/server "s" /);
  child.kill("SIGTERM");
  await ended;

  const [name = ""] = readdirSync(cache);
  assert.deepEqual(readdirSync(cache).length, 1);
  assert.match(name, /^[0-9a-f]{32}-keyring\.node$/);
  assert.deepEqual([statSync(cache).mode & 0o777, statSync(join(cache, name)).mode & 0o777], [0o700, 0o500]);
});

const namespace = () =>
  process.platform === "linux" && spawnSync("unshare", ["-pf", "--mount-proc", "true"]).status === 0
    ? false
    : "no right to make a process namespace";

test("as PID 1 it serves, and stops in order at SIGTERM", { skip: noExecutable || namespace() }, async (t) => {
  const { child, ended, call } = await demo(t, alone(t), { under: ["unshare", "-pf", "--mount-proc"] });
  const [inside = ""] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
  const called = await call("calculator", { expression: "1+1" });

  process.kill(Number(inside), "SIGTERM");

  assert.equal((called.structuredContent as { result: number }).result, 2);
  assert.equal((await ended).code, 0);
});

test("SIGTERM lets a call under way end, and takes no new one", { skip: noExecutable }, async (t) => {
  const { child, ended, call, url } = await demo(t);
  const slow = call("countdown", { seconds: 3 });
  await new Promise((done) => setTimeout(done, 500));

  child.kill("SIGTERM");
  await new Promise((done) => setTimeout(done, 500));
  const late = await fetch(`${url}/healthz`).then(
    ({ status }) => status,
    () => "refused",
  );
  const { content } = await slow;

  assert.match(JSON.stringify(content), /waited 3 s/);
  assert.equal(late, "refused");
  assert.equal((await ended).code, 0);
});

test("a client that only listens does not hold up a stop", { skip: noExecutable }, async (t) => {
  const { child, ended, call } = await demo(t);
  await call("calculator", { expression: "1" });
  const from = performance.now();

  child.kill("SIGTERM");
  await ended;

  assert.ok(performance.now() - from < 9000, "less than the budget of calls");
});

test("a call that does not end holds up a stop no longer than its budget", { skip: noExecutable }, async (t) => {
  const { child, ended, call } = await demo(t);
  const endless = call("countdown", { seconds: 60 }).then(
    ({ isError }) => isError === true,
    () => true,
  );
  await new Promise((done) => setTimeout(done, 300));
  const from = performance.now();

  child.kill("SIGTERM");
  const { code } = await ended;
  const tookMs = performance.now() - from;

  assert.equal(code, 0);
  assert.ok(tookMs > 9000 && tookMs < 50_000, `${tookMs} ms`);
  assert.equal(await endless, true);
});

test("killed, it leaves no child behind", { skip: noExecutable || process.platform !== "linux" }, async (t) => {
  const { child, place } = await demo(t);
  await until("the watchdog waits", () => watchdogsOf(child.pid!).length === 1);
  const [watchdog = 0] = watchdogsOf(child.pid!);
  assert.ok(others(place, child.pid).some(({ words }) => words === "demo-server"));

  child.kill("SIGKILL");

  await until(
    "all of them are gone",
    () => others(place, child.pid).length === 0 && !existsSync(`/proc/${watchdog}`),
    8000,
  );
});

test("exit codes are 0, 1, 2, 3 and 4 as specified (spec 001 §4.2, §7)", { skip: noExecutable }, async (t) => {
  const place = alone(t);
  const config = (name: string, more: object) => {
    const file = join(place.home, name, "mcp_config.json");
    mkdirSync(join(place.home, name), { mode: 0o700 });
    writeFileSync(file, JSON.stringify({ listen: "", api_key: KEY, mcpServers: [], ...more }), { mode: 0o600 });
    return ["-c", file];
  };
  const held = config("held", {});
  await startIt(t, place, ["serve", ...held]).says(/is ready\n/);
  const rows: [argv: string[], code: number][] = [
    [["status", ...held], 0],
    [["status", "-d", join(place.home, "nothing")], 1],
    [["status", "--no-such-flag"], 2],
    [["serve", ...config("wrong", { tools_limit: "many" })], 2],
    [["serve", ...held], 3],
    [["serve", "--stdio", ...config("audit", { audit_log: { stdout: true } })], 4],
  ];

  for (const [argv, code] of rows) assert.equal((await runIt(t, place, argv)).code, code, argv.join(" "));
});

test("--stdio speaks MCP from the executable and ends with its input", { skip: noExecutable }, async (t) => {
  const { child, says, ended } = startIt(t, alone(t), ["serve", "--stdio", "--demo"]);
  await says(/is ready\n/);

  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await says(/"id":1/);
  child.stdin.end();

  const { code, out } = await ended;
  assert.equal(code, 0);
  assert.equal(JSON.parse(out.split("\n")[0]!).result.serverInfo.name.length > 0, true);
});

test("from an empty folder it serves HTTPS, and its command line comes in by that", {
  skip: noExecutable,
}, async (t) => {
  const place = alone(t);
  const env = { SERVICE_API_KEY: KEY, SERVICE_TLS_ENABLED: "true", SERVICE_TLS_REQUIRE_CLIENT_CERT: "true" };
  const { says } = startIt(t, place, ["serve", "--listen", "127.0.0.1:0", "--no-socket"], { env });
  const [, url = ""] = await says(/MCP endpoint\s+(https:\S+)\/mcp\n/);
  const cli = (...argv: string[]) => runIt(t, place, argv, { env: { SERVICE_API_KEY: KEY, SERVICE_URL: url } });

  const status = await cli("status", "--json");
  const added = await cli("upstream", "add", "demo", "--", place.program, "demo-server");
  const listed = await cli("upstream", "list", "--json");
  const stranger = await cli("status", "-d", join(place.home, "elsewhere"));
  const made = await runIt(t, place, ["client-cert", "laptop", "--json"]);
  const trusted = await runIt(t, place, ["trust-cert", "--print"]);

  assert.equal(JSON.parse(status.out).status, "running", status.err);
  assert.equal(added.code, 0, added.err);
  assert.match(listed.out, /"demo"/);
  assert.deepEqual([stranger.code, stranger.out], [1, ""]);
  assert.match(stranger.err, /this machine does not trust its certificate/);
  const { ca, cert, key } = JSON.parse(made.out) as Record<string, string>;
  assert.equal(ca, join(place.home, ".mcpproxy", "certs", "ca.pem"));
  assert.equal(trusted.code, 0, trusted.err);
  const files = { ca: readFileSync(ca!), cert: readFileSync(cert!), key: readFileSync(key!) };
  const healthy = (options: object) => ask(`${url}/healthz`, options).then(({ status }) => status);
  assert.equal(await healthy(files), 200);
  await assert.rejects(healthy({ ca: files.ca }));
});

test("an authority of one's own is trusted by SSL_CERT_FILE, SSL_CERT_DIR and NODE_EXTRA_CA_CERTS", {
  skip: noExecutable,
}, async (t) => {
  const { url, kill } = await startProgram("upstream-http.mjs");
  t.after(kill);
  const { port, authority } = await httpsFront(t, Number(new URL(url).port), "localhost");
  const far = { name: "far", url: `https://localhost:${port}/mcp`, protocol: "streamable-http", quarantined: false };
  const state = async (env: Record<string, string>) => {
    const place = alone(t);
    const data = join(place.home, ".mcpproxy");
    mkdirSync(data, { mode: 0o700 });
    const config = { listen: "", api_key: KEY, mcpServers: [far] };
    writeFileSync(join(data, "mcp_config.json"), JSON.stringify(config), { mode: 0o600 });
    const { child, says } = startIt(t, place, ["serve"], { env });
    await says(/is ready\n/);
    let seen = "";
    await until("the server is connected or failed", async () => {
      const { out } = await runIt(t, place, ["upstream", "show", "far", "--json"]);
      const { status, last_error = "" } = JSON.parse(out);
      seen = `${status} ${last_error}`;
      return status === "ready" || last_error !== "";
    });
    child.kill("SIGTERM");
    return seen;
  };

  assert.match(await state({}), /signed by an authority that this machine does not trust.*SSL_CERT_FILE/);
  assert.match(await state({ SSL_CERT_FILE: authority }), /^ready/);
  assert.match(await state({ SSL_CERT_DIR: dirname(authority) }), /^ready/);
  assert.match(await state({ NODE_EXTRA_CA_CERTS: authority }), /^ready/);
});
