import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import JSZip from "jszip";
import { folder, startCommand } from "#test/kit/program.ts";
import { named, noPackages, packages, version } from "./made.ts";

test("the npm package installs without a network and without scripts, and serves the same program", {
  skip: noPackages,
}, async (t) => {
  const into = folder(t);
  const home = folder(t);
  const env = { PATH: process.env.PATH!, HOME: home };
  const flags = ["--offline", "--omit=optional", "--no-audit", "--no-fund", "--prefix", into];
  const installed = spawnSync("npm", ["install", ...flags, join(packages, named("-npm.tgz"))], {
    encoding: "utf8",
    env,
  });
  assert.equal(installed.status, 0, installed.stderr);
  const proxy = join(into, "node_modules/.bin/proxy");
  const { scripts, dependencies } = JSON.parse(readFileSync(join(into, "node_modules/proxy/package.json"), "utf8"));
  const said = spawnSync(proxy, ["--version"], { encoding: "utf8", env });

  const serving = startCommand(t, [proxy, "serve", "--listen", "127.0.0.1:0"], { env });
  const [url] = await serving.says(/http:\/\/127\.0\.0\.1:\d+/);
  const names = spawnSync(proxy, ["__complete", "clients", "curs"], { encoding: "utf8", env });
  // A shell waits for the names, so they come without the program.
  const program = join(into, "node_modules/proxy/program.cjs");
  renameSync(program, `${program}.away`);
  const again = spawnSync(proxy, ["__complete", "clients", "curs"], { encoding: "utf8", env });
  renameSync(`${program}.away`, program);
  const [health, panel, reference] = await Promise.all(
    ["/healthz", "/ui/", "/docs/"].map(async (path) => (await fetch(`${url}${path}`)).status),
  );

  assert.deepEqual([scripts, dependencies], [undefined, undefined]);
  assert.deepEqual([names.stdout, again.stdout], ["cursor\n", "cursor\n"]);
  assert.equal(said.stdout.trim(), version);
  assert.deepEqual([health, panel, reference], [200, 200, 200]);
});

test("the MCP bundle holds a manifest and the program that it names", { skip: noPackages }, async (t) => {
  const into = folder(t);
  const zip = await JSZip.loadAsync(readFileSync(join(packages, named(".mcpb"))));
  for (const [path, file] of Object.entries(zip.files)) {
    mkdirSync(dirname(join(into, path)), { recursive: true });
    writeFileSync(join(into, path), await file.async("nodebuffer"));
  }
  const manifest = JSON.parse(readFileSync(join(into, "manifest.json"), "utf8"));
  const [program, ...args] = manifest.server.mcp_config.args.map((arg: string) =>
    arg.replace("$" + "{__dirname}", into).replace("$" + "{user_config.data_dir}", join(into, "nothing-runs-here")),
  );

  assert.equal(program, join(into, manifest.server.entry_point));
  assert.ok(existsSync(program));
  assert.equal(spawnSync(process.execPath, [program, "--version"], { encoding: "utf8" }).stdout.trim(), version);
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } };
  const input = `${JSON.stringify(hello)}\n`;
  const bridge = spawnSync(process.execPath, [program, ...args], { encoding: "utf8", input });
  assert.match(bridge.stdout + bridge.stderr, /proxy up/, "it says what to start");
});
