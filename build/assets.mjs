// @ts-check
/**
 * Writes the files that the program reads at run time (WebAssembly, tables, worker sources) to dist/assets, beside the
 * bundle.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { packedPanel } from "./panel.mjs";
import { packedSite } from "./site/site.mjs";

const root = new URL("..", import.meta.url);
const out = new URL("dist/assets/", root);
const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));

/**
 * Replaces a file atomically, because tests may be reading the old one. @param {string} name @param {Uint8Array} bytes
 */
export function putAsset(name, bytes) {
  const to = new URL(name, out);
  if (existsSync(to) && readFileSync(to).equals(bytes)) return;
  const temp = new URL(`${name}.${process.pid}.tmp`, out);
  writeFileSync(temp, bytes);
  renameSync(temp, to);
}

/** Worker sources and other programs of their own, each bundled into one CommonJS text: asset name to entry. */
const PROGRAMS = {
  "complete.cjs": "cli/completion/complete.ts",
  "quickjs-worker.cjs": "lib/modules/code/sandbox/worker.ts",
  "typescript-worker.cjs": "lib/modules/code/sandbox/typescript-worker.ts",
};

/** The library of the interactive reference, compressed for browsers: asset name to its source files. */
const REFERENCE = {
  "swagger-ui.js.gz": ["swagger-ui-bundle.js"],
  "swagger-ui.css.gz": ["swagger-ui.css"],
  "swagger-ui-licences.txt.gz": ["NOTICE", "LICENSE", "swagger-ui-bundle.js.LICENSE.txt"],
};

export const common = /** @type {import("esbuild").BuildOptions} */ ({
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  legalComments: "none",
  loader: { ".sh": "text", ".service": "text" },
  logLevel: "warning",
  absWorkingDir: fileURLToPath(root),
});

export async function assets() {
  mkdirSync(out, { recursive: true });
  putAsset("sql-wasm-debug.wasm", readFileSync(require.resolve("sql.js/dist/sql-wasm-debug.wasm")));
  for (const [name, entry] of Object.entries(PROGRAMS)) {
    if (!existsSync(new URL(entry, root))) continue;
    const { outputFiles } = await build({
      ...common,
      minify: true,
      entryPoints: [entry],
      write: false,
      external: ["*.wasm"],
      // A worker created from text has no URL, and the Emscripten glue code requires one.
      define: { "import.meta.url": JSON.stringify("file:///proxy-worker.cjs"), __VERSION__: JSON.stringify(version) },
    });
    putAsset(name, outputFiles[0].contents);
  }
  const quickjs = new URL("node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm", root);
  if (existsSync(quickjs)) putAsset("quickjs.wasm", readFileSync(quickjs));
  const swc = new URL("node_modules/@swc/wasm-typescript/wasm_bg.wasm", root);
  if (existsSync(swc)) putAsset("swc.wasm", readFileSync(swc));
  for (const [name, bytes] of Object.entries(await tables())) putAsset(name, bytes);
  putAsset("scan-rules.txt", Buffer.from(await scanRulesDigest()));
  for (const [name, files] of Object.entries(REFERENCE)) {
    const parts = files.map((file) => readFileSync(require.resolve(`swagger-ui-dist/${file}`)));
    putAsset(name, gzipSync(Buffer.concat(parts), { level: 9 }));
  }
  putAsset("panel.pack", await packedPanel());
  putAsset("site.pack", await packedSite());
  return fileURLToPath(out);
}

/** Computes the data of build/tables.ts. @returns {Promise<Record<string, Uint8Array>>} */
async function tables() {
  const outfile = fileURLToPath(new URL(`dist/tables-${process.pid}.cjs`, root));
  try {
    const define = { __ASSETS__: JSON.stringify(fileURLToPath(out)) };
    await build({ ...common, entryPoints: ["build/tables.ts"], outfile, define });
    return await require(outfile).tables();
  } finally {
    rmSync(outfile, { force: true });
  }
}

/** A digest of all code and data of the scan's rules, which says whether stored results are still valid. */
async function scanRulesDigest() {
  const entryPoints = ["lib/modules/scan/rules/examine-tool.ts", "lib/modules/scan/rules/make-lexicon.ts"];
  const { outputFiles } = await build({ ...common, entryPoints, outdir: "dist/none", write: false });
  const hash = createHash("sha256");
  for (const { contents } of outputFiles) hash.update(contents);
  return hash.digest("hex");
}
