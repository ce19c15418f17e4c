import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";

type Exports = Readonly<Record<string, unknown>>;

let scripts: Map<string, Buffer>;
before(async () => {
  const built = (name: string) => import(pathToFileURL(resolve(`build/${name}.mjs`)).href);
  const [{ libraryScripts }, { common }] = await Promise.all([built("libraries"), built("assets")]);
  scripts = await libraryScripts(common);
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
