import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { type TestContext, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { callRead, connectAsCursor, writeCursorFile } from "#test/kit/cursor.ts";
import { homeFolder } from "#test/kit/home.ts";
import { interceptingProxy } from "#test/kit/intercepting-proxy.ts";
import { runProgram } from "#test/kit/program.ts";
import { atTerminal } from "#test/kit/terminal.ts";
import { startProgram, until } from "#test/kit/upstream.ts";
import { textOf } from "./daemon.ts";

/** This server is fetched from the npm registry, by a program that only inherits the settings. */
const THINKING = "@modelcontextprotocol/server-sequential-thinking@2026.8.31";
const found = spawnSync("npm", ["view", THINKING, "version"], { encoding: "utf8", timeout: 60_000 });
const skip = found.status === 0 ? false : `NOT RUN: no npm registry: ${found.stderr.slice(-200)}`;

/** The machine of somebody whose company reads all traffic: Cursor has a remote server and one that npx fetches. */
async function machine(t: TestContext) {
  const remote = await startProgram("upstream-http.mjs");
  t.after(remote.kill);
  const company = await interceptingProxy(t, { "mcp.company.test": Number(new URL(remote.url).port) });
  const HOME = homeFolder(t);
  const servers = {
    remote: { url: "https://mcp.company.test/mcp" },
    thinking: { command: "npx", args: ["-y", THINKING] },
  };
  const { file } = writeCursorFile(HOME, servers);
  const env = { HOME, PATH: process.env.PATH ?? "", SERVICE_LISTEN: "127.0.0.1:0", HTTPS_PROXY: company.url };
  return { company, file, env };
}

test("behind an HTTP proxy with a private certificate authority, the doctor names what is missing, also for a server that npx cannot fetch", {
  skip,
  timeout: 300_000,
}, async (t) => {
  const { company, env: unset } = await machine(t);
  // A setting of npm on this machine may name another file.
  const env = { ...unset, npm_config_cafile: "" };

  assert.equal((await runProgram(t, ["up"], env)).code, 0);
  assert.equal((await runProgram(t, ["import", "--from", "cursor", "--apply"], env)).code, 0);

  let report = "";
  const failed = async () => {
    report = (await runProgram(t, ["doctor"], env)).out;
    return report.match(/received a certificate that is signed by an authority/g)?.length === 2;
  };
  await until("the doctor reports both servers", failed, 120_000).catch((error) => assert.fail(`${error}\n${report}`));
  assert.match(report, /SSL_CERT_FILE, REQUESTS_CA_BUNDLE and NODE_EXTRA_CA_CERTS/);
  assert.doesNotMatch(report, /is unhealthy/);
  assert.ok(company.hosts.size >= 2, [...company.hosts].join());
});

test("with the authority in its environment, setup imports both servers, and the client calls them through the proxy", {
  skip,
  timeout: 300_000,
}, async (t) => {
  const { company, file, env: without } = await machine(t);
  const env = { ...without, NODE_EXTRA_CA_CERTS: company.authority, npm_config_cafile: company.authority };
  assert.equal((await runProgram(t, ["up"], env)).code, 0);

  const { code, out, err } = await atTerminal(["setup"], commands, { env, answers: ["all", "move", "approve"] });

  assert.equal(code, 0, err + out);
  const client = await connectAsCursor(t, file);
  const call = async (name: string, args: Record<string, unknown>) => textOf(await callRead(client, name, args));
  assert.equal(await call("remote:echo", { a: 1 }), '{"a":1}');
  const thought = { thought: "x", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
  assert.match(await call("thinking:sequentialthinking", thought), /thoughtNumber/);
  assert.ok(company.hosts.has("mcp.company.test") && company.hosts.size >= 2, [...company.hosts].join());
});
