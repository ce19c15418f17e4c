import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { folder } from "#test/kit/program.ts";

const run = promisify(execFile);
const root = process.cwd();
const LIMITS = { timeout: 300_000, maxBuffer: 16 * 1024 * 1024 };

const python = process.env.TEST_PYTHON_CLIENTS;
const noPython = python
  ? false
  : "no openapi-python-client: TEST_PYTHON_CLIENTS=$(test/python/install.sh clients python) npm test";

/** Generates a client in a folder of its own; skips the test where the npm registry cannot be reached. */
function generated(t: TestContext, language: string): string | undefined {
  const out = folder(t);
  const made = spawnSync(process.execPath, ["build/clients/clients.mjs", language, "--out", out], { encoding: "utf8" });
  if (made.status !== 0 && /FetchError/.test(made.stderr)) return void t.skip(made.stderr.split("\n", 1)[0]);
  assert.equal(made.status, 0, made.stderr);
  return out;
}

/** The folder into which the build installs the tools of the clients. */
function tools(): string {
  const script = `import("./build/tool.mjs").then(({ npmTool }) => console.log(npmTool("clients", "build/clients")))`;
  return spawnSync(process.execPath, ["-e", script], { encoding: "utf8" }).stdout.trim();
}

const serve = async (t: TestContext) => {
  const tools = { "git:log": "approved" } as const;
  return listenForCli(t, await testApp({ connect: false, servers: [{ name: "git", command: "x" }], tools }));
};

test("the TypeScript client compiles, rejects what the API does not have, and calls a running proxy", async (t) => {
  const out = generated(t, "typescript");
  if (out === undefined) return;
  const project = folder(t);
  mkdirSync(join(project, "node_modules"));
  cpSync(join(out, "typescript"), join(project, "node_modules/proxy-client"), { recursive: true });
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"])
    symlinkSync(join(tools(), "node_modules", name), join(project, "node_modules", name));
  symlinkSync(join(root, "node_modules/@types"), join(project, "node_modules/@types"));
  const [, example = ""] =
    /```ts\n([\s\S]*?)```/.exec(readFileSync("build/clients/typescript/README.md", "utf8")) ?? [];
  const more = `
// @ts-expect-error: the API has no such path
await proxy.GET("/api/v1/no-such-path");
// @ts-expect-error: the limit is a number
await proxy.GET("/api/v1/servers", { params: { query: { limit: "many" } } });
const missing = await proxy.GET("/api/v1/servers/{name}", { params: { path: { name: "none" } } });
console.log(missing.response.status, missing.error?.code);
`;
  const { url, key } = await serve(t);
  const source = example.replace("http://127.0.0.1:8080", url) + more;
  writeFileSync(join(project, "use.ts"), source);
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');

  const compiler = join(tools(), "node_modules/typescript/bin/tsc");
  const flags = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "use.ts"];
  const compiled = spawnSync(process.execPath, [compiler, ...flags], { cwd: project, encoding: "utf8" });
  assert.equal(compiled.status, 0, compiled.stdout);
  const env = { ...process.env, PROXY_API_KEY: key };
  const { stdout } = await run(process.execPath, ["use.js"], { cwd: project, env, ...LIMITS });

  assert.equal(stdout, "git\n404 server_not_found\n");
  assert.ok(readdirSync(out).some((name) => /^proxy-client-.*\.tgz$/.test(name)));
});

test("the Python client is generated without a warning, and calls a running proxy", { skip: noPython }, async (t) => {
  const out = generated(t, "python");
  if (out === undefined) return;
  const wheel = readdirSync(out).find((name) => /^proxy_client-.*-py3-none-any\.whl$/.test(name));
  assert.ok(wheel, "no wheel");
  const [, example = ""] =
    /```python\n([\s\S]*?)```/.exec(readFileSync("build/clients/python/README.md", "utf8")) ?? [];
  const { url, key } = await serve(t);
  const more = `
    from proxy_client.api.servers import get_servers_name
    missing = get_servers_name.sync_detailed("none", client=client)
    print(int(missing.status_code), missing.parsed.code)
`;
  const source =
    example.replace("http://127.0.0.1:8080", url).replace("the API key or an agent token", key) +
    // The example has no code after its loop, so this is still within \`with\`.
    more;
  writeFileSync(join(out, "use.py"), source);

  // A wheel is a zip file that Python can import from.
  const env = { ...process.env, PYTHONPATH: join(out, wheel!) };
  const { stdout } = await run(python!, [join(out, "use.py")], { env, ...LIMITS });

  assert.equal(stdout, "git\n404 server_not_found\n");
});
