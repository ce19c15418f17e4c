// @ts-check
/** Builds dist/proxy.cjs, the program in one CommonJS file, with its assets beside it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install.mjs";

const root = new URL("..", import.meta.url);
export const version = JSON.parse(readFileSync(new URL("package.json", root), "utf8")).version;

/**
 * @param {{ minify?: boolean, outfile?: string, embedded?: boolean }} [options] embedded: load native addons from the
 * executable
 * @returns {Promise<{ outfile: string, assets: string }>}
 */
export async function bundle({
  minify = false,
  outfile = fileURLToPath(new URL("dist/proxy.cjs", root)),
  embedded = false,
} = {}) {
  ensureInstalled();
  const { build } = await import("esbuild");
  const { assets, common, putAsset } = await import("./assets.mjs");
  const { libraries, libraryScripts } = await import("./libraries.mjs");
  const { generate } = await import("./generate-tables.mjs");
  generate();
  const folder = await assets();
  for (const [name, text] of await libraryScripts(common)) putAsset(name, text);
  const { outputFiles } = await build({
    ...common,
    minify,
    write: false,
    entryPoints: ["cli/main.ts"],
    outfile,
    banner: { js: "#!/usr/bin/env node\nconst __bundle_url=require('node:url').pathToFileURL(__filename).href;" },
    define: {
      __VERSION__: JSON.stringify(version),
      __ASSETS__: "undefined",
      // The public key that verifies releases (build/sign.mjs); empty for a build without one.
      __RELEASE_KEY__: JSON.stringify(process.env.PROXY_RELEASE_KEY ?? ""),
      "import.meta.url": "__bundle_url",
    },
    plugins: [libraries],
    external: embedded ? [] : ["@napi-rs/keyring"],
    alias: {
      // Its CommonJS build loads its modules at run time, when there is no node_modules folder.
      "jsonc-parser": fileURLToPath(new URL("node_modules/jsonc-parser/lib/esm/main.js", root)),
      ...(embedded && { "@napi-rs/keyring": fileURLToPath(new URL("lib/core/secrets/embedded-keyring.ts", root)) }),
    },
  });
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(outfile, minify ? outputFiles[0].text : withOneModuleKey(outputFiles[0].text));
  return { outfile, assets: folder };
}

/**
 * Gives the wrappers of all modules the same key instead of the path of the module.
 *
 * Without minification esbuild wraps each module in an object with one member, named by its path. V8 remembers at most
 * 1,536 different first members of objects with one member. The bundle has twice as many modules, and afterwards every
 * object like `{ signal }` gets a hidden class of its own, which costs 8 percent of a call.
 *
 * @param {string} text the bundle
 * @throws Error if esbuild writes wrappers in another form
 */
export function withOneModuleKey(text) {
  const result = text.replace(/^(var [\w$]+ = __(?:esm|commonJS)\(\{\n {2})"(?:[^"\\\n]|\\.)*"\(/gm, "$1load(");
  if (result === text || /^var [\w$]+ = __(?:esm|commonJS)\(\{\n {2}(?!load\()/m.test(result))
    throw new Error("esbuild's wrappers of modules have changed: see withOneModuleKey in build/bundle.mjs");
  return result;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await bundle()).outfile);
