// @ts-check
/** Tools of the build that are npm packages of their own, outside `npm ci`, because few people need them. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheDir, FetchError } from "./fetch.mjs";

/**
 * Installs what the lock file of a folder pins, once for each state of the lock file.
 *
 * @param {string} name @param {string} source folder with `package.json` and `package-lock.json`
 * @returns {string} the folder with `node_modules`
 * @throws FetchError if the registry cannot be reached
 */
export function npmTool(name, source) {
  const lock = readFileSync(join(source, "package-lock.json"));
  const dir = join(cacheDir, `${name}-${createHash("sha256").update(lock).digest("hex").slice(0, 16)}`);
  if (existsSync(join(dir, "node_modules"))) return dir;
  mkdirSync(cacheDir, { recursive: true });
  const temp = mkdtempSync(join(cacheDir, `${name}-`));
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(source, file), join(temp, file));
  try {
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], {
      cwd: temp,
      stdio: ["ignore", 2, 2],
      shell: process.platform === "win32",
    });
  } catch (cause) {
    throw new FetchError(`the packages of ${name} could not be fetched`, { cause });
  }
  rmSync(dir, { recursive: true, force: true });
  renameSync(temp, dir);
  return dir;
}
