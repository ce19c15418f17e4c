import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { commands } from "#cli/commands.gen.ts";
import { homeFolder } from "#test/kit/home.ts";
import { runProgram } from "#test/kit/program.ts";
import { atTerminal } from "#test/kit/terminal.ts";

const MAX_SECONDS = 90;
const MAX_DECISIONS = 6;

const installed = spawnSync("test/e2e/servers/install.sh", { encoding: "utf8" });
const skip = installed.status === 0 ? false : `the servers cannot be installed: ${installed.stderr.slice(-300)}`;

/** The program of an installed package. */
function binary(from: string, name: string): string {
  const path = join(from, "node_modules", name, "package.json");
  const { bin } = JSON.parse(readFileSync(path, "utf8"));
  return join(dirname(path), typeof bin === "string" ? bin : String(Object.values(bin)[0]));
}

test(`six servers of Cursor: from the first command to the first call by the client in ${MAX_SECONDS} s and ${MAX_DECISIONS} decisions`, {
  skip,
  timeout: 400_000,
}, async (t) => {
  const HOME = homeFolder(t);
  const cache = installed.stdout.trim();
  const local = process.cwd();
  const node = (path: string, ...args: string[]) => ({ command: process.execPath, args: [path, ...args] });
  const servers = {
    filesystem: node(binary(local, "@modelcontextprotocol/server-filesystem"), HOME),
    memory: {
      ...node(binary(local, "@modelcontextprotocol/server-memory")),
      env: { MEMORY_FILE_PATH: join(HOME, "memory.json") },
    },
    everything: node(binary(local, "@modelcontextprotocol/server-everything")),
    thinking: node(binary(cache, "@modelcontextprotocol/server-sequential-thinking")),
    github: {
      ...node(binary(cache, "@modelcontextprotocol/server-github")),
      env: { GITHUB_PERSONAL_ACCESS_TOKEN: "ghp_0123456789abcdefghijklmnopqrstuvwxyz" },
    },
    charts: node(binary(cache, "@antv/mcp-server-chart")),
  };
  const file = join(HOME, ".cursor", "mcp.json");
  const before = `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, before);
  const env = { HOME, PATH: process.env.PATH ?? "", SERVICE_LISTEN: "127.0.0.1:0" };

  const from = Date.now();
  // The proxy of the bundle is started first, because a test cannot start itself in the background.
  const up = await runProgram(t, ["up"], env);
  assert.equal(up.code, 0, up.err);
  const { code, out, err } = await atTerminal(["setup"], commands, { env, answers: ["all", "move", "approve"] });
  assert.equal(code, 0, err);
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual(Object.keys(mcpServers), ["mcpproxy"]);
  const client = new Client({ name: "cursor", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpServers.mcpproxy.url)));
  t.after(() => client.close());
  const result = await client.callTool({
    name: "call_tool_read",
    arguments: { name: "memory:read_graph", args: {}, intent: { operation_type: "read" } },
  });
  const seconds = Math.round((Date.now() - from) / 1000);

  assert.notEqual(result.isError, true, JSON.stringify(result));
  assert.match(out, /^6 servers imported, 6 released, 1 secret moved out of plain text$/m);
  const decisions = Number(/^(\d+) decisions?,/m.exec(out)?.[1]);
  t.diagnostic(`${seconds} s, ${decisions} decisions`);
  assert.ok(decisions <= MAX_DECISIONS, out);
  assert.ok(seconds <= MAX_SECONDS, `${seconds} s`);
  assert.ok(!readFileSync(join(HOME, ".mcpproxy", "mcp_config.json"), "utf8").includes("ghp_"));
  for (let i = 0; i < 2; i++) assert.equal((await runProgram(t, ["connect", "undo", "cursor"], env)).code, 0);
  assert.equal(readFileSync(file, "utf8"), before);
});
