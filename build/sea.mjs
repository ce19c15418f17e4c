// @ts-check
/**
 * Injects the embedded blob into a Node binary with the single-executable code of @yao-pkg/pkg. It is called directly,
 * because pkg's command line lacks the needed options. This file runs itself under the generator Node for that.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchFile } from "./fetch.mjs";
import { npmTool } from "./tool.mjs";

const OS = { linux: "linux", macos: "darwin", win: "win" };

/**
 * @typedef {object} Job
 * @property {import("./targets.mjs").Target} target
 * @property {string} base the Node binary for the blob; without symbols and signature
 * @property {string} main the main script of the executable
 * @property {Record<string, string>} embedded assets by name
 * @property {string} out
 * @property {string} work temporary folder that contains the main file
 */

/**
 * Puts the Node binary into pkg's download cache, so that pkg downloads nothing.
 * @param {Job} job
 */
export function inject({ target, base, main, embedded, out, work }) {
  const home = join(work, "home");
  const name = `node-v${target.node.version}-${OS[target.platform]}-${target.arch}`;
  const seed = join(home, ".pkg-cache/sea");
  const archive = join(seed, `${name}.${target.platform === "win" ? "zip" : "tar.gz"}`);
  const place = target.platform === "win" ? join(seed, `${name}.exe`) : join(seed, name, "bin/node");
  mkdirSync(dirname(place), { recursive: true });
  for (const f of [archive, `${archive}.ok`, `${place}.ok`]) writeFileSync(f, "");
  copyFileSync(base, place);
  chmodSync(place, 0o755);
  const { platform, arch, node } = target;
  const job = join(work, "job.json");
  writeFileSync(
    job,
    JSON.stringify({
      tool: npmTool("pkg", fileURLToPath(new URL("pkg", import.meta.url))),
      main,
      out,
      version: node.version,
      platform,
      arch,
      embedded,
    }),
  );
  execFileSync(fetchFile(target.generator), [fileURLToPath(import.meta.url), job], {
    stdio: ["ignore", "ignore", "inherit"],
    // pkg creates its folder below this one, so the relative path of the main file, which is part of the blob, is
    // constant.
    env: { ...process.env, HOME: home, USERPROFILE: home, TMPDIR: work, TEMP: work, TMP: work },
    timeout: 300_000,
  });
}

/** The part that runs under the generator Node. @param {string} file */
async function injectNow(file) {
  const job = JSON.parse(readFileSync(file, "utf8"));
  const require = createRequire(join(job.tool, "package.json"));
  require("@yao-pkg/pkg/lib-es5/options").default.set({});
  await require("@yao-pkg/pkg/lib-es5/sea").default(job.main, {
    signature: false,
    targets: [{ nodeRange: `node${job.version}`, platform: job.platform, arch: job.arch, output: job.out }],
    seaConfig: {
      main: `../${basename(job.main)}`,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      // The program must not use NODE_OPTIONS of the environment.
      execArgvExtension: "none",
      assets: job.embedded,
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await injectNow(process.argv[2] ?? "");
