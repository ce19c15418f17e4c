import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";
import { type BuildOptions, build, type Plugin } from "esbuild";

type Exports = Readonly<Record<string, unknown>>;

let scripts: Map<string, Buffer>;
let libraries: Plugin;
let common: BuildOptions;
before(async () => {
  const built = (name: string) => import(pathToFileURL(resolve(`build/${name}.mjs`)).href);
  const [made, assets] = await Promise.all([built("libraries"), built("assets")]);
  ({ libraries } = made);
  ({ common } = assets);
  scripts = await made.libraryScripts(common);
});

function load(name: string): Record<string, () => Exports> {
  const module = { exports: {} as { packages: Record<string, () => Exports> } };
  const file = resolve("dist", name);
  const text = scripts.get(name)!.toString("latin1");
  runInThisContext(text)(createRequire(file), module, module.exports, file, resolve("dist"));
  return module.exports.packages;
}

test("the classes by whose names oidc-provider stores its records have their names", () => {
  const Provider = load("library-identity.cjs")["oidc-provider"]!().default as typeof import("oidc-provider").default;
  const provider = new Provider("http://localhost", { jwks: { keys: [] } });

  const { Client, Grant, AccessToken, RefreshToken, AuthorizationCode, Session, Interaction } = provider;
  const names = [Client, Grant, AccessToken, RefreshToken, AuthorizationCode, Session, Interaction].map(
    ({ name }) => name,
  );
  assert.deepEqual(names, [
    "Client",
    "Grant",
    "AccessToken",
    "RefreshToken",
    "AuthorizationCode",
    "Session",
    "Interaction",
  ]);
});

test("each package of a library exports what it exports to Node", async () => {
  for (const name of scripts.keys()) {
    for (const [path, exported] of Object.entries(load(name))) {
      const found = exported();
      const expected = (await import(path)) as Exports;

      for (const [key, value] of Object.entries(expected)) {
        const isOfCommonJs =
          /^(__esModule|module\.exports)$/.test(key) || (key === "default" && "__esModule" in expected);
        if (!isOfCommonJs) assert.equal(typeof found[key], typeof value, `${path}: ${key}`);
      }
    }
  }
});

test("the scripts are pure ASCII, as their loader reads them", () => {
  for (const [name, text] of scripts) assert.equal(text.toString("latin1").search(/[^\x00-\x7f]/), -1, name);
});

test("what answers a request to REST does not load Node's own fetch, which takes 20 ms in one turn", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "assets", "library-rest.cjs"), scripts.get("library-rest.cjs")!);
  const entry = join(folder, "entry.js");
  const program = join(folder, "program.cjs");
  const text = `
    const { createServer, request } = require("node:http");
    import { loadFetch } from ${JSON.stringify(resolve("lib/core/api/load-rest.ts"))};
    const print = (body) => {
      console.log(String(body), process.moduleLoadList.includes("NativeModule internal/deps/undici/undici"));
      process.exit();
    };
    loadFetch().then(async () => {
      const { getRequestListener } = await import("@hono/node-server");
      const server = createServer(getRequestListener(async (req) => Response.json(await req.json())));
      const answered = (res) => res.on("data", print);
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address();
        request({ host: "127.0.0.1", port, method: "POST" }, answered).end('{"a":1}');
      });
    });`;
  writeFileSync(entry, text);
  await build({
    ...common,
    entryPoints: [entry],
    outfile: program,
    plugins: [libraries],
    banner: { js: "const __bundle_url=require('node:url').pathToFileURL(__filename).href;" },
    define: { __ASSETS__: "undefined", "import.meta.url": "__bundle_url" },
  });

  const printed = execFileSync(process.execPath, [program], { encoding: "utf8" });

  assert.equal(printed, '{"a":1} false\n');
});
