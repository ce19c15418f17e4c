// @ts-check
/**
 * The npm packages that are bundled in the program, according to the bundler, with their data from the lock file and
 * their manifests.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);

/**
 * @typedef {object} Bundled
 * @property {string} name
 * @property {string} version
 * @property {string} license
 * @property {string | undefined} integrity
 * @property {string} folder
 */

/** @type {Promise<Bundled[]> | undefined} */
let found;

export function bundled() {
  found ??= find();
  return found;
}

/** @returns {Promise<Bundled[]>} */
async function find() {
  const { build } = await import("esbuild");
  const { common } = await import("../assets.mjs");
  const { metafile } = await build({
    ...common,
    entryPoints: ["cli/main.ts", "lib/modules/code/sandbox/worker.ts", "lib/modules/code/sandbox/typescript-worker.ts"],
    outdir: fileURLToPath(new URL("dist/none", root)),
    write: false,
    metafile: true,
    external: ["*.wasm", "@napi-rs/keyring"],
    define: { __VERSION__: '""', __ASSETS__: "undefined", "import.meta.url": '""' },
  });
  const lock = JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8"));
  const places = new Set(
    Object.keys(metafile.inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  return [...places].sort().map((place) => {
    const { name, version, license } = JSON.parse(readFileSync(new URL(`${place}/package.json`, root), "utf8"));
    return { name, version, license: license ?? "", integrity: lock.packages[place]?.integrity, folder: place };
  });
}

/** The licence texts in a package's folder. @param {Bundled} one */
export function licenceTexts({ folder }) {
  const at = new URL(`${folder}/`, root);
  if (!existsSync(at)) return "";
  return readdirSync(at)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .sort()
    .map((name) => readFileSync(new URL(name, at), "utf8").trim())
    .join("\n\n");
}
