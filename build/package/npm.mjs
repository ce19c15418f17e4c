// @ts-check
/**
 * Builds the npm package, for `npx`: the bundle with its assets, without install scripts. The system keyring is an
 * optional dependency; without it, secrets are in an encrypted file.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bundle.mjs";
import { description, epoch, homepage, license, version } from "../release.mjs";
import { gzip, tar, withFolders } from "../tar.mjs";
import { portableNotices } from "./notices.mjs";

/** Name in the registry; whoever publishes sets it, because `proxy` is taken there. */
export const npmName = process.env.PROXY_NPM_NAME || "proxy";

const text = (/** @type {string} */ file) => readFileSync(new URL(`../../${file}`, import.meta.url));
const json = (/** @type {unknown} */ value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** @returns {Promise<{ name: string, bytes: Buffer }>} */
export async function npmPackage() {
  const { engines, dependencies } = JSON.parse(text("package.json").toString());
  const manifest = {
    name: npmName,
    version,
    description,
    license,
    ...(homepage && { homepage }),
    bin: { proxy: "proxy.cjs" },
    engines,
    optionalDependencies: { "@napi-rs/keyring": dependencies["@napi-rs/keyring"] },
  };
  const files = [
    ...(await programFiles()),
    { path: "package.json", mode: 0o644, data: json(manifest) },
    { path: "README.md", mode: 0o644, data: text("README.md") },
  ];
  const entries = withFolders(files.map((file) => ({ ...file, path: `package/${file.path}` })));
  const name = `${npmName.replace("@", "").replace("/", "-")}-${version}-npm.tgz`;
  return { name, bytes: await gzip(tar(entries, epoch())) };
}

/** Node parses the whole bundle before it runs a line of it, which takes longer than a shell should wait for names. */
const LAUNCHER = `#!/usr/bin/env node
"use strict";
if (process.argv[2] === "__complete") require("./assets/complete.cjs");
else require("./program.cjs");
`;

/** The bundle, its assets and the licences: what any Node can run. @returns {Promise<import("../tar.mjs").Entry[]>} */
export async function programFiles() {
  const { outfile, assets } = await bundle({ minify: true, outfile: join(process.cwd(), "dist/npm/proxy.cjs") });
  const names = readdirSync(assets).filter((name) => !name.endsWith(".tmp"));
  return [
    { path: "proxy.cjs", mode: 0o755, data: Buffer.from(LAUNCHER) },
    { path: "program.cjs", mode: 0o644, data: readFileSync(outfile) },
    ...names.map((name) => ({ path: `assets/${name}`, mode: 0o644, data: readFileSync(join(assets, name)) })),
    { path: "LICENSE", mode: 0o644, data: text("LICENSE") },
    { path: "THIRD-PARTY-NOTICES", mode: 0o644, data: Buffer.from(await portableNotices()) },
  ];
}
