// @ts-check
/** The values shared by all packages of one release. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const text = (/** @type {string} */ file) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

/** @type {{ version: string, description: string, license: string }} */
export const { version, description, license } = JSON.parse(text("package.json"));

/**
 * Version in the form of Debian and RPM, where a tilde sorts first, so that `1.0.0~rc.1` is older than `1.0.0`. Tests
 * set the variable to build a later version for an upgrade.
 */
export const packageVersion = (process.env.PROXY_PACKAGE_VERSION || version).replace("-", "~");

/** Home page of the project; set for a release. */
export const homepage = process.env.PROXY_HOMEPAGE || undefined;

/** Maintainer of the packages. */
export const maintainer = process.env.PROXY_MAINTAINER || "The proxy authors <proxy@localhost>";

/** The timestamp in all packages: that of the sources, so that builds are reproducible (s). */
export function epoch() {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH);
  try {
    const said = execFileSync("git", ["log", "-1", "--format=%ct"], {
      cwd: new URL("..", import.meta.url),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number(said.trim()) || MIN_EPOCH;
  } catch {
    return MIN_EPOCH;
  }
}

/** Minimum timestamp of archives: 1980 (s). */
const MIN_EPOCH = 315_532_800;
