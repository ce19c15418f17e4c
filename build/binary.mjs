// @ts-check
/**
 * `npm run build [-- --target linux-x64|linux-arm64|darwin-arm64|darwin-x64|win-x64]`: makes dist/proxy, one file.
 * The program's bundle and assets are embedded, by @yao-pkg/pkg's single-executable path, into the Node binary that npm
 * itself carries; nothing is fetched from anywhere else.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundle, version } from "./bundle.mjs";
import { cacheDir, fetchFile } from "./fetch.mjs";
import { signAdHoc } from "./macho-sign.mjs";
import { hostTarget, TARGETS } from "./targets.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const OS = { linux: "linux", macos: "darwin", win: "win" };

/** @param {string} name @returns {Promise<string>} the executable */
export async function binary(name) {
  const target = TARGETS[name];
  if (!target) throw new Error(`unknown target "${name}"; one of ${Object.keys(TARGETS).join(", ")}`);
  const host = name === hostTarget();
  const work = join(root, "dist", `build-${name}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });

  const source = join(work, "proxy.cjs");
  const { assets } = await bundle({ minify: true, outfile: source, embedded: true });
  ascii(source);
  const embedded = Object.fromEntries(
    readdirSync(assets)
      .filter((f) => !f.endsWith(".tmp"))
      .map((f) => [f, join(assets, f)]),
  );
  embedded["proxy.cjs"] = source;
  embedded["keyring.node"] = fetchFile(target.keyring);

  const node = fetchFile(target.node);
  if (host) embedded["proxy.cache"] = codeCache(node, source, assets, work);
  const base = join(work, target.platform === "win" ? "node.exe" : "node");
  copyFileSync(node, base);
  strip(base, target.strip);
  const out = join(root, "dist", `proxy${host ? "" : `-${name}`}${target.platform === "win" ? ".exe" : ""}`);
  await inject({ target, base, out: join(work, "out"), embedded, work });
  if (target.platform === "macos") signAdHoc(join(work, "out"), "proxy");
  chmodSync(join(work, "out"), 0o755);
  renameSync(join(work, "out"), out);
  rmSync(work, { recursive: true, force: true });
  return out;
}

/** esbuild leaves non-ASCII characters in regular expressions; escaped, the text is a one-byte string. @param {string} file */
function ascii(file) {
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace(/[^\x00-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).replace(/^#!.*/, ""),
  );
}

/** @param {string} node @param {string} source @param {string} assets @param {string} work */
function codeCache(node, source, assets, work) {
  const cache = join(work, "proxy.cache");
  const beside = join(work, "assets");
  mkdirSync(beside, { recursive: true });
  for (const f of readdirSync(assets)) copyFileSync(join(assets, f), join(beside, f));
  execFileSync(node, [join(root, "build/code-cache.cjs"), source, cache], {
    stdio: ["ignore", "inherit", "inherit"],
    timeout: 60_000,
  });
  return cache;
}

/** Before injection: after it, stripping breaks the file. @param {string} file @param {string[][]} tools */
function strip(file, tools) {
  for (const [command = "", ...args] of tools) {
    const done = spawnSync(command, [...args, file], { stdio: "ignore" });
    if (done.status === 0) return;
  }
  if (tools.length)
    console.error(`no ${tools.map((t) => t[0]).join(" or ")} here: the executable keeps its symbols and is larger`);
}

/** pkg, pinned by build/pkg/package-lock.json, installed once per lock file. */
function pkgTool() {
  const lock = new URL("pkg/package-lock.json", import.meta.url);
  const dir = join(cacheDir, `pkg-${createHash("sha256").update(readFileSync(lock)).digest("hex").slice(0, 16)}`);
  if (!existsSync(join(dir, "node_modules/@yao-pkg/pkg/package.json"))) {
    mkdirSync(cacheDir, { recursive: true });
    const temp = mkdtempSync(join(cacheDir, "pkg-"));
    for (const f of ["package.json", "package-lock.json"])
      copyFileSync(new URL(`pkg/${f}`, import.meta.url), join(temp, f));
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], {
      cwd: temp,
      stdio: ["ignore", 2, 2],
      shell: process.platform === "win32",
    });
    rmSync(dir, { recursive: true, force: true });
    renameSync(temp, dir);
  }
  return dir;
}

/**
 * Runs pkg under the generator Node. Its download cache is seeded with our own binary, so that it fetches nothing.
 * @param {{ target: import("./targets.mjs").Target, base: string, out: string, embedded: Record<string, string>, work: string }} job
 */
async function inject({ target, base, out, embedded, work }) {
  const { build } = await import("esbuild");
  const main = join(work, "main.cjs");
  await build({
    entryPoints: [join(root, "build/loader.cts")],
    outfile: main,
    platform: "node",
    format: "cjs",
    minify: true,
    define: { __VERSION__: JSON.stringify(version) },
    logLevel: "warning",
  });
  const home = join(work, "home");
  const name = `node-v${target.node.version}-${OS[target.platform]}-${target.arch}`;
  const seed = join(home, ".pkg-cache/sea");
  const archive = join(seed, `${name}.${target.platform === "win" ? "zip" : "tar.gz"}`);
  const place = target.platform === "win" ? join(seed, `${name}.exe`) : join(seed, name, "bin/node");
  mkdirSync(dirname(place), { recursive: true });
  for (const f of [archive, `${archive}.ok`, `${place}.ok`]) writeFileSync(f, "");
  copyFileSync(base, place);
  chmodSync(place, 0o755);
  const job = join(work, "job.json");
  writeFileSync(
    job,
    JSON.stringify({
      tool: pkgTool(),
      main,
      out,
      version: target.node.version,
      platform: target.platform,
      arch: target.arch,
      embedded,
    }),
  );
  execFileSync(fetchFile(target.generator), [fileURLToPath(import.meta.url), "--inject", job], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, HOME: home, USERPROFILE: home },
    timeout: 300_000,
  });
}

/** The half that runs under the generator Node. @param {string} file */
async function injectNow(file) {
  const job = JSON.parse(readFileSync(file, "utf8"));
  const require = createRequire(join(job.tool, "package.json"));
  require("@yao-pkg/pkg/lib-es5/options").default.set({});
  await require("@yao-pkg/pkg/lib-es5/sea").default(job.main, {
    signature: false,
    targets: [{ nodeRange: `node${job.version}`, platform: job.platform, arch: job.arch, output: job.out }],
    seaConfig: {
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      // NODE_OPTIONS of whoever starts the program must not reach into it.
      execArgvExtension: "none",
      assets: job.embedded,
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { target: { type: "string" }, inject: { type: "string" } } });
  if (values.inject) await injectNow(values.inject);
  else {
    const out = await binary(values.target ?? hostTarget());
    console.log(`${out} (${(statSync(out).size / 1e6).toFixed(1)} MB)`);
  }
}
