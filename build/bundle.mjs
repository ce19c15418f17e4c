// @ts-check
/** Makes dist/proxy.cjs, the whole program in one CommonJS file, with its assets beside it. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install.mjs";

const root = new URL("..", import.meta.url);
export const version = JSON.parse(readFileSync(new URL("package.json", root), "utf8")).version;

export async function bundle({ minify = false } = {}) {
  ensureInstalled();
  const { build } = await import("esbuild");
  const { assets, common } = await import("./assets.mjs");
  const { generate } = await import("./routes.mjs");
  generate();
  await assets();
  const outfile = fileURLToPath(new URL("dist/proxy.cjs", root));
  await build({
    ...common,
    minify,
    entryPoints: ["cli/main.ts"],
    outfile,
    banner: { js: "#!/usr/bin/env node\nconst __bundle_url=require('node:url').pathToFileURL(__filename).href;" },
    define: {
      __VERSION__: JSON.stringify(version),
      __ASSETS__: "undefined",
      "import.meta.url": "__bundle_url",
    },
    external: ["@napi-rs/keyring"],
  });
  return outfile;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(await bundle({ minify: process.argv.includes("--minify") }));
