// @ts-check
/**
 * `npm run build [-- --target linux-x64|linux-arm64|darwin-arm64|darwin-x64|win-x64 --out file --no-code-cache]`:
 * builds dist/proxy, one file. The program's bundle and assets are embedded in a Node binary from the npm registry;
 * nothing is downloaded from elsewhere.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundle, version } from "./bundle.mjs";
import { fetchFile } from "./fetch.mjs";
import { asFunction } from "./libraries.mjs";
import { signAdHoc } from "./macho-sign.mjs";
import { POSITION, writePayload, writePosition } from "./payload.mjs";
import { unsign } from "./pe-unsign.mjs";
import { inject } from "./sea.mjs";
import { hostTarget, TARGETS } from "./targets.mjs";
import { codeCaches } from "./warm.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The output path of a target's executable. @param {string} name */
export function executablePath(name) {
  const { platform } = targetOf(name);
  return join(root, "dist", `proxy${name === hostTarget() ? "" : `-${name}`}${platform === "win" ? ".exe" : ""}`);
}

/**
 * @param {string} name @param {{ out?: string | undefined, cached?: boolean }} [options]
 * @returns {Promise<string>} the executable
 */
export async function binary(name, { out = executablePath(name), cached = true } = {}) {
  const target = targetOf(name);
  const work = join(root, "dist", `build-${name}-${process.pid}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    const file = join(work, "payload");
    const payload = writePayload(await parts(target, work, cached), file);
    const base = join(work, target.platform === "win" ? "node.exe" : "node");
    copyFileSync(fetchFile(target.node), base);
    strip(base, target.strip);
    if (target.platform === "win") unsign(base);
    const made = join(work, "out");
    inject({ target, base, main: await loader(work, payload), embedded: { payload: file }, out: made, work });
    writePosition(made, payload);
    if (target.platform === "macos") signAdHoc(made, "proxy");
    chmodSync(made, 0o755);
    moveTo(made, out);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return out;
}

/** @param {string} from @param {string} to */
function moveTo(from, to) {
  try {
    renameSync(from, to);
  } catch {
    // A rename does not work across file systems.
    copyFileSync(from, to);
  }
}

/** @param {string} name */
function targetOf(name) {
  const target = TARGETS[name];
  if (!target) throw new Error(`unknown target "${name}"; one of ${Object.keys(TARGETS).join(", ")}`);
  return target;
}

/**
 * The embedded files: name to path.
 * @param {import("./targets.mjs").Target} target @param {string} work @param {boolean} cached
 */
async function parts(target, work, cached) {
  const source = join(work, "proxy.cjs");
  const { assets } = await bundle({ minify: true, outfile: source, embedded: true });
  writeFileSync(source, asFunction(readFileSync(source, "utf8")));
  const names = readdirSync(assets)
    .filter((f) => !f.endsWith(".tmp"))
    .sort();
  /** @type {Record<string, string>} */
  const embedded = Object.fromEntries(names.map((f) => [f, join(assets, f)]));
  embedded["proxy.cjs"] = source;
  embedded["keyring.node"] = fetchFile(target.keyring);
  return { ...embedded, ...(cached && codeCaches(target, source, assets, work)) };
}

/** @param {string} work @param {import("./payload.mjs").Payload} payload */
async function loader(work, { id, files }) {
  const { build } = await import("esbuild");
  const main = join(work, "main.cjs");
  await build({
    entryPoints: [join(root, "build/loader.cts")],
    outfile: main,
    platform: "node",
    format: "cjs",
    minify: true,
    define: {
      __VERSION__: JSON.stringify(version),
      __FILES__: JSON.stringify(files),
      __PAYLOAD_ID__: JSON.stringify(id),
      __PAYLOAD_AT__: JSON.stringify(POSITION),
    },
    logLevel: "warning",
  });
  return main;
}

/**
 * Removes symbols, before injection: afterwards it would damage the file. @param {string} file @param {string[][]}
 * tools
 */
function strip(file, tools) {
  for (const [command = "", ...args] of tools) {
    const done = spawnSync(command, [...args, file], { stdio: "ignore" });
    if (done.status === 0) return;
  }
  if (tools.length)
    console.error(`no ${tools.map((t) => t[0]).join(" or ")} here: the executable keeps its symbols and is larger`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { target: { type: "string" }, out: { type: "string" }, "no-code-cache": { type: "boolean" } },
  });
  const { target = hostTarget(), out: to, "no-code-cache": bare = false } = values;
  const out = await binary(target, { out: to, cached: !bare });
  console.log(`${out} (${(statSync(out).size / 1e6).toFixed(1)} MB)`);
}
