// @ts-check
/** Downloads single files from npm packages, pinned by integrity, and caches them by that integrity. */
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
import { fromTar } from "./tar.mjs";

export const cacheDir = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "proxy-build");

/** A download failed; the sources are not the cause. */
export class FetchError extends Error {
  name = "FetchError";
}

const LICENSE = "LICENSE";

/** @param {import("./targets.mjs").Pin} pin @param {string} file */
const place = (pin, file) =>
  join(cacheDir, createHash("sha256").update(`${pin.integrity}\n${file}`).digest("hex").slice(0, 32));

/**
 * The path of a pinned file, which is downloaded once. @throws FetchError @param {import("./targets.mjs").Pin} pin
 * @returns {string}
 */
export function fetchFile(pin) {
  const to = place(pin, pin.file);
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
    const archive = gunzipSync(tarball);
    // The licence is stored with the file.
    for (const file of new Set([LICENSE, pin.file])) {
      const bytes = fromTar(archive, `package/${file}`);
      if (!bytes && file === pin.file) throw new Error(`${file} is not in ${pin.name}@${pin.version}`);
      if (!bytes) continue;
      const part = join(temp, "file");
      writeFileSync(part, bytes);
      chmodSync(part, 0o755);
      renameSync(part, place(pin, file));
    }
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
  return to;
}
