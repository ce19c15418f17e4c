// @ts-check
/**
 * `npm test [-- path…]`: bundles the tests with esbuild and runs them with node's own runner. A path selects the test
 * files below it, and `TEST_NODE` names another Node to run them. If an end-to-end test is selected, the program is
 * bundled first.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Bundles entries as ES modules that share chunks; packages remain external. @param {string[]} entries */
export async function testBuild(entries) {
  ensureInstalled();
  const { build } = await import("esbuild");
  const { assets, common } = await import("./assets.mjs");
  const { generate } = await import("./generate-tables.mjs");
  const { version } = await import("./bundle.mjs");
  generate();
  const folder = await assets();
  const outdir = join(root, "dist", `test-${process.pid}`);
  const clean = () => rmSync(outdir, { recursive: true, force: true });
  await build({
    ...common,
    format: "esm",
    splitting: true,
    packages: "external",
    outbase: root,
    outdir,
    outExtension: { ".js": ".mjs" },
    sourcemap: "linked",
    entryPoints: entries,
    define: { __VERSION__: JSON.stringify(version), __ASSETS__: JSON.stringify(folder) },
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  }).catch((e) => {
    clean();
    throw e;
  });
  return { outdir, clean, files: entries.map((e) => join(outdir, e.replace(/\.ts$/, ".mjs"))) };
}

/** @param {string[]} wanted */
function testFiles(wanted) {
  const all = readdirSync(join(root, "test"), { recursive: true })
    .map((f) => `test/${String(f).replaceAll("\\", "/")}`)
    .filter((f) => f.endsWith(".test.ts"))
    .sort();
  if (wanted.length === 0) return all;
  return all.filter((f) => wanted.some((w) => f === w || f.startsWith(w.replace(/\/?$/, "/")) || f.startsWith(w)));
}

/** Tests of the executable, which is built once for all of them. */
const EXECUTABLE = /^test\/(build|e2e\/(executable|packages))/;

/**
 * Builds the executable. Without the npm registry there is no Node binary for it, and its tests are skipped with that
 * reason. @param {string[]} files
 */
async function buildExecutable(files) {
  const { binary } = await import("./binary.mjs");
  const { FetchError } = await import("./fetch.mjs");
  const { hostTarget } = await import("./targets.mjs");
  try {
    const PROXY_EXECUTABLE = await binary(hostTarget());
    if (process.platform !== "linux" || !files.some((f) => f.startsWith("test/e2e/packages")))
      return { PROXY_EXECUTABLE };
    const out = join(root, "dist/test-packages");
    const { makePackages } = await import("./package.mjs");
    await makePackages({ targets: [hostTarget()], out, built: true });
    return { PROXY_EXECUTABLE, PROXY_PACKAGES: out };
  } catch (error) {
    if (error instanceof FetchError) return { PROXY_NO_EXECUTABLE: error.message };
    throw error;
  }
}

async function main() {
  const args = process.argv.slice(2);
  const flags = args.filter((a) => a.startsWith("-"));
  const wanted = args.filter((a) => !a.startsWith("-"));
  const files = testFiles(wanted);
  if (files.length === 0) throw new Error(`no test file matches ${wanted.join(", ")}`);
  ensureInstalled();
  if (files.some((f) => /^test\/(e2e|cli|panel)\//.test(f))) await (await import("./bundle.mjs")).bundle();
  const executable = files.some((f) => EXECUTABLE.test(f)) ? await buildExecutable(files) : {};
  const built = await testBuild(files);
  // Tests spend half of their time waiting for programs, timers and the disk.
  const concurrency = Math.max(2, Math.ceil(1.5 * availableParallelism()));
  const runner = spawn(
    process.env.TEST_NODE ?? process.execPath,
    [
      "--enable-source-maps",
      "--test",
      `--test-concurrency=${concurrency}`,
      "--test-timeout=900000",
      ...flags,
      ...built.files,
    ],
    { stdio: "inherit", cwd: root, env: { ...process.env, ...executable, NODE_ENV: "test" } },
  );
  const stop = () => runner.kill("SIGTERM");
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const code = await new Promise((done) => runner.on("exit", (c) => done(c ?? 1)));
  if (existsSync(built.outdir) && statSync(built.outdir).isDirectory()) built.clean();
  process.exit(code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
