// @ts-check
/** What is the same in all packages of one release. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const text = (/** @type {string} */ file) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

/** @type {{ version: string, description: string, license: string }} */
export const { version, description, license } = JSON.parse(text("package.json"));

/**
 * For Debian and RPM a tilde comes before everything, so that `1.0.0~rc.1` is older than `1.0.0`. Tests make a later
 * one, to upgrade to.
 */
export const packageVersion = (process.env.PROXY_PACKAGE_VERSION || version).replace("-", "~");

/** Where it is told of, if anywhere: set by who makes a release. */
export const homepage = process.env.PROXY_HOMEPAGE || undefined;

/** Who answers for the packages. */
export const maintainer = process.env.PROXY_MAINTAINER || "The proxy authors <proxy@localhost>";

/** The one time that stands in all packages: the sources', not the build's. (s) */
export function epoch() {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH);
  try {
    const said = execFileSync("git", ["log", "-1", "--format=%ct"], {
      cwd: new URL("..", import.meta.url),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number(said.trim()) || NEVER;
  } catch {
    return NEVER;
  }
}

/** Archives cannot say less: 1980. */
const NEVER = 315_532_800;
