// @ts-check
/** Builds dist/proxy.cjs, the complete program in one CommonJS file, with its assets beside it. */
import { readFileSync } from "node:fs";
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
  const { assets, common } = await import("./assets.mjs");
  const { generate } = await import("./generate-tables.mjs");
  generate();
  const folder = await assets();
  await build({
    ...common,
    minify,
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
    external: embedded ? [] : ["@napi-rs/keyring"],
    alias: {
      // Its CommonJS build loads its modules at run time, when there is no node_modules folder.
      "jsonc-parser": fileURLToPath(new URL("node_modules/jsonc-parser/lib/esm/main.js", root)),
      ...(embedded && { "@napi-rs/keyring": fileURLToPath(new URL("lib/core/secrets/embedded-keyring.ts", root)) }),
    },
  });
  return { outfile, assets: folder };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await bundle()).outfile);
