// @ts-check
/**
 * `npm test [-- path…]`: bundles the tests with esbuild and runs them with node's own runner. A path selects the test
 * files below it, and `TEST_NODE` names another Node to run them. If an end-to-end test is selected, the program is
 * bundled first.
 */
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, freemem } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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
  for (const file of LONGEST) if (!all.includes(file)) throw new Error(`${file} is gone; remove it from LONGEST`);
  if (wanted.length === 0) return all;
  const unknown = wanted.filter((w) => !all.some((f) => f.startsWith(w)));
  if (unknown.length > 0) throw new Error(`no test file matches ${unknown.join(", ")}`);
  return all.filter((f) => wanted.some((w) => f.startsWith(w)));
}

/** Runs several test files in one process. */
const GROUP = "test/kit/file-group.ts";

/** Number of test files in one process. If no more are selected, each has its own. */
const GROUP_SIZE = 12;

/** Folders whose tests spend their time in other programs, which run side by side. */
const PROGRAMS = /^test\/(access|bench|build|e2e)\//;

/** Tests in a browser. Those of a process share it. */
const PANEL = /^test\/panel\//;

/** Number of files in a browser in one process. */
const PANEL_GROUP_SIZE = 5;

/** Matches the source of a test file that changes or measures its process, starts itself again, or starts large programs. */
const OWN_PROCESS = new RegExp(
  [
    /\bprocess\.(argv|chdir|cpuUsage|exitCode|memoryUsage|on|once|umask)\b/,
    /\bprocess\.(env|std\w+)\b[.[\w\]]* = /,
    /\b(effortMs|syncBuiltinESMExports|import\.meta\.url|mock\.timers)\b/,
    /#test\/kit\/(browser|postgres|program)\.ts/,
  ]
    .map((one) => one.source)
    .join("|"),
);

/** The test files that take longest, a minute or more on two cores, longest first. */
const LONGEST = [
  "test/e2e/cluster-torture",
  "test/e2e/sign-in-conformance",
  "test/build/executables",
  "test/e2e/coding-clients",
  "test/e2e/contract",
  "test/lib/modules/cluster/store/open-shared-store",
  "test/e2e/clients",
  "test/access/unreviewed",
  "test/e2e/cluster-access",
  "test/e2e/conformance-modes",
  "test/e2e/packages/system",
  "test/lib/modules/cluster/hop/hop",
  "test/e2e/client-conformance",
  "test/e2e/cluster-conformance",
  "test/e2e/executable",
  "test/e2e/offered",
  "test/build/pages",
  "test/e2e/packages/repositories",
  "test/e2e/cluster-database",
  "test/e2e/cluster-clocks",
  "test/e2e/cluster-migrate",
].map((name) => `${name}.test.ts`);

/**
 * Divides test files among processes. Loading and compiling the modules costs more than most tests, so files share a
 * process unless something above speaks against it. Those that take longest come first, so that none of them runs alone at
 * the end, when some cores have nothing to do.
 *
 * @param {string[]} files
 */
function processes(files) {
  if (files.length <= GROUP_SIZE) return files.map((file) => [file]);
  const panel = files.filter((f) => PANEL.test(f));
  const others = files.filter((f) => !panel.includes(f));
  const alone = others.filter((f) => PROGRAMS.test(f) || OWN_PROCESS.test(readFileSync(join(root, f), "utf8")));
  const rest = others.filter((f) => !alone.includes(f));
  const longest = LONGEST.filter((file) => alone.includes(file));
  const short = alone.filter((file) => !longest.includes(file));
  return [
    ...longest.map((file) => [file]),
    ...inGroups(panel, PANEL_GROUP_SIZE),
    ...inGroups(rest, GROUP_SIZE),
    ...short.map((file) => [file]),
  ];
}

/** @param {string[]} files @param {number} size */
function inGroups(files, size) {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, i) => files.slice(i * size, (i + 1) * size));
}

/**
 * Returns the entry of a process. Node sorts the entries by their paths, so each is reached through a link to the folder
 * whose name is the number of the process.
 *
 * @param {string} outdir
 * @param {string[]} files the test files of the process
 * @param {number} i the number of the process
 */
