// @ts-check
/** Creates V8's code caches of the program and its libraries with the target's own Node, if this machine can run it. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchFile } from "./fetch.mjs";
import { hostTarget, TARGETS } from "./targets.mjs";

/**
 * Flags for a reproducible cache: a fixed order of V8's tables, and a heap so large that no memory is reused, because
 * V8 does not clear gaps in its output.
 */
const FLAGS = ["--random-seed=1", "--initial-heap-size=1024", "--min-semi-space-size=128"];
/**
 * Maximum number of attempts. V8 numbers functions in the order in which they run, which varies with the order in which
 * the servers answer, most of all on a busy machine.
 */
const MAX_RUNS = 3;
/** Timeout; an emulator is slow (ms). */
const TIMEOUT_MS = 180_000;

/**
 * @param {import("./targets.mjs").Target} target @param {string} source the wrapped bundle
 * @param {string} assets @param {string} work
 * @returns {Record<string, string> | undefined} the caches, name to path; undefined if the target's Node cannot run here
 */
export function codeCaches(target, source, assets, work) {
  const node = fetchFile(target.node);
  const [command, ...before] = [...emulator(target), node];
  if (!command || spawnSync(command, [...before, "--version"], { stdio: "ignore" }).status !== 0) return undefined;
  const beside = join(work, "assets");
  mkdirSync(beside, { recursive: true });
  for (const f of readdirSync(assets)) copyFileSync(join(assets, f), join(beside, f));
  const caches = join(work, "caches");
  mkdirSync(caches, { recursive: true });
  const script = fileURLToPath(new URL("code-cache.cjs", import.meta.url));
  /** @type {Set<string>} */
  const seen = new Set();
  for (let run = 0; run < MAX_RUNS; run++) {
    execFileSync(command, [...before, ...FLAGS, script, source, caches, process.execPath], {
      stdio: ["ignore", "ignore", "inherit"],
      // The user's environment must not influence the result.
      env: { PATH: process.env.PATH, HOME: work, TMPDIR: process.env.TMPDIR },
      timeout: TIMEOUT_MS,
    });
    const hash = digestOf(caches);
    // A result that occurs twice is the usual one.
    if (seen.has(hash) || before.length > 0) return filesIn(caches);
    seen.add(hash);
  }
  console.error(
    "Every run gave other code caches: the executable works, but the next build will not give the same bytes.",
  );
  return filesIn(caches);
}

/** @param {string} folder @returns {Record<string, string>} name to path */
function filesIn(folder) {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, join(folder, name)]));
}

/** @param {string} folder */
function digestOf(folder) {
  const hash = createHash("sha256");
  for (const path of Object.values(filesIn(folder))) hash.update(readFileSync(path));
  return hash.digest("hex");
}

/** The command prefix that runs a target's program on this machine. @param {import("./targets.mjs").Target} target */
export function emulator(target) {
  return target === TARGETS[hostTarget()] ? [] : (target.emulator ?? []);
}
