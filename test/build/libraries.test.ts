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

test("each package of a library exports what it exports to Node", async () => {
  for (const [name, text] of scripts) {
    const module = { exports: {} as { packages: Record<string, () => Exports> } };
    const file = resolve("dist", name);
    runInThisContext(text.toString("latin1"))(createRequire(file), module, module.exports, file, resolve("dist"));

    for (const [path, load] of Object.entries(module.exports.packages)) {
      const found = load();
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