function entryOf(outdir, files, i) {
  /** @param {string} file */
  const built = (file) => join(outdir, file.replace(/\.ts$/, ".mjs"));
  const link = join(outdir, String(i).padStart(4, "0"));
  symlinkSync(outdir, link, "junction");
  if (files.length === 1) return join(link, relative(outdir, built(files[0] ?? "")));
  const entry = join(link, `tests-${i}.mjs`);
  const urls = Object.fromEntries(files.map((file) => [file, pathToFileURL(built(file)).href]));
  const group = JSON.stringify(pathToFileURL(built(GROUP)).href);
  writeFileSync(entry, `import { runFiles } from ${group};\nawait runFiles(${JSON.stringify(urls, null, 2)});\n`);
  return entry;
}

/** Tests of the executable, which is built once for all of them. */
const EXECUTABLE = /^test\/(build|e2e\/(executable|packages))/;

/**
 * Builds the executable, unless the environment names one and its packages. Without the npm registry there is no Node
 * binary for it, and its tests are skipped with that reason. @param {string[]} files
 */
async function buildExecutable(files) {
  if (process.env.PROXY_EXECUTABLE) return {};
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

/** A process of tests that takes longer hangs (ms). */
const PROCESS_TIMEOUT_MS = 15 * 60_000;

/** Memory that must be free before PostgreSQL servers of tests keep their data there. */
const MEMORY_FOR_DATABASES = 6 * 2 ** 30;

/**
 * Creates a folder in memory for the data of PostgreSQL (test/kit/postgres.ts), where it does not wait for the disk. Other
 * temporary files are not there, because the proxy does not share folders below `/dev` with servers.
 *
 * @returns {string | undefined} undefined if there is no file system in memory with enough room
 */
function memoryFolder() {
  if (process.platform !== "linux" || !existsSync("/dev/shm")) return undefined;
  const { bavail, bsize } = statfsSync("/dev/shm");
  if (Math.min(bavail * bsize, freemem()) < MEMORY_FOR_DATABASES) return undefined;
  const folder = mkdtempSync("/dev/shm/proxy-test-");
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  return folder;
}

async function main() {
  const args = process.argv.slice(2);
  const flags = args.filter((a) => a.startsWith("-"));
  const wanted = args.filter((a) => !a.startsWith("-"));
  const files = testFiles(wanted);
  ensureInstalled();
  if (files.some((f) => /^test\/(e2e|cli|panel)\//.test(f))) await (await import("./bundle.mjs")).bundle();
  const executable = files.some((f) => EXECUTABLE.test(f)) ? await buildExecutable(files) : {};
  const built = await testBuild([...files, GROUP]);
  const groups = processes(files);
  const entries = groups.map((group, i) => entryOf(built.outdir, group, i));
  const memory = memoryFolder();
  // Tests spend half of their time waiting for programs, timers and the disk.
  const concurrency = 2 * availableParallelism();
  const runner = spawn(
    process.env.TEST_NODE ?? process.execPath,
    [
      "--enable-source-maps",
      `--require=${join(root, "build/test-hooks.cjs")}`,
      "--test",
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${PROCESS_TIMEOUT_MS}`,
      ...flags,
      ...entries,
    ],
    {
      stdio: "inherit",
      cwd: root,
      env: {
        ...process.env,
        ...(memory && { TEST_MEMORY: memory }),
        ...executable,
        NODE_ENV: "test",
        // From Node 22 on, a process stores the code that it has compiled for the next one.
        NODE_COMPILE_CACHE: join(built.outdir, "compiled"),
      },
    },
  );
  const stop = () => runner.kill("SIGTERM");
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const code = await new Promise((done) => runner.on("exit", (c) => done(c ?? 1)));
  // Of a process that was ended, the report has only the name; .ci/failed-files.mjs finds its files here.
  if (code !== 0)
    for (const [i, group] of groups.entries())
      if (group.length > 1) console.log(`# the files of tests-${i}.mjs: ${group.join(" ")}`);
  if (memory) rmSync(memory, { recursive: true, force: true, maxRetries: 3 });
  if (existsSync(built.outdir) && statSync(built.outdir).isDirectory()) built.clean();
  process.exit(code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
